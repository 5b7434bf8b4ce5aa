/** A point or a direction on the picture: x to the right, y downwards. */
export type Point = readonly [x: number, y: number];

/** A point or a direction in space: x to the right, y downwards, z towards the viewer. */
export type Point3 = readonly [x: number, y: number, z: number];

/** Angles of a body in degrees, applied in this order: roll turns in the plane, then pitch tips, then yaw swings. */
export interface Attitude {
  readonly yaw?: number;
  readonly pitch?: number;
  readonly roll?: number;
}

export const mix = (a: number, b: number, share: number) => a + (b - a) * share;

export const mixPoint = (a: Point, b: Point, share: number): Point => [mix(a[0], b[0], share), mix(a[1], b[1], share)];

/** Point at `angle` degrees, clockwise from the right, and `radius` from `centre`. */
export const polar = (centre: Point, radius: number, angle: number): Point => [
  centre[0] + radius * Math.cos(radians(angle)),
  centre[1] + radius * Math.sin(radians(angle)),
];

export const radians = (degrees: number) => (degrees * Math.PI) / 180;

export const centroid = (points: readonly Point[]): Point => [
  points.reduce((sum, [x]) => sum + x, 0) / points.length,
  points.reduce((sum, [, y]) => sum + y, 0) / points.length,
];

/** Smooth step from 0 at `from` to 1 at `to`. */
export function ramp(value: number, from: number, to: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

/** Turns a point about the origin. */
export function turn([x, y, z]: Point3, { yaw = 0, pitch = 0, roll = 0 }: Attitude): Point3 {
  const [sr, cr, sp, cp, sy, cy] = [roll, pitch, yaw].flatMap((angle) => [
    Math.sin(radians(angle)),
    Math.cos(radians(angle)),
  ]) as [number, number, number, number, number, number];
  const [x1, y1] = [x * cr - y * sr, x * sr + y * cr];
  const [y2, z2] = [y1 * cp - z * sp, y1 * sp + z * cp];
  return [x1 * cy + z2 * sy, y2, -x1 * sy + z2 * cy];
}

/** Unit normal of a facet, facing the viewer whichever way it was wound. */
export function normal(a: Point3, b: Point3, c: Point3): Point3 {
  const u: Point3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const v: Point3 = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const n: Point3 = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n) || 1;
  const sign = n[2] < 0 ? -1 : 1;
  return [(sign * n[0]) / length, (sign * n[1]) / length, (sign * n[2]) / length];
}

/** The one light of every picture: high on the right, a little in front. */
const LIGHT: Point3 = [0.52, -0.66, 0.54];

/** How much light a facet with this normal catches, 0 to 1. */
export const lit = ([x, y, z]: Point3) => Math.max(0, x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2]);
