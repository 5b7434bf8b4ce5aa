import { afterPaint } from './after-paint.ts';

/** The build puts the built file's address in its place. */
const FILE = '/src/styles/fonts/kitewright-display.woff2';

/** Session storage key: this visit has the font in the browser's cache. */
const CACHED_KEY = 'display-font';

/**
 * Sets headings in the display face without delaying the first paint: a visit's first page paints in the fallback, and
 * takes the face when it has come. Nothing moves then, because the fallback has the face's metrics and both break the
 * headings at the same words. The next pages start with the face, from the cache.
 */
export function loadDisplayFont(): void {
  const face = new FontFace('Kitewright Display', `url(${FILE})`, { weight: '600 800', display: 'optional' });
  const load = () =>
    face.load().then(() => {
      document.fonts.add(face);
      markCached();
    });
  if (isCached()) {
    document.fonts.add(face);
    void face.load();
  } else afterPaint(() => void load());
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
