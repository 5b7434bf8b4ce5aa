import type { Palette } from '../palette.ts';
import type { Scene } from '../stage.ts';
import { circle, element, group, polygon, polyline } from '../svg.ts';
import { mixPoint, polar, type Point } from '../vector.ts';

/** The plan of a kite seen from above: corners in plan units, the spars' crossing at 0, 0. */
const PLAN = {
  nose: [0, -1.05],
  right: [0.95, 0],
  tail: [0, 2],
  left: [-0.95, 0],
  cross: [0, 0],
} as const satisfies Record<string, Point>;
const SCALE = 170;
const ORIGIN: Point = [1170, 668];

/** Height of each layer above the sheet. */
const [SHEET, FRAME, CLOTH] = [0, 180, 392];

/** Where a point of the plan lies on the picture, `height` above the sheet. */
const lift = ([u, v]: Point, height: number): Point => [
  ORIGIN[0] + (u * 0.94 + (v - 0.4) * 0.46) * SCALE,
  ORIGIN[1] + (u * 0.36 - (v - 0.4) * 0.52) * SCALE - height,
];

/** Custom software: the drawing, the frame built to it, and the cloth that makes it fly, lifted apart. */
export const explodedPlan: Scene = {
  glow: [[1190, 420], 720],
  draw: (colours) => [sheet(colours), guides(colours), frame(colours), cloth(colours)].join(''),
};

const SIDES = [
  ['nose', 'right'],
  ['right', 'tail'],
  ['tail', 'left'],
  ['left', 'nose'],
] as const;

const quad = (height: number) => [PLAN.nose, PLAN.right, PLAN.tail, PLAN.left].map((point) => lift(point, height));

/** The blueprint: a grid, the kite in outline, its circles, angles and measures. */
function sheet(colours: Palette): string {
  const [left, right, top, bottom] = [-1.5, 1.5, -1.5, 2.3];
  const corner = (u: number, v: number) => lift([u, v], SHEET);
  const edge = [corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)];
  const count = 16;
  const grid = Array.from({ length: count + 1 }, (_, index) => index / count).flatMap((share) => [
    polyline([corner(left + (right - left) * share, top), corner(left + (right - left) * share, bottom)], {}),
    polyline([corner(left, top + (bottom - top) * share), corner(right, top + (bottom - top) * share)], {}),
  ]);
  const ring = (radius: number, from = 0, to = 360) =>
    polyline(
      Array.from({ length: 49 }, (_, index) => lift(polar([0, 0], radius, from + ((to - from) * index) / 48), SHEET)),
      {},
    );
  const measure = (a: Point, b: Point, off: Point) => {
    const [from, to] = [lift([a[0] + off[0], a[1] + off[1]], SHEET), lift([b[0] + off[0], b[1] + off[1]], SHEET)];
    const witness = [a, b].map((end, index) =>
      polyline([lift(end, SHEET), index === 0 ? from : to], { 'stroke-dasharray': '3 5' }),
    );
    return [
      polyline([from, to], {}),
      ...witness,
      circle(from, 3, { fill: colours.line }),
      circle(to, 3, { fill: colours.line }),
    ].join('');
  };
  return group({ stroke: colours.line, fill: 'none' }, [
    element(
      'g',
      { filter: 'url(#soft)', opacity: 0.5, stroke: 'none' },
      polygon(
        edge.map(([x, y]): Point => [x - 14, y + 26]),
        { fill: '#050a14' },
      ),
    ),
    polygon(edge, { fill: colours.cloth(0.1), 'stroke-opacity': 0.55, 'stroke-width': 1.4 }),
    group({ 'stroke-opacity': 0.13 }, grid),
    group({ 'stroke-opacity': 0.55, 'stroke-width': 1.2 }, [
      ring(0.95),
      ring(0.32, -90, 0),
      ring(1.05, 190, 350),
      measure(PLAN.left, PLAN.right, [0, -1.3]),
      measure(PLAN.nose, PLAN.tail, [1.3, 0]),
    ]),
    group({ 'stroke-opacity': 0.95, 'stroke-width': 2 }, [
      polygon(quad(SHEET), {}),
      polyline([lift(PLAN.nose, SHEET), lift(PLAN.tail, SHEET)], {}),
      polyline([lift(PLAN.left, SHEET), lift(PLAN.right, SHEET)], {}),
    ]),
  ]);
}

/** Dotted verticals from the drawing up through the frame to the cloth. */
const guides = (colours: Palette) =>
  group(
    {
      stroke: colours.line,
      'stroke-opacity': 0.6,
      'stroke-width': 1.3,
      'stroke-dasharray': '2 7',
      'stroke-linecap': 'round',
    },
    Object.values(PLAN).map((point) => polyline([lift(point, SHEET), lift(point, CLOTH)], {})),
  );

function frame(colours: Palette): string {
  const spar = (from: Point, to: Point) => {
    const [a, b] = [lift(from, FRAME), lift(to, FRAME)];
    const under = (point: Point): Point => [point[0], point[1] + 4];
    return (
      polyline([under(a), under(b)], {
        stroke: colours.cloth(0.16, true),
        'stroke-width': 10,
        'stroke-linecap': 'round',
      }) + polyline([a, b], { stroke: colours.cloth(0.82, true), 'stroke-width': 7, 'stroke-linecap': 'round' })
    );
  };
  return group({}, [
    polygon(quad(FRAME), { fill: 'none', stroke: colours.line, 'stroke-width': 1.8 }),
    spar(PLAN.nose, PLAN.tail),
    spar(PLAN.left, PLAN.right),
    ...Object.values(PLAN).map((point) =>
      circle(lift(point, FRAME), 9, { fill: colours.cloth(0.62), stroke: colours.paper, 'stroke-width': 2.4 }),
    ),
  ]);
}

/** The four pieces of cloth, a finger apart, each at its own slope to the light. */
function cloth(colours: Palette): string {
  const light = [0.8, 0.62, 0.3, 0.46];
  const pieces = SIDES.map(([from, to], index) => {
    const [a, b] = [PLAN[from], PLAN[to]];
    const apart: Point = [(a[0] + b[0]) * 0.07, (a[1] + b[1]) * 0.07];
    const place = (point: Point, height: number) => lift([point[0] + apart[0], point[1] + apart[1]], CLOTH + height);
    const shape = [place(PLAN.cross, 26), place(a, 0), place(b, 0)] as const;
    const seams = [0.2, 0.4, 0.6, 0.8].map((share) =>
      polyline([mixPoint(shape[0], shape[1], share), mixPoint(shape[0], shape[2], share)], {
        stroke: colours.cloth((light[index] ?? 0) + 0.14, index === 3),
        'stroke-opacity': 0.8,
      }),
    );
    return {
      drop: polygon(
        shape.map(([x, y]): Point => [x, y + 150]),
        { fill: '#050a14' },
      ),
      piece: polygon(shape, { fill: colours.cloth(light[index] ?? 0, index === 3) }) + seams.join(''),
    };
  });
  return [
    element('g', { filter: 'url(#soft)', opacity: 0.3 }, ...pieces.map(({ drop }) => drop)),
    ...[3, 2, 0, 1].map((index) => pieces[index]?.piece ?? ''),
    ...Object.values(PLAN).map((point) => circle(lift(point, CLOTH), 3, { fill: colours.paper })),
  ].join('');
}
