import type { Palette } from '../palette.ts';
import type { Scene } from '../stage.ts';
import { circle, curve, group, polygon, polyline } from '../svg.ts';
import { lit, normal, turn, type Attitude, type Point, type Point3 } from '../vector.ts';

const CENTRE: Point = [1160, 430];
const SIZE = 540;
const VIEW: Attitude = { yaw: 44, pitch: -30, roll: 14 };
const DEPTH = 2;

/** Corners of a regular tetrahedron; the edge from the first to the second is the ridge the cloth hangs from. */
const CORNERS: readonly Point3[] = [
  [-0.62, -0.44, 0],
  [0.62, -0.44, 0],
  [0, 0.44, 0.62],
  [0, 0.44, -0.62],
];

interface Cell {
  readonly corners: readonly Point3[];
  /** Position in the build: one digit a level. */
  readonly path: readonly number[];
}

/** Resource outsourcing: a kite of like cells, after Alexander Graham Bell, that grows or shrinks by as many as are needed. */
export const tetrahedra: Scene = {
  glow: [CENTRE, 720],
  wind: 13,
  draw(colours) {
    const cells = split({ corners: CORNERS, path: [] }, DEPTH).map((cell) => ({
      ...cell,
      corners: cell.corners.map((corner) => turn(apart(cell, corner), VIEW)),
    }));
    const sorted = cells.toSorted((a, b) => depth(a) - depth(b));
    return [guides(colours), ...sorted.map((cell) => drawCell(cell, colours)), string(colours)].join('');
  },
};

/** Replaces a tetrahedron by the four at its corners, `times` times. */
function split(cell: Cell, times: number): readonly Cell[] {
  if (times === 0) return [cell];
  return cell.corners.flatMap((corner, place) =>
    split({ corners: cell.corners.map((other) => middle(corner, other)), path: [...cell.path, place] }, times - 1),
  );
}

/** One quarter of the kite hangs free, on its way in. */
const DETACHED = 1;
const SHIFT: Point3 = [0.3, -0.06, 0.06];

const apart = ({ path }: Cell, point: Point3): Point3 =>
  path[0] === DETACHED ? [point[0] + SHIFT[0], point[1] + SHIFT[1], point[2] + SHIFT[2]] : point;
const middle = (a: Point3, b: Point3): Point3 => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
const depth = ({ corners }: Cell) => corners.reduce((sum, [, , z]) => sum + z, 0);

const flat = ([x, y, z]: Point3): Point => {
  const scale = SIZE / (1 - z * 0.28);
  return [CENTRE[0] + (x - 0.1) * scale, CENTRE[1] + y * scale];
};

/** Six spars, and cloth on the two faces that share the ridge. */
function drawCell({ corners, path }: Cell, colours: Palette): string {
  const [a, b, c, d] = corners as [Point3, Point3, Point3, Point3];
  const [ap, bp, cp, dp] = corners.map(flat) as [Point, Point, Point, Point];
  const warm = path[0] === path[1];
  const face = (third: Point3, point: Point) => {
    const light = 0.16 + 0.66 * lit(normal(a, b, third));
    return { z: third[2], drawn: polygon([ap, bp, point], { fill: colours.cloth(light, warm), 'fill-opacity': 0.96 }) };
  };
  const faces = [face(c, cp), face(d, dp)].toSorted((one, other) => one.z - other.z);
  return group({ stroke: colours.line, 'stroke-width': 1.3, 'stroke-linejoin': 'round', 'stroke-opacity': 0.75 }, [
    faces[0]?.drawn ?? '',
    polyline([cp, dp], {}),
    faces[1]?.drawn ?? '',
  ]);
}

/** Dotted lines from the free quarter's corners to where they will sit. */
function guides(colours: Palette): string {
  const ends = CORNERS.map((corner) => middle(CORNERS[DETACHED] ?? corner, corner));
  return group(
    {
      stroke: colours.line,
      'stroke-opacity': 0.75,
      'stroke-width': 1.6,
      'stroke-dasharray': '2 8',
      'stroke-linecap': 'round',
    },
    ends.map((end) =>
      polyline(
        [flat(turn(end, VIEW)), flat(turn([end[0] + SHIFT[0], end[1] + SHIFT[1], end[2] + SHIFT[2]], VIEW))],
        {},
      ),
    ),
  );
}

function string(colours: Palette): string {
  const [x, y] = flat(turn([0, 0.44, 0.62], VIEW));
  return (
    curve(
      [
        [x, y],
        [x - 30, y + 130],
        [x + 30, y + 300],
      ],
      { stroke: colours.paper, 'stroke-width': 2 },
    ) + circle([x, y], 5, { fill: colours.paper })
  );
}
