import type { Palette } from '../palette.ts';
import { sail } from '../sail.ts';
import type { Scene } from '../stage.ts';
import { circle, curve, group, polygon, polyline } from '../svg.ts';
import { lit, turn, type Attitude, type Point, type Point3 } from '../vector.ts';

const CENTRE: Point = [1190, 452];
const RADIUS = 318;
const PHI = (1 + Math.sqrt(5)) / 2;
const TILT: Attitude = { yaw: 14, pitch: -16, roll: 9 };

/** Software outsourcing: a globe made of sixty kites (a deltoidal hexecontahedron), with routes between its faces. */
export const hexecontahedron: Scene = {
  glow: [CENTRE, 700],
  wind: 9,
  draw(colours) {
    const faces = kites().map((face) => face.map((point) => turn(point, TILT)));
    const front = faces.filter((face) => facing(face) > 0.02).map((face) => facet(face, colours));
    return [
      ...back(faces, colours),
      circle(CENTRE, RADIUS * 1.14, { fill: 'none', stroke: colours.line, 'stroke-opacity': 0.16 }),
      ...front,
      ...routes(colours),
    ].join('');
  },
};

const project = ([x, y, z]: Point3, radius = RADIUS): Point => {
  const scale = radius / (1 - z * 0.12);
  return [CENTRE[0] + x * scale, CENTRE[1] + y * scale];
};

function unit([x, y, z]: Point3): Point3 {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

const middle = (points: readonly Point3[]): Point3 =>
  unit(points.reduce<Point3>((sum, point) => [sum[0] + point[0], sum[1] + point[1], sum[2] + point[2]], [0, 0, 0]));

const facing = (face: readonly Point3[]) => middle(face)[2];

function back(faces: readonly (readonly Point3[])[], colours: Palette): readonly string[] {
  return [
    circle(CENTRE, RADIUS * 1.005, { fill: colours.ground, 'fill-opacity': 0.55 }),
    ...faces.map((face) =>
      polygon(
        face.map((point) => project(point)),
        { fill: 'none', stroke: colours.line, 'stroke-opacity': 0.1 },
      ),
    ),
  ];
}

/** One kite of the globe, split along its axis; the night side keeps only its frame. */
function facet(face: readonly Point3[], colours: Palette): string {
  const [nose, left, tail, right] = face as [Point3, Point3, Point3, Point3];
  const [n, l, t, r] = face.map((point) => project(point)) as [Point, Point, Point, Point];
  const light = (half: readonly Point3[]) => 0.06 + 0.94 * lit(middle(half)) ** 1.1;
  const warm = Math.abs(Math.round(nose[0] * 7 + nose[1] * 13 + tail[1] * 5 + left[2] * 3)) % 6 === 0;
  return group({}, [
    polygon([n, l, t], { fill: colours.cloth(light([nose, left, tail]) - 0.03, warm) }),
    polygon([n, r, t], { fill: colours.cloth(light([nose, right, tail]) + 0.03, warm) }),
    polygon([n, l, t, r], { fill: 'none', stroke: colours.ground, 'stroke-width': 2.4, 'stroke-linejoin': 'round' }),
    polyline([n, t], { stroke: colours.line, 'stroke-opacity': 0.4 }),
  ]);
}

/** Arcs that leave the globe and land elsewhere on it, each with a kite on its way. */
function routes(colours: Palette): readonly string[] {
  const ends: readonly (readonly [Point3, Point3, number])[] = [
    [[-0.82, 0.25, 0.5], [0.4, -0.6, 0.69], 0.4],
    [[-0.44, -0.62, 0.64], [0.9, 0.1, 0.42], 0.66],
    [[-0.62, 0.62, 0.48], [0.8, 0.46, 0.38], 0.5],
    [[-0.96, 0.12, 0.1], [0.16, -0.98, 0.1], 0.55],
  ];
  return ends.map(([from, to, where], route) => {
    const [start, end] = [unit(from), unit(to)];
    const path = Array.from({ length: 25 }, (_, index): Point => {
      const share = index / 24;
      return project(between(start, end, share), RADIUS * (1.01 + 0.2 * Math.sin(share * Math.PI)));
    });
    const at = path[Math.round(where * 24)] ?? CENTRE;
    const ahead = path[Math.round(where * 24) + 1] ?? CENTRE;
    const roll = (Math.atan2(ahead[1] - at[1], ahead[0] - at[0]) * 180) / Math.PI + 90;
    return group({}, [
      curve(path, { stroke: colours.paper, 'stroke-width': 2.2, 'stroke-opacity': 0.9 }),
      ...[path[0], path.at(-1)].map((point) => circle(point ?? CENTRE, 5, { fill: colours.paper })),
      sail({ at, size: [42, 54, 34, 30][route] ?? 40, roll, yaw: 22, pitch: -14, warm: route % 2 === 0 }, colours),
    ]);
  });
}

/** Point on the great circle from one point to another. */
function between(from: Point3, to: Point3, share: number): Point3 {
  const angle = Math.acos(from[0] * to[0] + from[1] * to[1] + from[2] * to[2]);
  const [a, b] = [Math.sin((1 - share) * angle), Math.sin(share * angle)];
  return unit([from[0] * a + to[0] * b, from[1] * a + to[1] * b, from[2] * a + to[2] * b]);
}

/** The sixty kites: for each corner of an icosahedron's face, that corner, two edge middles and the face's middle. */
function kites(): readonly (readonly Point3[])[] {
  const vertices = [-1, 1]
    .flatMap((a) =>
      [-PHI, PHI].flatMap((b): readonly Point3[] => [
        [0, a, b],
        [a, b, 0],
        [b, 0, a],
      ]),
    )
    .map(unit);
  const near = (p: Point3, q: Point3) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < 1.2;
  return vertices.flatMap((a, i) =>
    vertices.slice(i + 1).flatMap((b, j) =>
      vertices.slice(i + j + 2).flatMap((c) => {
        if (!near(a, b) || !near(b, c) || !near(a, c)) return [];
        const face = middle([a, b, c]);
        return [
          [a, b, c],
          [b, c, a],
          [c, a, b],
        ].map(([p, q, r]) => [p, middle([p, q] as Point3[]), face, middle([p, r] as Point3[])] as readonly Point3[]);
      }),
    ),
  );
}
