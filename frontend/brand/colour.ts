import { mix, radians } from './vector.ts';

/** OKLCH: perceived lightness 0 to 1, chroma 0 to about 0.3, hue in degrees. */
export interface Lch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

/** Hex colour of an OKLCH one, chroma reduced until it fits sRGB. */
export function hex(colour: Lch): string {
  for (let { c } = colour; ; c -= 0.004) {
    const rgb = toLinear({ ...colour, c: Math.max(0, c) });
    if (c <= 0 || rgb.every((value) => value >= -0.001 && value <= 1.001)) return `#${rgb.map(channel).join('')}`;
  }
}

/** OKLCH of a hex colour. */
export function lch(hexColour: string): Lch {
  const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(hexColour.slice(at, at + 2), 16) / 255)) as [
    number,
    number,
    number,
  ];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: (Math.atan2(bb, a) * 180) / Math.PI,
  };
}

/** Mix of two hex colours in OKLab, so that no muddy middle appears. */
export function blend(from: string, to: string, share: number): string {
  const [a, b] = [lch(from), lch(to)];
  const [ax, ay] = [a.c * Math.cos(radians(a.h)), a.c * Math.sin(radians(a.h))];
  const [bx, by] = [b.c * Math.cos(radians(b.h)), b.c * Math.sin(radians(b.h))];
  const [x, y] = [mix(ax, bx, share), mix(ay, by, share)];
  return hex({ l: mix(a.l, b.l, share), c: Math.hypot(x, y), h: (Math.atan2(y, x) * 180) / Math.PI });
}

function toLinear({ l, c, h }: Lch): [number, number, number] {
  const [a, b] = [c * Math.cos(radians(h)), c * Math.sin(radians(h))];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const gamma = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
const channel = (value: number) =>
  Math.round(255 * gamma(Math.min(1, Math.max(0, value))))
    .toString(16)
    .padStart(2, '0');
