import { afterPaint } from './after-paint.ts';

const FACE = '700 1em Display';

/** Selectors of the elements that use the display face. */
export const HEADINGS = 'h1, h2, h3, h4, .figure, .font-display, .menu > a, .menu summary';

/**
 * Shows headings in the display face without delaying the first paint. The first page of a visit paints in the fallback
 * and changes to the face when it has loaded; later pages start with the face, from the cache. Nothing moves, because
 * the fallback has the metrics of the face and headings break at the same words in both. The style sheet uses the face
 * below elements with `data-font`: setting it on the root later would lay out the whole page again.
 */
export function loadDisplayFont(): void {
  const show = (element: HTMLElement) => (element.dataset.font = '');
  if (document.referrer.startsWith(location.origin)) show(document.documentElement);
  else
    afterPaint(() => {
      document.fonts.load(FACE).then(
        () => document.querySelectorAll<HTMLElement>(HEADINGS).forEach(show),
        () => {}, // The page keeps the fallback.
      );
    });
}
