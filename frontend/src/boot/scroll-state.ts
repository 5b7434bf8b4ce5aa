/** Scrolled distance in pixels above which the top bar gains its border and shadow. */
const BAR_THRESHOLD_PX = 10;

/**
 * Marks the root element with how far the page is scrolled, for the styles of the top bar and the back-to-top button,
 * and scrolls up when that button is pressed.
 */
export function trackScroll(): void {
  const root = document.documentElement;
  const update = () => {
    root.toggleAttribute('data-scrolled', scrollY > BAR_THRESHOLD_PX);
    root.toggleAttribute('data-past-fold', scrollY > innerHeight);
  };
  // A place that the browser comes back to is told by this event too. Asking for it here would lay out a page of nothing.
  addEventListener('scroll', update, { passive: true });
  // Only once it was scrolled: before that a new size changes nothing, and some browsers tell of one as a page begins.
  addEventListener('scroll', () => addEventListener('resize', update, { passive: true }), {
    once: true,
    passive: true,
  });

  document.addEventListener('click', ({ target }) => {
    // The style sheet decides between smooth and instant, by the visitor's wish for reduced motion.
    if ((target as Element).closest('[data-back-to-top]')) scrollTo({ top: 0 });
  });
}
