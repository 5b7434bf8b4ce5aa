import type { Palette } from '../palette.ts';
import type { Scene } from '../stage.ts';
import { circle, curve, group, polygon, polyline } from '../svg.ts';
import { mix, polar, radians, type Point } from '../vector.ts';

const CENTRE: Point = [1190, 430];

interface Rosette {
  readonly at: Point;
  readonly arms: number;
  readonly rings: number;
  readonly inner: number;
  readonly outer: number;
  /** Degrees that it is turned by. */
  readonly spin: number;
}

const CUSTOMER: Rosette = { at: CENTRE, arms: 14, rings: 6, inner: 20, outer: 262, spin: 4 };
const RELATED: readonly Rosette[] = [
  { at: [1518, 208], arms: 9, rings: 3, inner: 12, outer: 74, spin: 12 },
  { at: [1500, 704], arms: 10, rings: 4, inner: 10, outer: 92, spin: 30 },
  { at: [836, 180], arms: 8, rings: 3, inner: 10, outer: 58, spin: 0 },
  { at: [866, 742], arms: 9, rings: 3, inner: 10, outer: 66, spin: 20 },
  { at: [1216, 66], arms: 7, rings: 2, inner: 9, outer: 40, spin: 8 },
];

/** Dynamics CRM: one customer in the middle, every relation to them a kite, and the others they lead to. */
export const rosette: Scene = {
  glow: [CENTRE, 720],
  draw(colours) {
    const orbits = [318, 372, 438].map((r, index) =>
      circle(CENTRE, r, {
        fill: 'none',
        stroke: colours.line,
        'stroke-opacity': 0.22 - index * 0.05,
        'stroke-dasharray': index === 1 ? '2 9' : undefined,
        'stroke-width': 1.3,
      }),
    );
    return [
      ...orbits,
      ...RELATED.map((other) => relation(other, colours)),
      bloom(CUSTOMER, colours),
      ...RELATED.map((other) => bloom(other, colours)),
    ].join('');
  },
};

/** Three close lines from the customer to another, with a bead on each. */
function relation({ at, outer }: Rosette, colours: Palette): string {
  const [dx, dy] = [at[0] - CENTRE[0], at[1] - CENTRE[1]];
  const distance = Math.hypot(dx, dy);
  const across: Point = [-dy / distance, dx / distance];
  return [-1, 0, 1]
    .map((lane) => {
      const bend = lane * 34;
      const point = (share: number): Point => {
        const along = mix(CUSTOMER.outer, distance - outer, share) / distance;
        const off = bend * Math.sin(share * Math.PI);
        return [CENTRE[0] + dx * along + across[0] * off, CENTRE[1] + dy * along + across[1] * off];
      };
      const bead = point(0.5 + lane * 0.22);
      return (
        curve([0, 0.25, 0.5, 0.75, 1].map(point), {
          stroke: colours.line,
          'stroke-width': lane === 0 ? 1.8 : 1,
          'stroke-opacity': lane === 0 ? 0.75 : 0.4,
        }) + circle(bead, lane === 0 ? 4.5 : 3, { fill: colours.paper })
      );
    })
    .join('');
}

/** Rings of kites that fit without a gap, each split along its axis and lit from the upper right. */
function bloom({ at, arms, rings, inner, outer, spin }: Rosette, colours: Palette): string {
  const radius = (ring: number) => inner * (outer / inner) ** (ring / rings);
  const turn = 360 / arms;
  const kites = Array.from({ length: rings * arms }, (_, index) => {
    const [ring, arm] = [Math.floor(index / arms), index % arms];
    return { ring, arm, angle: spin + turn * (arm + (ring % 2) / 2) };
  });
  return (
    kites
      .map(({ ring, arm, angle }) => {
        const foot = polar(at, ring === 0 ? 0 : radius(ring - 1), angle);
        const tip = polar(at, radius(ring + 1), angle);
        const left = polar(at, radius(ring), angle - turn / 2);
        const right = polar(at, radius(ring), angle + turn / 2);
        const light = (offset: number) =>
          0.44 + 0.34 * Math.cos(radians(angle + offset + 52)) + 0.07 * (ring % 2) - 0.03 * (rings - ring);
        const warm = (arm * 5 + ring * 3) % 11 === 0;
        return group({}, [
          polygon([foot, left, tip], { fill: colours.cloth(light(-34), warm) }),
          polygon([foot, right, tip], { fill: colours.cloth(light(34), warm) }),
          polygon([foot, left, tip, right], {
            fill: 'none',
            stroke: colours.ground,
            'stroke-width': 1.6,
            'stroke-linejoin': 'round',
          }),
          polyline([foot, tip], { stroke: colours.line, 'stroke-width': 0.9, 'stroke-opacity': 0.5 }),
        ]);
      })
      .join('') + circle(at, inner * 0.62, { fill: colours.paper })
  );
}
