import { afterPaint } from './after-paint.ts';

const FACE = '700 1em "Kitewright Display"';

/** What is set in the display face. */
const HEADINGS = 'h1, h2, h3, h4, .figure, .font-display, .menu > a, .menu summary';

/**
 * Sets headings in the display face without delaying the first paint: a visit's first page paints in the fallback, and
 * takes the face when it has come. Nothing moves then, because the fallback has the face's metrics and both break the
 * headings at the same words. The next pages start with the face, from the cache; one that is not there after all stays
 * away, by its `font-display`. The style sheet uses the face within what carries `data-font`: set on the root later, it
 * would lay out the whole page anew.
 */
export function loadDisplayFont(): void {
  const show = (element: HTMLElement) => (element.dataset.font = '');
  if (document.referrer.startsWith(location.origin)) show(document.documentElement);
  else
    afterPaint(() => {
      void document.fonts.load(FACE).then(() => document.querySelectorAll<HTMLElement>(HEADINGS).forEach(show));
    });
}
