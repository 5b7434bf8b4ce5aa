import { afterPaint } from './after-paint.ts';

/**
 * Declares the display face of headings without delaying the first paint. The first page of a visit paints in the
 * fallback and changes to the face when it has loaded; later pages have it at once, from the cache. Nothing moves, because
 * the fallback has the metrics of the face and headings break at the same words in both.
 *
 * @param address address of its file
 */
export function loadDisplayFont(address: string): void {
  const face = new FontFace('Display', `url(${address})`, { weight: '600 800', display: 'swap' });
  const show = () => document.fonts.add(face);
  if (document.referrer.startsWith(location.origin)) show();
  // If it cannot be loaded, the page keeps the fallback.
  else afterPaint(() => void face.load().then(show, () => {}));
}
