import { afterPaint } from './after-paint.ts';

const FACE = '700 1em "Kitewright Display"';

/** Session storage key: this visit has the font in the browser's cache. */
const CACHED_KEY = 'display-font';

/** What is set in the display face. */
const HEADINGS = 'h1, h2, h3, h4, .figure, .font-display, .menu > a, .menu summary';

/**
 * Sets headings in the display face without delaying the first paint: a visit's first page paints in the fallback, and
 * takes the face when it has come. Nothing moves then, because the fallback has the face's metrics and both break the
 * headings at the same words. The next pages start with the face, from the cache. The style sheet uses the face within
 * what carries `data-font`: set on the root later, it would lay out the whole page anew.
 */
export function loadDisplayFont(): void {
  if (isCached()) {
    document.documentElement.dataset.font = '';
    return;
  }
  const load = () =>
    document.fonts.load(FACE).then(() => {
      for (const heading of document.querySelectorAll<HTMLElement>(HEADINGS)) heading.dataset.font = '';
      markCached();
    });
  afterPaint(() => void load());
}

/** Whoever comes from elsewhere spares the look into the storage, which holds the first paint up. */
function isCached(): boolean {
  if (!document.referrer.startsWith(location.origin)) return false;
  try {
    return sessionStorage.getItem(CACHED_KEY) !== null;
  } catch {
    return false;
  }
}

function markCached(): void {
  try {
    sessionStorage.setItem(CACHED_KEY, '');
  } catch {
    // Storage is switched off: each page asks the cache anew.
  }
}
