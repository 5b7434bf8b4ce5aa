/** Margin between the string and the edge of a narrow window, in pixels. */
const MARGIN_PX = 14;

/** Width from which the drawing is next to the text (`--breakpoint-md`). */
const DRAWING_BESIDE = '(min-width: 44rem)';

/** Angle in degrees between a kite's lean to the left and to the right edge of the window. */
const LEAN_DEG = 6;

/** Custom property with that angle (styles/kites.css). */
export const LEAN = '--lean';

/** Distance in pixels that the string swings past the kite's knot. */
const SWING_PX = 20;

/** Time in ms that the string takes. */
const DRAWING_MS = 700;

/**
 * Ties the string of the hero's kite to the hero's main button, draws it from the kite to the button once, and makes the
 * kite lean towards the pointer. Without it the drawing is complete, and its string leaves the picture.
 */
export function holdString(): void {
  const hero = document.querySelector('[data-hero]') as HTMLElement;
  const [button, other] = hero.querySelectorAll('.button');
  const string = hero.querySelector<SVGPathElement>('[data-string]');
  // It calls back after a layout, when positions can be read for nothing.
  if (string && button) new ResizeObserver(() => tie(string, button, other)).observe(hero);
  // Browsers send one in a frame. Most change nothing, because the kite leans by whole degrees.
  hero.addEventListener('pointermove', ({ clientX, pointerType }) => {
    if (pointerType !== 'mouse') return;
    const lean = ((clientX / innerWidth - 0.5) * LEAN_DEG).toFixed();
    for (const { style } of hero.querySelectorAll<SVGElement>('[data-kite]')) style.setProperty(LEAN, `${lean}deg`);
  });
}

/**
 * Sets the string's path from the kite's knot to the middle of the button's right edge, or of its lower edge if another
 * button is next to it. The knot is the origin of the string's coordinates.
 */
function tie(string: SVGPathElement, button: Element, other: Element | undefined): void {
  // The window that the string is seen through (components/ui/hero-drawing.tsx).
  const drawing = string.ownerSVGElement as Element;
  const window = drawing.parentElement as Element;
  const { left, bottom } = window.getBoundingClientRect();
  // It waits for this out of sight (styles/kites.css), but not with reduced motion, for long, or a second time.
  // While it is drawn there are two slides, whose places are those of the size before.
  const running = window.getAnimations({ subtree: true });
  const { a: scale, e: knotX, f: knotY } = string.getScreenCTM() as DOMMatrix;
  const hand = button.getBoundingClientRect();
  const isBelow = other?.getBoundingClientRect().top === hand.top;
  const isAbove = !matchMedia(DRAWING_BESIDE).matches;
  const endX = hand.right - (isBelow ? hand.width / 2 : 0);
  const endY = hand.bottom - (isBelow ? 0 : hand.height / 2);
  const x = (endX - knotX) / scale;
  const y = (endY - knotY) / scale;
  const margin = (document.body.clientWidth - MARGIN_PX - knotX) / scale;
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
  for (const each of running) each.cancel();
  if (running.length !== 1) return;

  // The window slides, and the drawing in it slides back, so that only the window's edge moves, from the knot to the button.
  const [axis, edge, start, end] = isAbove
    ? (['Y', bottom, knotY, endY] as const)
    : (['X', left, knotX + SWING_PX, endX] as const);
  const slide = (element: Element, sign: number) =>
    element.animate(
      { transform: [start, end].map((place) => `translate${axis}(${sign * (place - edge)}px)`) },
      { duration: DRAWING_MS, easing: 'cubic-bezier(.3,0,.2,1)' },
    );
  slide(window, 1);
  slide(drawing, -1);
}
