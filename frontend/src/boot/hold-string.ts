/** Margin between the string and the edge of a narrow window, in pixels. */
const MARGIN_PX = 14;

/** Width below which the drawing is above the text (`--breakpoint-md`). */
const DRAWING_ABOVE = '(width < 44rem)';

/** Maximum lean of a kite towards the pointer, and its steps, in degrees. */
const LEAN = { most: 3, step: 0.5 };

/** Distance in pixels that the string swings past the kite's knot. */
const SWING_PX = 20;

const DRAWING = { duration: 700, easing: 'cubic-bezier(.3,0,.2,1)' };

/** The button's arrow answers once the string is there. */
const NOD = { delay: DRAWING.duration, duration: 300, easing: 'ease-in-out' };

/**
 * Ties the string of the hero's kite to the hero's main button, draws it from the kite to the button once, and makes the
 * kite lean towards the pointer. Without it the drawing is complete, and its string leaves the picture.
 */
export function holdString(): void {
  const hero = document.querySelector('[data-hero]');
  if (!hero) return;
  const moves = matchMedia('(prefers-reduced-motion: no-preference)').matches;
  const [button, other] = hero.querySelectorAll('.button');
  const string = hero.querySelector<SVGPathElement>('[data-string]');
  if (string && button) {
    let isNew = moves;
    // It calls back after a layout, when positions can be read for nothing.
    new ResizeObserver(() => {
      tie(string, button, other, isNew);
      isNew = false;
    }).observe(hero);
  }
  const kites = hero.querySelectorAll<SVGElement>('[data-kite]');
  if (!moves || kites.length === 0 || !matchMedia('(pointer: fine)').matches) return;
  let frame = 0;
  hero.addEventListener('pointermove', (event) => {
    const { clientX } = event as PointerEvent;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const lean = (clientX / innerWidth - 0.5) * 2 * LEAN.most;
      const angle = `${Math.round(lean / LEAN.step) * LEAN.step}deg`;
      for (const { style } of kites) style.setProperty('--lean', angle);
    });
  });
}

/**
 * Sets the string's path from the kite's knot, the origin of the string's coordinates, to the middle of the button's
 * right edge, or of its lower edge if another button is next to it.
 */
function tie(string: SVGPathElement, button: Element, other: Element | undefined, isNew: boolean): void {
  const drawing = string.ownerSVGElement;
  const window = drawing?.parentElement;
  const { left, bottom } = window?.getBoundingClientRect() ?? new DOMRect();
  const { a: scale, e: knotX, f: knotY } = string.getScreenCTM() ?? new DOMMatrix();
  const hand = button.getBoundingClientRect();
  const isBelow = other?.getBoundingClientRect().top === hand.top;
  const isAbove = matchMedia(DRAWING_ABOVE).matches;
  const endX = hand.right - (isBelow ? hand.width / 2 : 0);
  const endY = hand.bottom - (isBelow ? 0 : hand.height / 2);
  const x = (endX - knotX) / scale;
  const y = (endY - knotY) / scale;
  const margin = (document.documentElement.clientWidth - MARGIN_PX - knotX) / scale;
  // Below the tail, which is between the knot and the button.
  const sag = Math.max(y, y / 4) + 110;
  let curves = [
    [70, 150, x / 4, sag + 80, x * 0.55, sag],
    // Straight at the end: a curve would swing through the button.
    [x + 70, y, x + 40, y],
    [x, y, x, y],
  ];
  if (isBelow)
    curves = [
      [0, 75, x / 8, 85, x * 0.35, y / 2 + 85],
      [x, y, x, y],
    ];
  // On a narrow screen the drawing is above the text: the string runs down the right margin, clear of the words.
  if (isAbove)
    curves = [
      [40, 80, margin, 90, margin, 280],
      [margin, y - 230, margin, y - 170],
      [margin, y, x, y],
    ];
  string.setAttribute('d', `M0,0C${curves.join('S')}`);
  // It is tied, and may be seen (styles/kites.css).
  string.style.transition = 'none';
  if (!isNew) return;

  // The window slides, and the drawing in it slides back, so that only the window's edge moves, from the knot to the button.
  const [start, end] = isAbove ? [knotY - bottom, endY - bottom] : [knotX + SWING_PX - left, endX - left];
  const slide = (sign: number) => ({
    transform: [start, end].map((way) => `translate${isAbove ? 'Y' : 'X'}(${sign * way}px)`),
  });
  window?.animate(slide(1), DRAWING);
  drawing?.animate(slide(-1), DRAWING);
  const nod = button.querySelector('svg')?.animate({ transform: ['none', 'translate(3px)', 'none'] }, NOD);
  // Even when it is over, the compositor would refuse the arrow another animation.
  nod?.addEventListener('finish', () => nod.cancel());
}
