import { blend } from '../colour.ts';
import { corners, sail, shadow, type Sail } from '../sail.ts';
import type { Palette } from '../palette.ts';
import type { Scene } from '../stage.ts';
import { curve, element, group, polyline } from '../svg.ts';
import { mixPoint, type Point } from '../vector.ts';

const KITE: Sail = { at: [1172, 408], size: 318, roll: 52, yaw: -6, pitch: 6, seams: 6, warm: 'half', exposure: 1.06 };

/** Top left corners of the phones; each is 206 by 430. */
const PHONES: readonly Point[] = [
  [846, 322],
  [1078, 152],
  [1310, 236],
];
const BEZELS = ['#0c1626', '#101c30', '#15233a'];
const [WIDE, TALL, ROUND] = [206, 430, 30];

/** Mobile development: one kite across several screens, drawn where there is no screen, alive where there is. */
export const screens: Scene = {
  glow: [[1180, 420], 720],
  wind: 15,
  draw(colours) {
    const frame = ([x, y]: Point, attributes: Parameters<typeof element>[1], grow = 0) =>
      element('rect', {
        x: x - grow,
        y: y - grow,
        width: WIDE + 2 * grow,
        height: TALL + 2 * grow,
        rx: ROUND + grow,
        ...attributes,
      });
    const line = string(KITE);
    return [
      element('clipPath', { id: 'screens' }, ...PHONES.map((phone) => frame(phone, {}))),
      group({ opacity: 0.34 }, [sail({ ...KITE, outline: true, seams: 0 }, colours)]),
      curve(line, { stroke: colours.line, 'stroke-width': 1.6, 'stroke-opacity': 0.4, 'stroke-dasharray': '3 7' }),
      ...PHONES.map(([x, y]) =>
        element('g', { filter: 'url(#soft)', opacity: 0.55 }, frame([x - 18, y + 30], { fill: '#050a14' })),
      ),
      ...PHONES.map((phone, index) => frame(phone, { fill: BEZELS[index] }, 9)),
      group({ 'clip-path': 'url(#screens)' }, [
        ...PHONES.map((phone, index) =>
          frame(phone, { fill: blend(colours.glow, colours.cloth(0.3), 0.3 + index * 0.25) }),
        ),
        ...PHONES.map((phone, index) => hills(phone, index, colours)),
        shadow(KITE, 60),
        curve(line, { stroke: colours.paper, 'stroke-width': 2.4 }),
        sail(KITE, colours),
      ]),
      ...PHONES.map((phone) =>
        frame(phone, { fill: 'none', stroke: colours.line, 'stroke-width': 1.4, 'stroke-opacity': 0.5 }, 9),
      ),
      ...PHONES.map(([x, y]) =>
        polyline(
          [
            [x + 78, y + 15],
            [x + WIDE - 78, y + 15],
          ],
          { stroke: colours.line, 'stroke-width': 5, 'stroke-linecap': 'round', 'stroke-opacity': 0.65 },
        ),
      ),
    ].join('');
  },
};

/** The land under the sky of one screen, its horizon a little different in each. */
function hills([x, y]: Point, index: number, colours: Palette): string {
  return [0, 1, 2]
    .map((layer) => {
      const base = y + TALL - 92 + layer * 32;
      const peak = x + 60 + 50 * ((index + layer) % 3);
      return element('path', {
        d: `M${x} ${base + 18}L${peak} ${base - 26}L${x + WIDE} ${base + 12}V${y + TALL}H${x}z`,
        fill: colours.cloth(0.27 - layer * 0.08),
      });
    })
    .join('');
}

/** From the bridle down out of the picture. */
function string(kite: Sail): readonly Point[] {
  const { cross, tail } = corners(kite);
  const [x, y] = mixPoint(cross, tail, 0.3);
  return [
    [x, y],
    [x - 40, y + 120],
    [x - 20, y + 290],
    [x + 90, y + 480],
  ];
}
