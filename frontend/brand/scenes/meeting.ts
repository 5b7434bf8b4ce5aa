import type { Palette } from '../palette.ts';
import { corners, sail, type Sail } from '../sail.ts';
import type { Scene } from '../stage.ts';
import { curve, element, group, polygon, polyline } from '../svg.ts';
import { mixPoint, polar, type Point } from '../vector.ts';
import { facing, fromBehind, restingArms, tone, type Person } from './people.ts';

const SKY = '#2f86c6';
const TEAL = '#1f8f86';
const CREAM = '#efe4d0';
const SLATE = '#4a5a80';
const WOOD = '#d9b48a';
const DRAWN = '#17406b';

/** Those who sit beyond the table, from left to right, and the one who stands at the plan. */
const BEYOND: readonly Person[] = [
  {
    at: [806, 404],
    unit: 92,
    skin: '#8a5a3c',
    hair: '#241a18',
    style: 'curls',
    coat: TEAL,
    collar: CREAM,
    look: 0.8,
    hands: { left: [-0.3, 2.1], right: [0.78, 2.12] },
  },
  {
    at: [1010, 378],
    unit: 90,
    skin: '#e2b08c',
    hair: '#6b3f24',
    style: 'short',
    beard: true,
    coat: SLATE,
    collar: CREAM,
    look: 0.6,
    hands: { left: [-0.5, 2.3], right: [0.6, 2.3] },
  },
  {
    at: [1222, 392],
    unit: 90,
    skin: '#c98d62',
    hair: '#c2622a',
    style: 'scarf',
    coat: CREAM,
    collar: '#c2622a',
    look: 0.5,
    hands: { left: [-0.5, 2.2], right: [0.62, 2.2] },
  },
];
const STANDING: Person = {
  at: [1476, 232],
  unit: 94,
  skin: '#6f4630',
  hair: '#1c1518',
  style: 'bun',
  coat: '#e0702e',
  collar: CREAM,
  look: -0.9,
  hands: { left: [-1.72, 0.42], right: [0.84, 2.7] },
  body: 4,
};
const NEARER: readonly Person[] = [
  { at: [888, 610], unit: 124, skin: '#d9a27c', hair: '#3a2a26', style: 'bob', coat: SKY, collar: CREAM, look: 0.7 },
  {
    at: [1348, 622],
    unit: 124,
    skin: '#f0c8a6',
    hair: '#8d8a8c',
    style: 'cropped',
    coat: '#39456b',
    collar: CREAM,
    look: -0.7,
  },
];

/** Staff augmentation: people round a table, a kite's plan on the wall and another under their hands. */
export const meeting: Scene = {
  glow: [[1290, 330], 760],
  draw: (colours) =>
    beams(colours) +
    group({ transform: 'translate(224 126) scale(0.86)' }, [
      bunting(colours),
      wallPlan(colours),
      facing(STANDING),
      ...BEYOND.map(facing),
      table(),
      ...BEYOND.slice(1, 2).map(restingArms),
      tablePlan(colours),
      ...[
        [792, 588],
        [1236, 580],
      ].map(([x, y]) => lid([x ?? 0, y ?? 0], colours)),
      cup([1120, 606]),
      cup([668, 690]),
      ...NEARER.map((person) => screen([person.at[0] + (person.look ?? 0) * 96, person.at[1] + 112])),
      ...NEARER.map((person) => chair(person, colours) + fromBehind(person)),
    ]),
};

/** Daylight from a high window on the right. */
const beams = (colours: Palette) =>
  group({ fill: colours.paper }, [
    polygon(
      [
        [1600, -40],
        [1600, 120],
        [760, 900],
        [560, 900],
      ],
      { 'fill-opacity': 0.035 },
    ),
    polygon(
      [
        [1600, 190],
        [1600, 420],
        [1120, 900],
        [900, 900],
      ],
      { 'fill-opacity': 0.045 },
    ),
  ]);

/** Small kites on a line across the room. */
function bunting(colours: Palette): string {
  const line: readonly Point[] = [
    [520, -200],
    [760, 92],
    [960, 118],
    [1080, 60],
  ];
  const kites = [
    [700, 34, 40],
    [826, 113, 34],
    [948, 119, 40],
  ].map(([x = 0, y = 0, size = 0], index): Sail => ({
    at: [x, y + size * 0.95],
    size,
    roll: [8, -6, 10][index],
    yaw: [-24, 18, -12][index],
    pitch: 8,
    warm: index === 1,
    exposure: 0.85,
  }));
  return (
    curve(line, { stroke: colours.line, 'stroke-width': 1.4, 'stroke-opacity': 0.55 }) +
    kites.map((kite) => sail(kite, colours)).join('')
  );
}

/** The plan pinned to the wall. */
function wallPlan(colours: Palette): string {
  const [left, top, right, bottom] = [1082, 44, 1340, 296];
  const kite: Sail = { at: [1208, 158], size: 84, outline: true };
  const { cross, right: wing } = corners(kite);
  const radius = Math.hypot(wing[0] - cross[0], wing[1] - cross[1]);
  const arc = Array.from({ length: 41 }, (_, index) => polar(cross, radius, index * 9));
  return group({}, [
    element(
      'g',
      { filter: 'url(#soft)', opacity: 0.5 },
      polygon(
        [
          [left - 12, top + 24],
          [right - 12, top + 24],
          [right - 12, bottom + 24],
          [left - 12, bottom + 24],
        ],
        { fill: '#050a14' },
      ),
    ),
    polygon(
      [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ],
      { fill: '#f6efe2' },
    ),
    polygon(
      [
        [left, top],
        [right, top],
        [left, bottom],
      ],
      { fill: '#e9dfcd', 'fill-opacity': 0.6 },
    ),
    group(
      { stroke: SKY, 'stroke-opacity': 0.28 },
      Array.from(
        { length: 9 },
        (_, index) =>
          polyline(
            [
              [left + 26 * (index + 1), top],
              [left + 26 * (index + 1), bottom],
            ],
            {},
          ) +
          polyline(
            [
              [left, top + 26 * (index + 1)],
              [right, top + 26 * (index + 1)],
            ],
            {},
          ),
      ),
    ),
    polyline(arc, { stroke: SKY, 'stroke-width': 1.4 }),
    sail(kite, { ...colours, line: DRAWN }),
    polyline(
      [
        [1318, 66],
        [1318, 258],
      ],
      { stroke: DRAWN, 'stroke-width': 1.4 },
    ),
    polyline(
      [
        [1310, 66],
        [1326, 66],
      ],
      { stroke: DRAWN, 'stroke-width': 1.4 },
    ) +
      polyline(
        [
          [1310, 258],
          [1326, 258],
        ],
        { stroke: DRAWN, 'stroke-width': 1.4 },
      ),
  ]);
}

const TOP: readonly [Point, Point, Point, Point] = [
  [690, 572],
  [1560, 566],
  [1700, 800],
  [560, 812],
];

/** The table, a little lighter towards the window. */
function table(): string {
  const [a, b, c, d] = TOP;
  return group({}, [
    polygon([d, c, [c[0], c[1] + 40], [d[0] + 6, d[1] + 40]], { fill: tone(WOOD, -0.52) }),
    polygon(TOP, { fill: tone(WOOD, -0.08) }),
    polygon([b, c, mixPoint(d, c, 0.52), mixPoint(a, b, 0.62)], { fill: tone(WOOD, 0.16) }),
    polygon([a, d, mixPoint(d, c, 0.22), mixPoint(a, b, 0.26)], { fill: tone(WOOD, -0.22) }),
    ...[0.14, 0.38, 0.74].map((share) =>
      polyline([mixPoint(a, d, share), mixPoint(b, c, share)], { stroke: tone(WOOD, -0.3), 'stroke-opacity': 0.4 }),
    ),
  ]);
}

/** A drawing on the table, turned towards those who sit. */
function tablePlan(colours: Palette): string {
  const sheet: readonly Point[] = [
    [1010, 676],
    [1214, 668],
    [1246, 752],
    [1000, 760],
  ];
  const at = (u: number, v: number) =>
    mixPoint(mixPoint(sheet[0]!, sheet[1]!, u), mixPoint(sheet[3]!, sheet[2]!, u), v);
  const kite = [at(0.16, 0.5), at(0.42, 0.16), at(0.9, 0.5), at(0.42, 0.84)];
  return group({}, [
    polygon(
      sheet.map(([x, y]): Point => [x - 5, y + 7]),
      { fill: tone(WOOD, -0.5), 'fill-opacity': 0.6 },
    ),
    polygon(sheet, { fill: colours.paper }),
    polygon([kite[0]!, kite[1]!, kite[2]!], { fill: SKY, 'fill-opacity': 0.9 }),
    polygon([kite[0]!, kite[3]!, kite[2]!], { fill: '#e0702e', 'fill-opacity': 0.9 }),
    polyline([kite[1]!, kite[3]!], { stroke: DRAWN, 'stroke-width': 2 }),
    polyline([kite[0]!, kite[2]!], { stroke: DRAWN, 'stroke-width': 2 }),
  ]);
}

/** The back of a laptop whose user sits beyond it. */
function lid([x, y]: Point, colours: Palette): string {
  const mark: Sail = { at: [x, y - 6], size: 15, roll: 20 };
  return group({}, [
    polygon(
      [
        [x - 92, y + 56],
        [x + 92, y + 54],
        [x + 104, y + 66],
        [x - 104, y + 68],
      ],
      { fill: tone(WOOD, -0.45), 'fill-opacity': 0.7 },
    ),
    polygon(
      [
        [x - 78, y - 46],
        [x + 78, y - 48],
        [x + 92, y + 54],
        [x - 92, y + 56],
      ],
      { fill: '#8e9ab4' },
    ),
    polygon(
      [
        [x + 10, y - 47],
        [x + 78, y - 48],
        [x + 92, y + 54],
        [x + 46, y + 55],
      ],
      { fill: '#b3bccf' },
    ),
    polygon(
      [
        [x - 92, y + 56],
        [x + 92, y + 54],
        [x + 95, y + 61],
        [x - 95, y + 63],
      ],
      { fill: '#5c6784' },
    ),
    sail(mark, colours),
  ]);
}

/** The lit screen in front of someone who sits with their back to us. */
function screen([x, y]: Point): string {
  return group({}, [
    polygon(
      [
        [x - 104, y - 140],
        [x + 104, y - 142],
        [x + 112, y - 20],
        [x - 112, y - 18],
      ],
      { fill: '#26304a' },
    ),
    polygon(
      [
        [x - 96, y - 132],
        [x + 96, y - 134],
        [x + 103, y - 28],
        [x - 103, y - 26],
      ],
      { fill: '#dfeaf5' },
    ),
    polygon(
      [
        [x - 96, y - 132],
        [x + 96, y - 134],
        [x - 103, y - 26],
      ],
      { fill: '#f4f8fc' },
    ),
  ]);
}

const cup = ([x, y]: Point) =>
  group({}, [
    polygon(
      [
        [x - 20, y + 26],
        [x + 14, y + 32],
        [x - 30, y + 36],
      ],
      { fill: tone(WOOD, -0.5), 'fill-opacity': 0.6 },
    ),
    polygon(
      [
        [x - 17, y - 14],
        [x + 17, y - 14],
        [x + 13, y + 30],
        [x - 13, y + 30],
      ],
      { fill: tone(CREAM, -0.2) },
    ),
    polygon(
      [
        [x + 3, y - 14],
        [x + 17, y - 14],
        [x + 13, y + 30],
        [x + 5, y + 30],
      ],
      { fill: tone(CREAM, 0.3) },
    ),
    polygon(
      [
        [x - 17, y - 14],
        [x, y - 19],
        [x + 17, y - 14],
        [x, y - 9],
      ],
      { fill: '#4a2f22' },
    ),
  ]);

/** A chair's back: a kite's frame, cloth and all. */
function chair({ at: [x, y], unit }: Person, colours: Palette): string {
  const [top, bottom, half] = [y + unit * 1.5, y + unit * 3.2, unit * 1.28];
  return polygon(
    [
      [x - half, top + 30],
      [x + half, top + 22],
      [x + half * 0.92, bottom],
      [x - half * 0.92, bottom],
    ],
    { fill: colours.ground, 'fill-opacity': 0.85 },
  );
}
