import { blend, hex, lch } from './colour.ts';

const PAPER = '#fbf8f3';
const NAVY = '#0e1730';

/** The site's accents, as its style sheet has them in light mode. */
export const HUES = {
  sky: '#0b6fb3',
  teal: '#0f766e',
  amber: '#b45309',
  'purple-600': '#9333ea',
  'blue-600': '#2563eb',
  'green-600': '#16a34a',
  'indigo-600': '#4f46e5',
  'cyan-600': '#0891b2',
  'orange-600': '#ea580c',
  'pink-600': '#db2777',
  'red-600': '#dc2626',
} as const;

export type Hue = keyof typeof HUES;

/** Colours of one picture, all derived from its hue. */
export interface Palette {
  readonly hue: string;
  /** The flat, deep tint that the left and bottom of every picture are made of. White text on it has 14:1 or more. */
  readonly ground: string;
  /** The same, a step lighter: the glow behind the subject. */
  readonly glow: string;
  /** Fine lines: struts, strings, construction. */
  readonly line: string;
  readonly paper: string;
  /** Sailcloth under `light` from 0 to 1; `warm` is the cream cloth that contrasts with the coloured one. */
  cloth(light: number, warm?: boolean): string;
}

export function palette(hue: Hue): Palette {
  const base = lch(HUES[hue]);
  const ground = blend(NAVY, hex({ l: 0.25, c: 0.1, h: base.h }), 0.28);
  const cloth = [
    hex({ l: 0.3, c: Math.min(0.11, base.c * 0.7), h: base.h }),
    hex({ l: 0.46, c: base.c * 0.95, h: base.h }),
    hex({ l: 0.62, c: base.c, h: base.h + 4 }),
    hex({ l: 0.78, c: base.c * 0.72, h: base.h + 10 }),
    hex({ l: 0.93, c: base.c * 0.25, h: base.h + 16 }),
  ];
  const cream = [
    hex({ l: 0.47, c: 0.045, h: base.h }),
    hex({ l: 0.68, c: 0.04, h: base.h + 8 }),
    blend(hex({ l: 0.84, c: 0.035, h: base.h }), PAPER, 0.45),
    '#f6efe2',
    PAPER,
  ];
  return {
    hue: HUES[hue],
    ground,
    glow: blend('#233563', hex({ l: 0.42, c: 0.14, h: base.h }), 0.68),
    line: hex({ l: 0.86, c: 0.05, h: base.h }),
    paper: PAPER,
    cloth: (light, warm = false) => step(warm ? cream : cloth, light),
  };
}

/** Colour at a share of the way through evenly spaced stops. */
function step(stops: readonly string[], share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const from = Math.min(stops.length - 2, Math.floor(at));
  return blend(stops[from] ?? PAPER, stops[from + 1] ?? PAPER, at - from);
}
