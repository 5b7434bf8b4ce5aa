/** Margin between the string and the edge of a narrow window, in pixels. */
const MARGIN_PX = 14;

/** Width below which the drawing is above the text (`--breakpoint-md`). */
const DRAWING_ABOVE = '(width < 44rem)';

/** Maximum lean of a kite towards the pointer, in degrees. */
const LEAN_DEG = 3;

/**
 * Ties the string of the hero's kite to the hero's main button, and makes the kite lean towards the pointer. Without it the
 * drawing is complete, and its string leaves the picture. It runs after the first paint, and each run reads and writes
 * the layout once.
 */
export function holdString(): void {
  const hero = document.querySelector<HTMLElement>('[data-hero]');
  const buttons = hero?.querySelectorAll('.button') ?? [];
  const string = hero?.querySelector<SVGPathElement>('[data-string]');
  const [button, other] = buttons;
  if (string && button) {
    const tie = () => string.setAttribute('d', pathTo(button, other, string));
    tie();
    addEventListener('resize', tie);
  }
  const canLean = matchMedia('(pointer: fine) and (prefers-reduced-motion: no-preference)').matches;
  const kites = hero?.querySelectorAll<SVGElement>('[data-kite]') ?? [];
  if (!canLean || kites.length === 0) return;
  hero?.addEventListener(
    'pointermove',
    ({ clientX }) => {
      for (const { style } of kites) style.setProperty('--lean', `${(clientX / innerWidth - 0.5) * 2 * LEAN_DEG}deg`);
    },
    { passive: true },
  );
}

/**
 * Returns the path from the kite's knot, the origin of the string's coordinates, to the middle of the button's right
 * edge, or of its lower edge if another button is next to it.
 */
function pathTo(button: Element, other: Element | undefined, string: SVGPathElement): string {
  const { a: scale, e: knotX, f: knotY } = string.getScreenCTM() ?? new DOMMatrix();
  const hand = button.getBoundingClientRect();
  const isBelow = other?.getBoundingClientRect().top === hand.top;
  const x = (hand.right - (isBelow ? hand.width / 2 : 0) - knotX) / scale;
  const y = (hand.bottom - (isBelow ? 0 : hand.height / 2) - knotY) / scale;
  const margin = (innerWidth - MARGIN_PX - knotX) / scale;
  // Below the tail, which is between the knot and the button.
  const sag = Math.max(y, y / 4) + 110;
  // All cases and the file have the same number of curves, so that the style sheet can animate from one to the other.
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
      [x, y, x, y],
    ];
  // On a narrow screen the drawing is above the text: the string runs down the right margin, clear of the words.
  if (matchMedia(DRAWING_ABOVE).matches)
    curves = [
      [40, 80, margin, 90, margin, 280],
      [margin, y - 230, margin, y - 170],
      [margin, y, x, y],
    ];
  return `M0,0C${curves.join('S')}`;
}
