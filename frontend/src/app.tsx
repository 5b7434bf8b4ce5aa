import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import styles from './styles/site.css?url';
import { CurrentPage } from './layout/current-page.tsx';
import { isRoute, loadPage, NOT_FOUND_PATH } from './routes.tsx';

/** The page came with the styles it needs; the next one may need others. In development the document links them all. */
const allStyles = import.meta.env.DEV ? Promise.resolve() : linkStyles(styles);

/** Takes over the prerendered page: React, the router and the page's own content, loaded by the boot. */
const root = document.getElementById('root');
if (!root) throw new Error('the document has no root element');

const path = isRoute(location.pathname) ? location.pathname : NOT_FOUND_PATH;
const page = await loadPage(path);

hydrateRoot(
  root,
  <BrowserRouter>
    <CurrentPage firstPage={page} loadPage={loadStyledPage} />
  </BrowserRouter>,
);

/** A page that is about to be visited is fetched when its link is pointed at or focused. */
function prefetch({ target }: Event) {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null;
  if (link && isRoute(link.pathname)) loadPage(link.pathname).catch(() => undefined);
}
addEventListener('pointerover', prefetch, { passive: true });
addEventListener('focusin', prefetch);

async function loadStyledPage(path: string) {
  const [page] = await Promise.all([loadPage(path), allStyles]);
  return page;
}

function linkStyles(href: string): Promise<unknown> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  const loaded = new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject }));
  document.head.append(link);
  return loaded;
}
