import { corners, sail, shadow, type Sail } from '../sail.ts';
import type { Scene } from '../stage.ts';
import { circle, curve, element, polyline } from '../svg.ts';
import { mix, mixPoint, ramp, type Point } from '../vector.ts';

const COUNT = 11;

/** Where the line runs, from the leader down to the hand that holds it. */
const LINE: readonly Point[] = [
  [930, 292],
  [1090, 178],
  [1290, 150],
  [1450, 252],
  [1476, 420],
  [1376, 548],
  [1270, 640],
  [1290, 760],
  [1420, 850],
  [1560, 930],
];

/** Dedicated teams: a train of kites on one line, each pulling the next, led by the largest. */
export const kiteTrain: Scene = {
  glow: [[1180, 330], 780],
  wind: 4,
  draw(colours) {
    const train = members().toReversed();
    const line = [...LINE.slice(-1), ...train.map(bridle)];
    const tails = train
      .map((kite, index) => tail(kite, index))
      .map((points) =>
        curve(points, { stroke: colours.cloth(0.8, true), 'stroke-width': 1.6, 'stroke-opacity': 0.75 }),
      );
    return [
      curve(line, { stroke: colours.paper, 'stroke-width': 2, 'stroke-opacity': 0.9 }),
      ...train.flatMap((kite, index) => [
        shadow(kite, kite.size * 0.35),
        tails[index] ?? '',
        sail(kite, colours),
        knot(kite),
      ]),
    ].join('');

    function knot(kite: Sail): string {
      const { cross, tail: end } = corners(kite);
      const at = mixPoint(cross, end, 0.34);
      return element(
        'g',
        {},
        polyline([cross, at], { stroke: colours.paper, 'stroke-width': 1.2 }),
        circle(at, Math.max(2, kite.size * 0.03), { fill: colours.paper }),
      );
    }
  },
};

/** The kites from the leader down, each as far from the next as their sizes ask. */
function members(): readonly Sail[] {
  const path = LINE.slice(1).flatMap((end, index) => {
    const start = LINE[index] ?? end;
    return Array.from({ length: 40 }, (_, step) => mixPoint(start, end, step / 40));
  });
  const kites: Sail[] = [];
  let place = 0;
  for (let index = 0; index < COUNT; index++) {
    const size = 158 * 0.84 ** index;
    const at = path[place] ?? LINE[0] ?? [0, 0];
    const share = index / (COUNT - 1);
    kites.push({
      at,
      size,
      roll: mix(-30, 26, ramp(share, 0, 1)) + 7 * Math.sin(index * 1.9),
      yaw: mix(30, -34, share) + (index % 2 ? 8 : -8),
      pitch: 18,
      warm: index % 4 === 1 ? true : index % 4 === 3 ? 'half' : false,
      seams: size > 90 ? 3 : size > 60 ? 2 : 0,
    });
    const gap = size * 1.5;
    while (
      place < path.length - 1 &&
      Math.hypot((path[place]?.[0] ?? 0) - at[0], (path[place]?.[1] ?? 0) - at[1]) < gap
    )
      place++;
  }
  return kites;
}

const bridle = (kite: Sail): Point => {
  const { cross, tail: end } = corners(kite);
  return mixPoint(cross, end, 0.34);
};

function tail(kite: Sail, index: number): readonly Point[] {
  const {
    tail: [x, y],
  } = corners(kite);
  const reach = kite.size * 1.1;
  return Array.from({ length: 6 }, (_, step): Point => {
    const share = step / 5;
    return [x - reach * 0.75 * share, y + reach * 0.62 * share + kite.size * 0.12 * Math.sin(share * 8 + index)];
  });
}
