import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { CurrentPage } from './layout/current-page.tsx';
import { isRoute, loadPage, NOT_FOUND_PATH } from './routes.tsx';
import stylesUrl from './styles/site.css?url';

/** Takes over the prerendered page, when its content is loaded. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('the document has no root element');
  const page = await loadPage(isRoute(location.pathname) ? location.pathname : NOT_FOUND_PATH);
  // In pieces: React lets the browser see to the visitor between them, and hurries where one touches what is not taken over yet.
  startTransition(() => {
    hydrateRoot(
      root,
      <BrowserRouter>
        <CurrentPage firstPage={page} loadPage={loadNextPage} />
      </BrowserRouter>,
    );
  });
}

let allStyles: Promise<unknown> | undefined;

/** The first page came with the styles it needs; another one may need others. */
async function loadNextPage(path: string) {
  allStyles ??= import.meta.env.DEV ? Promise.resolve() : linkStyles(stylesUrl);
  const [page] = await Promise.all([loadPage(path), allStyles]);
  return page;
}

function linkStyles(href: string): Promise<unknown> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  const loaded = new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject }));
  document.head.append(link);
  return loaded;
}

/** A page that is about to be visited is fetched when its link is pointed at or focused. */
function prefetch({ target }: Event) {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null;
  if (link && isRoute(link.pathname)) loadNextPage(link.pathname).catch(() => undefined);
}
addEventListener('pointerover', prefetch, { passive: true });
addEventListener('focusin', prefetch);

// In a task of its own: this one has been long enough with taking in the code.
setTimeout(() => void start());
