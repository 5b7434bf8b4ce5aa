/** Colours in linear light, red, green and blue from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Lightness, and the axes from green to red and from blue to yellow (Oklab, CSS Color 4). */
type Lab = readonly [lightness: number, a: number, b: number];

type Matrix = readonly [Rgb, Rgb, Rgb];

const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const FROM_LAB: Matrix = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const FROM_CONES: Matrix = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

const times = (matrix: Matrix, [x, y, z]: Rgb) => matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Rgb;
const each = (colour: Rgb, change: (part: number) => number) => colour.map(change) as unknown as Rgb;

const toLab = (colour: Rgb): Lab => times(TO_LAB, each(times(TO_CONES, colour), Math.cbrt));
const fromLab = (lab: Lab): Rgb =>
  each(
    times(
      FROM_CONES,
      each(times(FROM_LAB, lab), (part) => part ** 3),
    ),
    (part) => Math.min(Math.max(part, 0), 1),
  );

/** Reads a colour in hexadecimal, of three or six digits. */
export function toRgb(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.replaceAll(/\w/g, '$&$&') : hex;
  const parts = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255);
  return each(parts as unknown as Rgb, (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

/** `color-mix(in oklab, one share, other)`, with a share from 0 to 1. */
export function mix(one: Rgb, share: number, other: Rgb): Rgb {
  const [from, to] = [toLab(one), toLab(other)];
  return fromLab(from.map((part, index) => part * share + (to[index] ?? 0) * (1 - share)) as unknown as Lab);
}

/** Returns the colour with the hue of another one (Oklch). */
export function withHueOf(colour: Rgb, lightness: number, chroma: number): Rgb {
  const [, a, b] = toLab(colour);
  const length = Math.hypot(a, b) || 1;
  return fromLab([lightness, (a / length) * chroma, (b / length) * chroma]);
}

const luminance = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Contrast of two colours (WCAG 2.2), from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
