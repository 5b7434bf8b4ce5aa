import type { Point } from './vector.ts';

/** Side of the square that the mark is drawn in. */
export const MARK_SIZE = 32;

/** The axis leans 25 degrees into the wind. */
const UP: Point = [0.4226, -0.9063];
const ACROSS: Point = [0.9063, 0.4226];

const NOSE: Point = [20.9, 2.9];
const [LENGTH, SPAR_AT, HALF_SPAR, HALF_GAP] = [23.6, 8, 8.3, 0.62];

const from = ([x, y]: Point, up: number, across: number): Point => [
  x + UP[0] * up + ACROSS[0] * across,
  y + UP[1] * up + ACROSS[1] * across,
];

const CROSS = from(NOSE, -SPAR_AT, 0);
const TAIL = from(NOSE, -LENGTH, 0);

/** Path data of the mark: three panels and the tail in the text's colour, one panel in the accent. */
export interface Mark {
  readonly sail: string;
  readonly accent: string;
  readonly tail: string;
}

/** The struts are the gaps between the panels, wide enough to stay open at 16 pixels. */
export function mark(): Mark {
  const [right, left] = [from(CROSS, 0, HALF_SPAR), from(CROSS, 0, -HALF_SPAR)];
  const panel = (end: Point, side: Point, up: 1 | -1, across: 1 | -1) =>
    `M${[CROSS, end, side].map((point) => pair(from(point, up * HALF_GAP, across * HALF_GAP))).join('L')}z`;
  const end = from(TAIL, -HALF_GAP * 2, 0);
  return {
    sail: panel(NOSE, left, 1, -1) + panel(TAIL, left, -1, -1) + panel(TAIL, right, -1, 1),
    accent: panel(NOSE, right, 1, 1),
    tail: `M${pair(end)}c-1.5 2.6-3.4 .6-5 3.4`,
  };
}

const pair = (point: Point) => point.map((value) => Math.round(value * 100) / 100).join(' ');
