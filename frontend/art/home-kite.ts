import { corners, type Sail } from './sail.ts';
import { smooth } from './svg.ts';
import { mix, mixPoint, type Point } from './vector.ts';

/** Size of the home page's drawing, in units of its view box. */
export const HOME_KITE = { width: 640, height: 720 } as const;

const KITE: Sail = { at: [318, 268], size: 246, roll: 24, yaw: -16, pitch: 10 };
const FAR: Sail = { at: [70, 150], size: 38, roll: -18, yaw: 22, pitch: 12 };

/** Where the bands of cloth are sewn together, from the crossing to the edge. */
const SEAMS = [0, 0.36, 0.62, 0.83, 1] as const;

/** Tone of each band, facet by facet from the upper right clockwise; 1 is the lightest. */
const TONES: readonly (readonly number[])[] = [
  [3, 2, 3, 1],
  [4, 3, 4, 2],
  [6, 5, 6, 4],
  [5, 4, 1, 3],
];

/** Path data of the drawing, grouped by the class that colours it. */
export interface HomeKite {
  /** One path a tone, lightest first. */
  readonly tones: readonly string[];
  /** Struts, edge and bridle. */
  readonly struts: string;
  readonly string: string;
  /** Bows on the tail. */
  readonly bows: string;
  readonly wind: string;
  /** The drawing it was built from: axes, circles and measures. */
  readonly plan: string;
}

export function homeKite(): HomeKite {
  const { nose, right, tail, left, cross } = corners(KITE);
  const rim = [nose, right, tail, left];
  const tones = Array.from({ length: 6 }, (_, index) =>
    TONES.flatMap((bands, facet) =>
      bands.flatMap((tone, band) => {
        const [from, to] = [rim[facet] ?? cross, rim[(facet + 1) % 4] ?? cross];
        return tone === index + 1 ? [strip(cross, from, to, SEAMS[band] ?? 0, SEAMS[band + 1] ?? 1)] : [];
      }),
    ).join(''),
  );
  const knot: Point = [cross[0] + 92, cross[1] + 222];
  const far = corners(FAR);
  const line = tailLine(tail);
  return {
    tones: tones.map((path, index) => path + (index === 3 ? flat([far.nose, far.right, far.tail]) : index === 5 ? flat([far.nose, far.left, far.tail]) : '')),
    struts: `M${pair(nose)}L${pair(tail)}M${pair(left)}L${pair(cross)} ${pair(right)}M${pair(mixPoint(nose, cross, 0.45))}L${pair(knot)} ${pair(mixPoint(cross, tail, 0.36))}`,
    string: whole(smooth([knot, [500, 500], [528, 600], [520, 730]])) + whole(smooth(line)),
    bows: [1, 2, 3].map((at) => bow(line[at] ?? tail, line[at + 1] ?? tail)).join(''),
    wind: [0, 1, 2, 3].map(windLine).join(''),
    plan: plan(),
  };
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

/** A streamline that parts round the kite. */
function windLine(lane: number): string {
  const y = 76 + lane * 178;
  const points: readonly Point[] = [[-20, y + 70], [120, y + 26], [300, y + 54], [480, y - 22], [660, y - 6]];
  return whole(smooth(points));
}

/** Axes past the corners, the spar's circle, and the length of the spine with its end marks. */
function plan(): string {
  const { nose, right, tail, left, cross } = corners(KITE);
  const past = (from: Point, to: Point, share: number) => pair(mixPoint(from, to, share));
  const radius = Math.round(Math.hypot(right[0] - cross[0], right[1] - cross[1]));
  const offset = (point: Point): Point => [point[0] + 1.28 * (right[0] - cross[0]), point[1] + 1.28 * (right[1] - cross[1])];
  const ticks = [nose, cross, tail].map((point) => `M${past(point, offset(point), 0.9)}L${past(point, offset(point), 1.06)}`).join('');
  return (
    `M${past(tail, nose, 1.16)}L${past(nose, tail, 1.06)}M${past(right, left, 1.3)}L${past(left, right, 1.36)}` +
    `M${pair([cross[0] - radius, cross[1]])}a${radius} ${radius} 0 1 1 ${radius * 2} 0a${radius} ${radius} 0 1 1 ${-radius * 2} 0` +
    `M${pair(offset(nose))}L${pair(offset(tail))}${ticks}`
  );
}

const tailLine = ([x, y]: Point): readonly Point[] =>
  Array.from({ length: 5 }, (_, step): Point => [mix(x, x - 150, step / 4) + (step % 2 ? 22 : -8) * (step > 0 ? 1 : 0), mix(y, y + 190, step / 4)]);

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
const whole = (path: string) => path.replaceAll(/-?\d+\.\d+/g, (value) => String(Math.round(Number(value))));
const pair = ([x, y]: Point) => `${Math.round(x)} ${Math.round(y)}`;
