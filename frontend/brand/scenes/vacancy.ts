import { corners, sail, shadow, type Sail } from '../sail.ts';
import type { Palette } from '../palette.ts';
import type { Scene } from '../stage.ts';
import { circle, curve, polyline } from '../svg.ts';
import { mixPoint, type Point } from '../vector.ts';

const HAND: Point = [1560, 1010];
const POSE = { roll: -14, yaw: 18, pitch: 14 } as const;

/** A client's team in the air: two rows that sit in each other's gaps; two places are open. */
const PLACES: readonly (readonly [x: number, y: number, size: number])[] = [
  [838, 384, 104],
  [1010, 246, 112],
  [1196, 152, 118],
  [1392, 130, 122],
  [1016, 506, 112],
  [1194, 392, 120],
  [1384, 342, 126],
];
const OPEN: readonly { readonly place: number; readonly from: Point }[] = [
  { place: 5, from: [1300, 640] },
  { place: 0, from: [876, 690] },
];

/** Staff augmentation: your team flies in formation, and ours take the places that are free. */
export const vacancy: Scene = {
  glow: [[1210, 360], 760],
  wind: 21,
  draw(colours) {
    const open = new Set(OPEN.map(({ place }) => place));
    const team = PLACES.flatMap(([x, y, size], place): readonly Sail[] =>
      open.has(place) ? [] : [{ at: [x, y], size, ...POSE, warm: true, seams: 3 }],
    );
    return [
      ...team.map((kite) => curve(string(kite), { stroke: colours.line, 'stroke-width': 1.3, 'stroke-opacity': 0.55 })),
      ...team.flatMap((kite) => [shadow(kite, 46), sail({ ...kite, exposure: 0.94 }, colours)]),
      ...OPEN.map((newcomer) => joining(newcomer, colours)),
    ].join('');
  },
};

const string = (kite: Sail): readonly Point[] => {
  const { cross, tail } = corners(kite);
  const [x, y] = mixPoint(cross, tail, 0.34);
  return [[x, y], [(x * 2 + HAND[0]) / 3 - 24, (y + HAND[1]) / 2 - 20], HAND];
};

/** The free place in outline, the newcomer in colour, and the path between. */
function joining({ place, from }: (typeof OPEN)[number], colours: Palette): string {
  const [x, y, size] = PLACES[place] ?? [0, 0, 0];
  const free: Sail = { at: [x, y], size, ...POSE, outline: true, opacity: 0.6 };
  const kite: Sail = { at: from, size: size * 1.02, roll: POSE.roll + 26, yaw: 30, pitch: 10, seams: 4, exposure: 0.8 };
  const path: readonly Point[] = [from, [(from[0] + x) / 2 + 34, (from[1] + y) / 2 + 10], [x, y]];
  return [
    sail(free, colours),
    curve(path, {
      stroke: colours.cloth(0.66),
      'stroke-width': 2.4,
      'stroke-dasharray': '2 9',
      'stroke-linecap': 'round',
    }),
    circle([x, y], 5, { fill: colours.cloth(0.66) }),
    curve(string(kite), { stroke: colours.cloth(0.7), 'stroke-width': 1.8 }),
    shadow(kite, 50),
    sail(kite, colours),
    polyline([corners(kite).cross, mixPoint(corners(kite).cross, corners(kite).tail, 0.34)], {
      stroke: colours.paper,
      'stroke-width': 1.4,
    }),
  ].join('');
}
