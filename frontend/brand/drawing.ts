import { corners, type Sail } from './sail.ts';
import { smooth } from './svg.ts';
import { mix, mixPoint, type Point } from './vector.ts';

/**
 * Tone of each band of cloth, from the crossing outwards, facet by facet from the upper right clockwise. 1 is the
 * lightest, 6 the darkest; a facet without a band is still open: only the plan shows it.
 */
export type Tones = readonly [upperRight: Bands, lowerRight: Bands, lowerLeft: Bands, upperLeft: Bands];
type Bands = readonly number[];

export interface DrawnKite {
  readonly kite: Sail;
  readonly tones: Tones;
  /** Spine, spar, and where the bridle meets the string; none: too far away to see any. */
  readonly knot?: Point;
  /** Where the tail ends. */
  readonly tailEnd?: Point;
  /** Draws what the kite is built from: axes, the spar's circle, the length of the spine with its end marks. */
  readonly plan?: true;
}

export interface Drawing {
  readonly kites: readonly DrawnKite[];
  /** Lines through the points given, from a knot to a hand. */
  readonly strings: readonly (readonly Point[])[];
  /** Streamlines, the same way. */
  readonly wind: readonly (readonly Point[])[];
}

/** Path data of a drawing, grouped by the class that colours it. Whole numbers: it is part of the page. */
export interface DrawingPaths {
  /** One path a tone, lightest first. */
  readonly tones: readonly string[];
  /** Struts, bridles, strings and tails. */
  readonly lines: string;
  /** Bows on the tails. */
  readonly bows: string;
  readonly wind: string;
  readonly plan: string;
}

/** Where bands of cloth are sewn together, as shares of the way from the crossing to the edge, by the number of bands. */
const SEAMS: readonly (readonly number[])[] = [[], [0, 1], [0, 0.58, 1], [0, 0.45, 0.76, 1], [0, 0.36, 0.62, 0.83, 1]];

const BOWS = 3;

export function drawingPaths({ kites, strings, wind }: Drawing): DrawingPaths {
  return {
    tones: [1, 2, 3, 4, 5, 6].map((tone) => kites.map((drawn) => cloth(drawn, tone)).join('')),
    lines: [
      ...kites.map(struts),
      ...strings.map(curved),
      ...kites.map(({ kite, tailEnd }) => (tailEnd ? curved(tail(kite, tailEnd)) : '')),
    ].join(''),
    bows: kites.map(({ kite, tailEnd }) => (tailEnd ? bows(tail(kite, tailEnd)) : '')).join(''),
    wind: wind.map(curved).join(''),
    plan: kites.map((drawn) => openFacets(drawn) + (drawn.plan ? construction(drawn.kite) : '')).join(''),
  };
}

/** The corners in the order of the facets: each facet lies between a corner and the next one. */
function rimOf(kite: Sail) {
  const { nose, right, tail: end, left, cross } = corners(kite);
  return { cross, rim: [nose, right, end, left] as const };
}

function cloth({ kite, tones }: DrawnKite, tone: number): string {
  const { cross, rim } = rimOf(kite);
  return tones
    .flatMap((bands, facet) =>
      bands.map((of, band) => {
        if (of !== tone) return '';
        const seams = SEAMS[bands.length] ?? [];
        return strip(cross, rim[facet] ?? cross, rim[(facet + 1) % 4] ?? cross, seams[band] ?? 0, seams[band + 1] ?? 1);
      }),
    )
    .join('');
}

/** A band of cloth between two seams; its edges sag towards the crossing as cloth does. */
function strip(cross: Point, a: Point, b: Point, inner: number, outer: number): string {
  const edge = (share: number) => {
    const [from, to] = [mixPoint(cross, a, share), mixPoint(cross, b, share)];
    return { from, to, pull: mixPoint(mixPoint(from, to, 0.5), cross, 0.085 * share) };
  };
  const [near, far] = [edge(inner), edge(outer)];
  const start = inner === 0 ? `M${pair(cross)}` : `M${pair(near.to)}Q${pair(near.pull)} ${pair(near.from)}`;
  return `${start}L${pair(far.from)}Q${pair(far.pull)} ${pair(far.to)}z`;
}

/** The outer edges of facets without cloth. */
function openFacets({ kite, tones }: DrawnKite): string {
  const { rim } = rimOf(kite);
  return tones
    .map((bands, facet) =>
      bands.length > 0 ? '' : `M${pair(rim[facet] ?? [0, 0])}L${pair(rim[(facet + 1) % 4] ?? [0, 0])}`,
    )
    .join('');
}

function struts({ kite, knot }: DrawnKite): string {
  if (!knot) return '';
  const { nose, right, tail: end, left, cross } = corners(kite);
  const bridle = `M${pair(mixPoint(nose, cross, 0.45))}L${pair(knot)} ${pair(mixPoint(cross, end, 0.36))}`;
  return `M${pair(nose)}L${pair(end)}M${pair(left)}L${pair(cross)} ${pair(right)}${bridle}`;
}

function construction(kite: Sail): string {
  const { nose, right, tail: end, left, cross } = corners(kite);
  const past = (from: Point, to: Point, share: number) => pair(mixPoint(from, to, share));
  const radius = Math.round(Math.hypot(right[0] - cross[0], right[1] - cross[1]));
  const offset = (point: Point): Point => [
    point[0] + 1.28 * (right[0] - cross[0]),
    point[1] + 1.28 * (right[1] - cross[1]),
  ];
  const ticks = [nose, cross, end]
    .map((point) => `M${past(point, offset(point), 0.9)}L${past(point, offset(point), 1.06)}`)
    .join('');
  return (
    `M${past(end, nose, 1.16)}L${past(nose, end, 1.06)}M${past(right, left, 1.3)}L${past(left, right, 1.36)}` +
    `M${pair([cross[0] - radius, cross[1]])}a${radius} ${radius} 0 1 1 ${radius * 2} 0a${radius} ${radius} 0 1 1 ${-radius * 2} 0` +
    `M${pair(offset(nose))}L${pair(offset(end))}${ticks}`
  );
}

/** The line of the tail: it sways a little to both sides on its way. */
function tail(kite: Sail, [endX, endY]: Point): readonly Point[] {
  const [x, y] = corners(kite).tail;
  return Array.from({ length: BOWS + 2 }, (_, step): Point => [
    mix(x, endX, step / (BOWS + 1)) + (step % 2 ? 22 : -8) * (step > 0 ? 1 : 0),
    mix(y, endY, step / (BOWS + 1)),
  ]);
}

const bows = (line: readonly Point[]) =>
  Array.from({ length: BOWS }, (_, at) => bow(line[at + 1] ?? [0, 0], line[at + 2] ?? [0, 0])).join('');

/** Two small kites, tip to tip, across the line. */
function bow(at: Point, next: Point): string {
  const angle = Math.atan2(next[1] - at[1], next[0] - at[0]);
  const place = (along: number, across: number): Point => [
    at[0] + along * Math.cos(angle) - across * Math.sin(angle),
    at[1] + along * Math.sin(angle) + across * Math.cos(angle),
  ];
  return [1, -1].map((side) => flat([at, place(-8, side * 15), place(2, side * 24), place(9, side * 13)])).join('');
}

const flat = (points: readonly Point[]) => `M${points.map(pair).join('L')}z`;
const curved = (points: readonly Point[]) =>
  smooth(points).replaceAll(/-?\d+\.\d+/g, (value) => String(Math.round(Number(value))));
const pair = ([x, y]: Point) => `${Math.round(x)} ${Math.round(y)}`;
