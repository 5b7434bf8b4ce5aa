/** Scrolled distance in pixels above which the top bar gains its border and shadow. */
const BAR_THRESHOLD_PX = 10;

/**
 * Tells the top bar and the back-to-top button how far the page is scrolled, for their styles, and scrolls up when that
 * button is pressed.
 */
export function trackScroll(): void {
  const update = () => {
    document.querySelector('header')?.toggleAttribute('data-scrolled', scrollY > BAR_THRESHOLD_PX);
    document.querySelector('[data-back-to-top]')?.toggleAttribute('data-shown', scrollY > innerHeight);
  };
  update();
  for (const event of ['scroll', 'resize']) addEventListener(event, update, { passive: true });

  document.addEventListener('click', ({ target }) => {
    // The style sheet decides between smooth and instant, by the visitor's wish for reduced motion.
    if ((target as Element).closest('[data-back-to-top]')) scrollTo({ top: 0 });
  });
}
