import { random } from '../random.ts';
import { corners, sail, type Sail } from '../sail.ts';
import type { Palette } from '../palette.ts';
import type { Scene } from '../stage.ts';
import { curve, group, polyline } from '../svg.ts';
import { mixPoint, ramp, type Point } from '../vector.ts';

/** The formation as a whole: itself a kite. */
const FORMATION: Sail = { at: [1196, 370], size: 396, roll: 28, yaw: -14, pitch: 10 };
const STEPS = 6;

interface Agent extends Sail {
  /** 0 still on its way, 1 in its place. */
  readonly settled: number;
}

/** Agentic AI: many small kites with no string, each holding its place by its neighbours; together they fly as one. */
export const swarm: Scene = {
  glow: [[1200, 360], 720],
  wind: 7,
  draw(colours) {
    const agents = [...formation(), ...arriving()];
    return [
      links(agents, colours),
      ...agents.toSorted((a, b) => a.size - b.size).flatMap((agent) => [trail(agent, colours), sail(agent, colours)]),
    ].join('');
  },
};

/** A place on each crossing of a grid laid over the four facets of the formation. */
function formation(): readonly Agent[] {
  const next = random(5);
  const { nose, right, tail, left, cross } = corners(FORMATION);
  const rims: readonly (readonly [Point, Point])[] = [
    [nose, right],
    [right, tail],
    [tail, left],
    [left, nose],
  ];
  return rims.flatMap(([from, to], side) =>
    Array.from({ length: STEPS + 1 }, (_, ring) =>
      Array.from({ length: ring }, (_, place): Agent => {
        const rim = mixPoint(from, to, ring === 0 ? 0 : place / ring);
        const at = mixPoint(cross, rim, ring / STEPS);
        const jitter = 5 + ring;
        return {
          at: [at[0] + (next() - 0.5) * jitter, at[1] + (next() - 0.5) * jitter],
          size: 24 + next() * 10 + (ring === STEPS ? 5 : 0),
          roll: 24 + (next() - 0.5) * 16,
          yaw: [26, 8, -26, -8][side]! + (next() - 0.5) * 18,
          pitch: 14,
          warm: ring === STEPS ? next() > 0.45 : next() > 0.88,
          settled: 1,
        };
      }),
    ).flat(),
  );
}

/** Those that still come in, from the lower right, on curved paths. */
function arriving(): readonly Agent[] {
  const next = random(17);
  return Array.from({ length: 26 }, (_, index): Agent => {
    const share = index / 25;
    const lane = next() - 0.5;
    return {
      at: [920 + share * 560 + lane * 60, 838 - Math.sin(share * Math.PI * 0.5) * 190 + lane * 170],
      size: 11 + next() * 12,
      roll: -38 - share * 34 + lane * 20,
      yaw: -20 + lane * 40,
      pitch: 20,
      warm: next() > 0.8,
      settled: 0,
    };
  });
}

/** What keeps the formation: a thin line to every near neighbour. */
function links(agents: readonly Agent[], colours: Palette): string {
  const settled = agents.filter((agent) => agent.settled === 1);
  const lines = settled.flatMap((a, index) =>
    settled.slice(index + 1).flatMap((b) => {
      const distance = Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]);
      return distance < 92
        ? [polyline([a.at, b.at], { 'stroke-opacity': 0.34 * (1 - ramp(distance, 40, 96)) + 0.06 })]
        : [];
    }),
  );
  return group({ stroke: colours.line, 'stroke-width': 1.1 }, lines);
}

function trail({ at: [x, y], settled, size }: Agent, colours: Palette): string {
  if (settled === 1) return '';
  const reach = size * 3.4;
  return curve(
    [
      [x, y],
      [x + reach * 0.5, y + reach * 0.34],
      [x + reach * 1.2, y + reach * 0.5],
    ],
    { stroke: colours.line, 'stroke-opacity': 0.3, 'stroke-width': 1.1 },
  );
}
