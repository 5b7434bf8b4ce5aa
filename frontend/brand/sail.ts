import type { Palette } from './palette.ts';
import { circle, element, group, polygon, polyline } from './svg.ts';
import { lit, mixPoint, normal, turn, type Attitude, type Point, type Point3 } from './vector.ts';

/** The kite of the house at size 1: nose up, spars crossing above the middle, wings bent back. */
const NOSE: Point3 = [0, -1, 0];
const WING: Point3 = [0.66, -0.3, -0.24];
const TAIL: Point3 = [0, 1.12, 0];
const CROSS: Point3 = [0, -0.3, 0.06];

export interface Sail extends Attitude {
  readonly at: Point;
  /** Distance from the middle to the nose, in picture units. */
  readonly size: number;
  /** Cream cloth instead of coloured: all of it, or only the two facets on a diagonal. */
  readonly warm?: boolean | 'half';
  /** Seams sewn across the cloth, for large kites. */
  readonly seams?: number;
  readonly opacity?: number;
  /** Lines only: a kite that is still a plan. */
  readonly outline?: boolean;
  /** Makes the kite catch less (below 1) or more light. */
  readonly exposure?: number;
}

/** Corners of a flying kite as the picture sees them. */
export interface Corners {
  readonly nose: Point;
  readonly right: Point;
  readonly tail: Point;
  readonly left: Point;
  readonly cross: Point;
}

const flat = ([x, y, z]: Point3, { at, size }: Sail): Point => {
  const perspective = size / (1 - z * 0.16);
  return [at[0] + x * perspective, at[1] + y * perspective];
};

const spatial = (sail: Sail) => {
  const [nose, right, tail, left, cross] = [NOSE, WING, TAIL, [-WING[0], WING[1], WING[2]] as Point3, CROSS].map(
    (point) => turn(point, sail),
  ) as [Point3, Point3, Point3, Point3, Point3];
  return { nose, right, tail, left, cross };
};

export function corners(sail: Sail): Corners {
  const { nose, right, tail, left, cross } = spatial(sail);
  return {
    nose: flat(nose, sail),
    right: flat(right, sail),
    tail: flat(tail, sail),
    left: flat(left, sail),
    cross: flat(cross, sail),
  };
}

/** A kite: four facets of cloth, each as bright as it faces the light, two struts, seams and joints. */
export function sail(kite: Sail, colours: Palette): string {
  const space = spatial(kite);
  const plan = corners(kite);
  const { size, outline = false, warm = false, exposure = 1, seams = 0, opacity } = kite;
  const stroke = Math.max(0.7, size * 0.011);
  const facets = (
    [
      ['nose', 'right', true],
      ['right', 'tail', false],
      ['tail', 'left', true],
      ['left', 'nose', false],
    ] as const
  ).map(([from, to, diagonal]) => {
    const corner: readonly Point[] = [plan.cross, plan[from], plan[to]];
    if (outline) return polygon(corner, { fill: 'none', stroke: colours.line, 'stroke-width': stroke });
    const light = (0.1 + 0.92 * lit(normal(space.cross, space[from], space[to]))) * exposure;
    const colour = colours.cloth(light, warm === 'half' ? diagonal : warm);
    const cloth = polygon(corner, { fill: colour, stroke: colour, 'stroke-width': 0.6, 'stroke-linejoin': 'round' });
    return (
      cloth + seamLines(corner, seams, colours.cloth(light + 0.14, warm === 'half' ? diagonal : warm), stroke * 0.6)
    );
  });
  const struts = polyline([plan.nose, plan.tail], {}) + polyline([plan.left, plan.cross, plan.right], {});
  const joints = [plan.nose, plan.right, plan.tail, plan.left, plan.cross]
    .map((point) => circle(point, stroke * 1.5, {}))
    .join('');
  return group({ opacity }, [
    ...facets,
    group(
      { stroke: colours.line, 'stroke-width': stroke, 'stroke-linecap': 'round', 'stroke-opacity': outline ? 1 : 0.75 },
      [struts],
    ),
    size > 34 ? group({ fill: colours.paper }, [joints]) : '',
  ]);
}

/** Lines parallel to the outer edge of a facet, as cloth is sewn. */
function seamLines([cross, from, to]: readonly Point[], count: number, stroke: string, width: number): string {
  if (!cross || !from || !to) return '';
  return Array.from({ length: count }, (_, index) => {
    const share = (index + 1) / (count + 1);
    return polyline([mixPoint(cross, from, share), mixPoint(cross, to, share)], {
      stroke,
      'stroke-width': width,
      'stroke-opacity': 0.7,
    });
  }).join('');
}

/** A soft shadow of the kite's outline, fallen `drop` units down and to the left. Needs the stage's blur. */
export function shadow(kite: Sail, drop: number): string {
  const { nose, right, tail, left } = corners({ ...kite, at: [kite.at[0] - drop * 0.55, kite.at[1] + drop] });
  return element('g', { filter: 'url(#soft)', opacity: 0.42 }, polygon([nose, right, tail, left], { fill: '#050a14' }));
}
