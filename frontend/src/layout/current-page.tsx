import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigationType } from 'react-router-dom';
import type { Page } from '../content/model.ts';
import { applyHead } from './head.ts';
import { PageView } from './page-view.tsx';
import { useScroll } from './use-scroll.ts';

export interface CurrentPageProps {
  /** The page in the document, already loaded. */
  readonly firstPage: Page;
  readonly loadPage: (path: string) => Promise<Page>;
}

/**
 * The page of the current address. After a navigation the old page stays until the new one's content is there, so there
 * is no flash; then head, focus and scroll position follow, and the new title is announced.
 */
export function CurrentPage({ firstPage, loadPage }: CurrentPageProps) {
  const location = useLocation();
  const navigationType = useNavigationType();
  const [shown, setShown] = useState({ page: firstPage, announcement: '' });
  const shownPath = useRef(location.pathname);
  const settleScroll = useScroll();

  useEffect(() => {
    if (location.pathname === shownPath.current) {
      settleScroll('same page', navigationType);
      return;
    }
    let current = true;
    loadPage(location.pathname).then(
      (page) => {
        if (!current) return;
        shownPath.current = location.pathname;
        swap(() => {
          flushSync(() => setShown({ page, announcement: page.title }));
          applyHead(page);
          document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
          settleScroll('new page', navigationType);
        });
      },
      // The page's code is gone, after a new release for example: the server has the page itself.
      () => window.location.assign(location.pathname),
    );
    return () => {
      current = false;
    };
  }, [location, navigationType, loadPage, settleScroll]);

  return <PageView page={shown.page} announcement={shown.announcement} />;
}

/** Changes the page inside a view transition, where the browser has them and the visitor does not mind motion. */
function swap(change: () => void): void {
  if (!document.startViewTransition || matchMedia('(prefers-reduced-motion: reduce)').matches) change();
  // A transition that the next navigation skips is no error.
  else document.startViewTransition(change).ready.catch(() => undefined);
}
