/** Scrolled distance above which the top bar gains its border and shadow. */
const BAR_THRESHOLD = '10px';

/** Selector of a page's calls to action. */
export const CALLS = 'main .button:not(.button-quiet)';

/** Height of the top bar in pixels, which covers the content below it. */
const BELOW_BAR = { rootMargin: '-72px 0px 0px' };

/**
 * Marks the top bar and the back-to-top button by how far the page is scrolled, for their styles. Scrolls to the top
 * when the button is pressed.
 */
export function trackScroll(): void {
  markBeyond(BAR_THRESHOLD, 'header', 'data-scrolled');
  markBeyond('100%', '[data-back-to-top]', 'data-shown');
  document.addEventListener('click', ({ target }) => {
    // The style sheet chooses smooth or instant scrolling (`prefers-reduced-motion`).
    if ((target as Element).closest('[data-back-to-top]')) scrollTo({ top: 0 });
  });
}

/**
 * Marks an element while the page is scrolled by more than a distance: then the mark at its top is farther above the
 * window. The browser measures it after a layout, where a scroll event would have to wait for one.
 */
function markBeyond(rootMargin: string, selector: string, attribute: string): void {
  new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting } of entries)
        document.querySelector(selector)?.toggleAttribute(attribute, !isIntersecting);
    },
    { rootMargin },
  ).observe(document.querySelector('[data-top]') as Element);
}

/** Keeps the bar's button unfilled while a filled one is visible: a screen has one call to action. */
export function calmBar(): void {
  const shown = new Set<Element>();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) shown.add(target);
      else shown.delete(target);
    }
    document.querySelector('header')?.toggleAttribute('data-calm', shown.size > 0);
  }, BELOW_BAR);
  for (const button of document.querySelectorAll(CALLS)) observer.observe(button);
}
