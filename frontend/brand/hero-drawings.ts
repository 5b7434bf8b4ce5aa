import type { Drawing, Tones } from './drawing.ts';
import { mix, type Point } from './vector.ts';

/** Cloth that one colour makes: light where the light falls, dark where it does not. */
const PLAIN: Tones = [[2], [3], [5], [4]];
const SEWN: Tones = [
  [3, 2],
  [4, 3],
  [6, 5],
  [5, 1],
];

/** No cloth yet. */
const OPEN: Tones = [[], [], [], []];

/** One kite and its plan. */
function home(): Drawing {
  return {
    kites: [
      {
        kite: { at: [318, 268], size: 246, roll: 24, yaw: -16, pitch: 10 },
        tones: [
          [3, 2, 3, 1],
          [4, 3, 4, 2],
          [6, 5, 6, 4],
          [5, 4, 1, 3],
        ],
        knot: [425, 415],
        tailEnd: [40, 724],
        plan: true,
      },
      { kite: { at: [70, 150], size: 38, roll: -18, yaw: 22, pitch: 12 }, tones: [[4], [4], [6], [6]] },
    ],
    strings: [
      [
        [425, 415],
        [500, 500],
        [528, 600],
        [516, 720],
        [530, 1180],
      ],
    ],
    wind: lanes(640, 4, 178),
  };
}

/** From a plan to half a kite to one that flies: what happens to an idea here. */
function about(): Drawing {
  return {
    kites: [
      { kite: { at: [96, 420], size: 84, roll: 6 }, tones: OPEN, plan: true },
      { kite: { at: [246, 270], size: 104, roll: 16, yaw: -10 }, tones: [[2], [3], [], []], knot: [318, 370] },
      {
        kite: { at: [432, 150], size: 140, roll: 24, yaw: -16, pitch: 10 },
        tones: SEWN,
        knot: [500, 250],
        tailEnd: [290, 470],
      },
    ],
    strings: [
      [
        [500, 250],
        [530, 340],
        [500, 470],
        [520, 600],
        [500, 1100],
      ],
      [
        [318, 370],
        [374, 460],
        [384, 560],
        [364, 670],
        [380, 1100],
      ],
    ],
    wind: lanes(560, 3, 178),
  };
}

/** Three kites, each on a string of its own. */
function services(): Drawing {
  return {
    kites: [
      { kite: { at: [96, 300], size: 88, roll: 10, yaw: 12 }, tones: [[1], [2], [4], [3]], knot: [132, 372] },
      { kite: { at: [258, 196], size: 108, roll: 20, yaw: -6 }, tones: PLAIN, knot: [316, 280] },
      { kite: { at: [432, 150], size: 136, roll: 24, yaw: -16, pitch: 10 }, tones: SEWN, knot: [498, 246] },
    ],
    strings: [
      [
        [132, 372],
        [180, 460],
        [190, 560],
        [172, 670],
        [190, 1100],
      ],
      [
        [316, 280],
        [372, 390],
        [384, 510],
        [360, 640],
        [376, 1100],
      ],
      [
        [498, 246],
        [540, 360],
        [546, 490],
        [520, 630],
        [540, 1100],
      ],
    ],
    wind: lanes(560, 3, 178),
  };
}

/** A formation with one place open. */
function careers(): Drawing {
  const place = (column: number, row: number): Point => [118 + column * 158, 128 + row * 150 + column * -18];
  const kite = (column: number, row: number, tones: Tones) => ({
    kite: { at: place(column, row), size: 74, roll: 18, yaw: -12 },
    tones,
  });
  return {
    kites: [
      kite(0, 1, PLAIN),
      kite(1, 0, PLAIN),
      kite(2, 0, [[1], [2], [4], [3]]),
      { ...kite(1, 1, OPEN), plan: true },
      kite(2, 1, PLAIN),
      kite(0, 2, [[1], [2], [4], [3]]),
      kite(1, 2, PLAIN),
    ],
    strings: [],
    wind: lanes(560, 4, 150),
  };
}

/** A kite, and its string let down to whoever reads this. */
function contact(): Drawing {
  return {
    kites: [
      {
        kite: { at: [356, 170], size: 150, roll: 22, yaw: -14, pitch: 8 },
        tones: SEWN,
        knot: [424, 270],
        tailEnd: [150, 500],
      },
    ],
    strings: [
      [
        [424, 270],
        [484, 370],
        [440, 486],
        [330, 520],
        [268, 466],
        [312, 404],
        [372, 450],
        [330, 530],
        [216, 552],
        [140, 620],
        [130, 1100],
      ],
    ],
    wind: lanes(560, 3, 178),
  };
}

/** A kite whose line is cut: it flies on, and below its other half still leads to somebody's hand. */
function lost(): Drawing {
  return {
    kites: [
      {
        kite: { at: [352, 150], size: 138, roll: 38, yaw: -18, pitch: 10 },
        tones: PLAIN,
        knot: [386, 258],
        tailEnd: [70, 440],
      },
    ],
    strings: [
      [
        [386, 258],
        [432, 318],
        [404, 372],
        [424, 424],
        [398, 446],
      ],
      [
        [356, 474],
        [330, 462],
        [296, 500],
        [318, 560],
        [300, 700],
      ],
    ],
    wind: lanes(560, 2, 240),
  };
}

/** Streamlines that part round what flies in them, from the left edge to the right one. */
function lanes(width: number, count: number, apart: number): readonly (readonly Point[])[] {
  return Array.from({ length: count }, (_, lane) => {
    const y = 76 + lane * apart;
    const x = (share: number) => mix(-20, width + 20, share);
    return [
      [-20, y + 70],
      [x(0.2), y + 26],
      [x(0.47), y + 54],
      [x(0.74), y - 22],
      [width + 20, y - 6],
    ];
  });
}

/** The kites beside the headings of pages without a picture: viewBox and what is in it. */
export const heroDrawings: Readonly<
  Record<string, { readonly size: readonly [width: number, height: number]; readonly drawing: Drawing }>
> = {
  home: { size: [640, 720], drawing: home() },
  about: { size: [560, 560], drawing: about() },
  services: { size: [560, 560], drawing: services() },
  careers: { size: [560, 560], drawing: careers() },
  contact: { size: [560, 560], drawing: contact() },
  lost: { size: [560, 560], drawing: lost() },
};
