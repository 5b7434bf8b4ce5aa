/** A kind of kite on a square of 48 units: two cloths, the lighter one first, and the lines that are not an edge of either. */
export interface Kite {
  readonly light: string;
  readonly full: string;
  readonly line: string;
  readonly dotted?: string;
  /** Point that a string is tied to. */
  readonly foot: string;
}

/** Kinds of kites, of which a page chooses its mark. */
export const KITES = {
  eddy: {
    light: 'M24 3 43 19H24z',
    full: 'M5 19H24V45z',
    line: 'M24 3 5 19M43 19 24 45',
    foot: '24 45',
  },
  sled: {
    light: 'M14 3H34V32H14z',
    full: 'M34 3 45 14 34 32z',
    line: 'M14 3 3 14 14 32 24 46 34 32',
    foot: '24 46',
  },
  parafoil: {
    light: 'M18 8Q24 7 30 8V27Q24 26 18 27z',
    full: 'M30 8Q38 9 44 13V32Q38 28 30 27z',
    line: 'M18 8Q10 9 4 13V32Q10 28 18 27M4 32 24 46 44 32',
    foot: '24 46',
  },
  tetrahedron: {
    light: 'M24 4 34.5 24H13.5z',
    full: 'M34.5 24 45 44H24z',
    line: 'M13.5 24 3 44H24z',
    foot: '24 44',
  },
  stunter: {
    light: 'M24 6 45 33 24 26z',
    full: 'M24 6V26L13.5 29.5z',
    line: 'M24 6 3 33 13.5 29.5 20 46M34.5 29.5 28 46M24 6 34.5 29.5',
    foot: '20 46',
  },
  'hargrave-box': {
    light: 'M6 4H32V17H6zM6 30H32V43H6z',
    full: 'M32 4 42 8V21L32 17zM32 30 42 34V47L32 43z',
    line: 'M6 17V30M32 17V30M42 21V34',
    foot: '6 43',
  },
  rosette: {
    light: 'M24 24 31 11.9 42.2 13.5 38 24zM24 24 17 36.1 5.8 34.5 10 24zM24 24 17 11.9 24 3 31 11.9z',
    full: 'M24 24 38 24 42.2 34.5 31 36.1zM24 24 10 24 5.8 13.5 17 11.9z',
    line: 'M31 36.1 24 45 17 36.1',
    foot: '24 45',
  },
  pair: {
    light: 'M17 3 30 16H17z',
    full: 'M4 16H17V38z',
    line: 'M17 3 4 16M30 16 17 38',
    dotted: 'M36 20 46 29 36 46 26 29z',
    foot: '17 38',
  },
  train: {
    light: 'M37 1 45 8 37 21zM24 14 32 21 24 34zM11 27 19 34 11 47z',
    full: 'M37 1 29 8 37 21zM24 14 16 21 24 34zM11 27 3 34 11 47z',
    line: 'M29 8 24 14M16 21 11 27',
    foot: '11 47',
  },
  delta: {
    light: 'M24 5 46 31Q35 28 24 33z',
    full: 'M24 14 30 41 24 33z',
    line: 'M24 33Q13 28 2 31L24 5M30 41V46',
    foot: '30 46',
  },
  conyne: {
    light: 'M17 3H31V16H17zM17 32H31V45H17z',
    full: 'M31 9 46 24 31 39z',
    line: 'M17 16V32M17 9 2 24 17 39',
    foot: '24 45',
  },
} satisfies Readonly<Record<string, Kite>>;

/**
 * Kites next to a list: the left edge of the kite, its width and the place of its foot, in hundredths of the column, its lean,
 * and the place of its name. It is below the heading of a long list, cut by the edge of the page, or as high as a short list.
 */
const HIGH = { left: -4, size: 104, foot: 74, lean: 6, words: 'bottom-0 w-2/5' };
const CUT = { left: -62, size: 140, foot: 88, lean: 8, words: 'right-0 bottom-[18%] w-1/3 text-right' };
export const LOW = { left: 22, size: 72, foot: 84, lean: 0, words: 'bottom-0 w-2/5' };
export const FLIGHTS: { readonly [Kind in keyof typeof KITES]?: typeof LOW } = {
  sled: HIGH,
  tetrahedron: HIGH,
  stunter: HIGH,
  train: { ...HIGH, words: CUT.words },
  'hargrave-box': { ...LOW, left: 40, size: 60 },
  pair: { ...LOW, foot: 70 },
  rosette: CUT,
  delta: CUT,
};
