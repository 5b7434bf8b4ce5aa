// These functions run in the page, so they use nothing from outside.

/**
 * Returns titles, lines above them, items of the top bar and buttons of the first section that the banner covers in part.
 * Without a border only the text counts. Exempt are all buttons in the low window of the smallest phones, and on other
 * phones the second button below a picture.
 */
export function coveredBy(banner: string): readonly string[] {
  const over = document.querySelector(`[aria-label="${banner}"]`)?.getBoundingClientRect();
  const isPhone = innerWidth < 768;
  const buttons = isPhone ? ':is([data-hero]:not([data-hero=picture]) .button, .button:first-child)' : '.button';
  const shown = document.querySelectorAll(
    `h1, body > header :is(a, button), [data-hero] .kite-before${innerHeight < 700 ? '' : `, [data-hero] ${buttons}`}`,
  );
  const boxOf = (element: Element) => {
    if (element.matches('.button, button')) return element.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(element);
    return words.getBoundingClientRect();
  };
  return [...shown]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { left, right, top, bottom } = boxOf(element);
      return !over || (left < over.right && right > over.left && top < over.bottom && bottom > over.top);
    })
    .map((element) => `${element.tagName} "${element.textContent?.trim()}"`);
}

/** Returns elements with clipped content, which paper cannot scroll, and elements beyond the paper. */
export function cutOff(): readonly string[] {
  return [...document.body.querySelectorAll<HTMLElement>('*')]
    .filter((element) => element.checkVisibility() && !element.closest('svg, [aria-hidden=true]'))
    .filter((element) => {
      const { overflowX, clipPath } = getComputedStyle(element);
      // Text for screen readers only. The build shortens the name of its class.
      if (clipPath === 'inset(50%)') return false;
      const isClipping = overflowX !== 'visible' && element.scrollWidth > element.clientWidth;
      return isClipping || element.getBoundingClientRect().right > innerWidth + 1;
    })
    .map((element) => `${element.tagName} "${element.textContent.trim().slice(0, 40)}"`);
}
