import { afterPaint } from './after-paint.ts';

const FACE = '700 1em "Kitewright Display"';

/** Session storage key: this visit has the font in the browser's cache. */
const CACHED_KEY = 'display-font';

/** Pixels that a browser does not count as a layout shift. */
const TOLERANCE_PX = 2;

/**
 * Sets headings in the display face without delaying the first paint or moving anything: a visit's first page paints in
 * the fallback, whose metrics match. When the font has come it is used if everything in view stays where it is; the next
 * pages start with it, from the cache. The style sheet uses the face while the root element carries `data-font`.
 */
export function loadDisplayFont(): void {
  const { dataset } = document.documentElement;
  if (isCached()) {
    dataset.font = '';
    return;
  }
  const load = () =>
    document.fonts.load(FACE).then(() => {
      markCached();
      const before = elementsInView().map((element) => [element, position(element)] as const);
      dataset.font = '';
      // Both measurements fall between two paints: a change that is taken back was never seen.
      if (before.some(([element, place]) => hasMoved(place, position(element)))) delete dataset.font;
    });
  afterPaint(() => void load());
}

const position = (element: Element) => element.getBoundingClientRect();

const elementsInView = () =>
  [...document.body.querySelectorAll('*')].filter((element) => {
    const { top, bottom } = position(element);
    return bottom > 0 && top < innerHeight;
  });

const hasMoved = (before: DOMRect, after: DOMRect) =>
  Math.abs(before.left - after.left) > TOLERANCE_PX || Math.abs(before.top - after.top) > TOLERANCE_PX;

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
