import { useCallback, useEffect, useRef } from 'react';
import type { NavigationType } from 'react-router-dom';

const STORAGE_KEY = 'scroll-positions';

/** Names an entry of the session's history. Entries made by a plain anchor carry no router key: their address names them. */
const entryKey = (): string => (history.state as { key?: string } | null)?.key ?? location.href;

/**
 * Scroll position across navigations (spec 4, "Route change"): a new page starts at its top, or at the anchor in its
 * address; back and forward return to where the visitor was. Anchors within a page are the browser's own business.
 *
 * @returns what to call when a navigation's page is in the document
 */
export function useScroll(): (what: 'new page' | 'same page', how: NavigationType) => void {
  const positions = useRef<Record<string, number>>({});
  const current = useRef('');

  useEffect(() => {
    positions.current = readPositions();
    current.current = entryKey();
    history.scrollRestoration = 'manual';
    const save = () => {
      positions.current[current.current] = scrollY;
    };
    const leave = () => {
      // A reload, or a way back from another site: the browser restores the position by itself.
      history.scrollRestoration = 'auto';
      writePositions(positions.current);
    };
    const forgetAnchor = ({ target }: MouseEvent) => {
      const anchor = (target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
      if (anchor) delete positions.current[anchor.href];
    };
    addEventListener('scroll', save, { passive: true });
    addEventListener('pagehide', leave);
    document.addEventListener('click', forgetAnchor, true);
    return () => {
      removeEventListener('scroll', save);
      removeEventListener('pagehide', leave);
      document.removeEventListener('click', forgetAnchor, true);
    };
  }, []);

  return useCallback((what, how) => {
    const key = entryKey();
    if (key === current.current) return;
    current.current = key;
    const saved = how === 'POP' ? positions.current[key] : undefined;
    if (saved !== undefined) scrollTo({ top: saved, behavior: 'instant' });
    else if (what === 'new page') {
      const anchor = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (anchor) anchor.scrollIntoView({ behavior: 'instant' });
      else scrollTo({ top: 0, behavior: 'instant' });
    }
  }, []);
}

function readPositions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

function writePositions(positions: Record<string, number>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions));
  } catch {
    // Storage is switched off: positions last as long as the page.
  }
}
