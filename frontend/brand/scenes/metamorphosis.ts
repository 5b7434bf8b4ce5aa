import { random } from '../random.ts';
import { shadow } from '../sail.ts';
import type { Palette } from '../palette.ts';
import type { Scene } from '../stage.ts';
import { circle, group, polygon, polyline } from '../svg.ts';
import { lit, mix, normal, ramp, turn, type Point, type Point3 } from '../vector.ts';

const CELL = 124;
const PANE: readonly Point3[] = [
  [-0.46, -0.46, 0],
  [0.46, -0.46, 0],
  [0.46, 0.46, 0],
  [-0.46, 0.46, 0],
];
const KITE: readonly Point3[] = [
  [0, -0.72, 0],
  [0.5, -0.2, -0.18],
  [0, 0.84, 0],
  [-0.5, -0.2, -0.18],
];

interface Cell {
  readonly at: Point;
  /** 0 a pane of a page, 1 a kite in the air. */
  readonly change: number;
  readonly chance: number;
}

/** Web development: panes of a page that turn, row by row, into kites. */
export const metamorphosis: Scene = {
  glow: [[1330, 260], 820],
  draw(colours) {
    const next = random(23);
    const cells = Array.from({ length: 9 }, (_, row) =>
      Array.from({ length: 9 }, (_, column): Cell => {
        const [x, y] = [640 + column * CELL, 868 - row * CELL];
        const change = ramp(column / 8 + row / 11 + (next() - 0.5) * 0.12, 0.5, 1.35);
        return { at: [x + change * 26, y - change * 34], change, chance: next() };
      }),
    ).flat();
    return cells.map((cell) => (cell.change > 0.5 ? fall(cell) : '') + draw(cell, colours)).join('');
  },
};

const fall = ({ at, change, chance }: Cell) =>
  group({ opacity: ramp(change, 0.5, 1) * 0.8 }, [shadow({ at, size: CELL * 0.66, roll: swing(change, chance) }, 40)]);

const swing = (change: number, chance: number) => mix(0, 24 + chance * 18, change);

function draw({ at, change, chance }: Cell, colours: Palette): string {
  const size = CELL * mix(1, 1.06, change);
  const attitude = { roll: swing(change, chance), yaw: mix(0, -30 + chance * 44, change), pitch: mix(0, 24, change) };
  const place = (point: Point3): Point3 => turn(point, attitude);
  const flat = ([x, y, z]: Point3): Point => [at[0] + (x * size) / (1 - z * 0.2), at[1] + (y * size) / (1 - z * 0.2)];
  const rim = PANE.map((pane, index) => {
    const kite = KITE[index] ?? pane;
    return place([mix(pane[0], kite[0], change), mix(pane[1], kite[1], change), mix(pane[2], kite[2], change)]);
  });
  const cross = place([0, mix(0, -0.2, change), mix(0, 0.05, change)]);
  const filled = ramp(change, 0.06, 0.62);
  const warm = chance > 0.84;
  const fade = ramp(at[0], 560, 900);
  const facets = rim.map((corner, index) => {
    const end = rim[(index + 1) % 4] ?? corner;
    const light = 0.06 + 0.9 * lit(normal(cross, corner, end)) * mix(0.55, 1, change);
    return polygon([flat(cross), flat(corner), flat(end)], {
      fill: colours.cloth(light, warm),
      'fill-opacity': mix(0.02, 1, filled),
    });
  });
  const frame = polygon(rim.map(flat), { fill: 'none' });
  const struts =
    polyline([flat(rim[0] ?? cross), flat(cross), flat(rim[2] ?? cross)], {}) +
    polyline([flat(rim[3] ?? cross), flat(cross), flat(rim[1] ?? cross)], {});
  return group({ opacity: fade }, [
    ...facets,
    group({ fill: 'none', stroke: colours.line, 'stroke-width': 1.3, 'stroke-linejoin': 'round' }, [
      group({ 'stroke-opacity': mix(0.45, 0.7, change) }, [frame]),
      group({ 'stroke-opacity': 0.75 * ramp(change, 0.05, 0.5) }, [struts]),
    ]),
    group({ opacity: 1 - ramp(change, 0.02, 0.3) }, [page(at, chance, colours)]),
  ]);
}

/** What a pane shows while it is still a page: a bar with three dots, and lines of text or a picture. */
function page([x, y]: Point, chance: number, colours: Palette): string {
  const half = CELL * 0.46;
  const [left, top] = [x - half, y - half];
  const text = (index: number, width: number) => {
    const at = top + 38 + index * 15;
    return polyline(
      [
        [left + 12, at],
        [left + 12 + width, at],
      ],
      { 'stroke-width': 3, 'stroke-linecap': 'round' },
    );
  };
  const body =
    chance > 0.5
      ? [text(0, 88), text(1, 74), text(2, 82), text(3, 40)]
      : [
          polygon(
            [
              [left + 12, top + 34],
              [left + 102, top + 34],
              [left + 102, top + 74],
              [left + 12, top + 74],
            ],
            { 'stroke-width': 1.2 },
          ),
          text(4, 60),
        ];
  return group({ stroke: colours.line, 'stroke-opacity': 0.4, fill: 'none' }, [
    polyline(
      [
        [left, top + 20],
        [left + half * 2, top + 20],
      ],
      { 'stroke-width': 1.2 },
    ),
    ...[0, 1, 2].map((index) => circle([left + 12 + index * 10, top + 10], 2.4, {})),
    ...body,
  ]);
}
