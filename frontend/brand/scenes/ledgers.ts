import { random } from '../random.ts';
import type { Palette } from '../palette.ts';
import type { Scene } from '../stage.ts';
import { circle, element, group, polygon, polyline } from '../svg.ts';
import { mix, polar, ramp, type Point } from '../vector.ts';

/** Distance from a hexagon's middle to its corner. */
const CELL = 70;
const ROWS = 4;
const COLUMNS = 5;
const LAYERS = 3;
const LAYER_GAP = 262;

/** Lays the flat plan down in perspective, `height` above the table. */
const lay = ([u, v]: Point, height: number): Point => [
  1200 + (u * 0.88 + v * 0.42),
  712 + (v * 0.44 - u * 0.2) - height,
];

/** SAP consulting: ledgers of one company, layer over layer, every figure in its place and joined to those below. */
export const ledgers: Scene = {
  glow: [[1190, 400], 760],
  draw(colours) {
    const next = random(31);
    const sheets = Array.from({ length: LAYERS }, (_, layer) => sheet(layer, next, colours));
    return sheets.flatMap((drawn, layer) => (layer === 0 ? [drawn] : [posts(layer, colours), drawn])).join('');
  },
};

const centres: readonly Point[] = Array.from({ length: ROWS }, (_, row) =>
  Array.from({ length: COLUMNS }, (_, column): Point => [
    (column - (COLUMNS - 1) / 2 + (row % 2 === 0 ? 0 : 0.5) - 0.25) * CELL * Math.sqrt(3),
    (row - (ROWS - 1) / 2) * CELL * 1.5,
  ]),
).flat();

/** One layer: hexagons of six kites each, raised in steps as the figures they stand for. */
function sheet(layer: number, next: () => number, colours: Palette): string {
  const height = layer * LAYER_GAP;
  const outline = (centre: Point, lift: number) =>
    Array.from({ length: 6 }, (_, side) => lay(polar(centre, CELL * 0.96, 60 * side - 30), lift));
  const shade = element(
    'g',
    { filter: 'url(#soft)', opacity: 0.34 },
    ...centres.map((centre) => polygon(outline(centre, height - 60), { fill: '#050a14' })),
  );
  const cells = centres.map((centre) => {
    const figure = next();
    const rise = height + Math.round(figure * 3) * 9;
    const present = layer < 2 || next() > 0.04 + layer * 0.08;
    if (!present)
      return group({ fill: 'none', stroke: colours.line, 'stroke-opacity': 0.35, 'stroke-dasharray': '3 5' }, [
        polygon(outline(centre, height), {}),
      ]);
    const base = mix(0.16, 0.5, layer / (LAYERS - 1));
    const warm = layer > 0 && figure > 0.86;
    const rim = outline(centre, rise);
    const foot = outline(centre, height - 8);
    const walls = [1, 2, 0].map((side) => {
      const [a, b] = [side, (side + 1) % 6];
      return polygon([rim[a]!, rim[b]!, foot[b]!, foot[a]!], {
        fill: colours.cloth(base * (side === 0 ? 0.75 : side === 1 ? 0.5 : 0.28), warm),
      });
    });
    const kites = Array.from({ length: 6 }, (_, side) => {
      const corner = (radius: number, angle: number) => lay(polar(centre, radius * 0.96, angle), rise);
      const angle = 60 * side - 30;
      const wings = [corner(CELL * 0.866, angle - 30), corner(CELL * 0.866, angle + 30)] as const;
      const light = base + 0.17 * Math.cos(((angle + 48) * Math.PI) / 180) + 0.1;
      return polygon([lay(centre, rise), wings[0], corner(CELL, angle), wings[1]], {
        fill: colours.cloth(light, warm),
        stroke: colours.ground,
        'stroke-width': 0.9,
        'stroke-opacity': 0.6,
        'stroke-linejoin': 'round',
      });
    });
    return group({}, [...walls, ...kites]);
  });
  return shade + cells.join('');
}

/** Thin verticals from each entry to the one it rests on. */
function posts(layer: number, colours: Palette): string {
  const [low, high] = [(layer - 1) * LAYER_GAP + 26, layer * LAYER_GAP];
  return group(
    { stroke: colours.line, 'stroke-width': 1.1 },
    centres
      .filter((_, index) => index % 2 === layer % 2)
      .map((centre) => {
        const [from, to] = [lay(centre, low), lay(centre, high)];
        return (
          polyline([from, to], { 'stroke-opacity': mix(0.35, 0.6, ramp(centre[0], -200, 200)) }) +
          circle(from, 3, { fill: colours.paper, stroke: 'none' })
        );
      }),
  );
}
