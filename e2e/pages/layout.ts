// These functions run in the page, so they use nothing from outside.

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
