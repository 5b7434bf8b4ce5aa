import type { Point } from './vector.ts';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element as text; attributes that are undefined are left out. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? short(value) : value}"`)
    .join('');
  return children.length > 0 ? `<${name}${written}>${children.join('')}</${name}>` : `<${name}${written}/>`;
}

export const group = (attributes: Attributes, children: readonly string[]) => element('g', attributes, ...children);

/** A closed shape. */
export const polygon = (points: readonly Point[], attributes: Attributes) =>
  element('path', { d: `${line(points)}z`, ...attributes });

/** An open line; stroke only. */
export const polyline = (points: readonly Point[], attributes: Attributes) =>
  element('path', { d: line(points), fill: 'none', ...attributes });

export const circle = ([cx, cy]: Point, r: number, attributes: Attributes) =>
  element('circle', { cx, cy, r, ...attributes });

/** A smooth open line through all points (Catmull-Rom). */
export function curve(points: readonly Point[], attributes: Attributes): string {
  return element('path', { d: smooth(points), fill: 'none', ...attributes });
}

/** Path data of a smooth line through all points. */
export function smooth(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.min(points.length - 1, Math.max(0, index))] ?? [0, 0];
  const segments = points.slice(1).map((end, index) => {
    const [before, start, after] = [at(index - 1), at(index), at(index + 2)];
    const c1: Point = [start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6];
    const c2: Point = [end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6];
    return `C${pair(c1)} ${pair(c2)} ${pair(end)}`;
  });
  return `M${pair(at(0))}${segments.join('')}`;
}

const line = (points: readonly Point[]) => `M${points.map(pair).join('L')}`;
const pair = ([x, y]: Point) => `${short(x)} ${short(y)}`;
const short = (value: number) => String(Math.round(value * 100) / 100);
