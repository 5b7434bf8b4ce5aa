import { blend } from '../colour.ts';
import { group, polygon } from '../svg.ts';
import type { Point } from '../vector.ts';

export type HairStyle = 'short' | 'bob' | 'long' | 'bun' | 'curls' | 'scarf' | 'cropped';

/** A person in facets, lit from the upper right. Measures are in head heights. */
export interface Person {
  /** Middle of the head. */
  readonly at: Point;
  /** Height of the head. */
  readonly unit: number;
  readonly skin: string;
  readonly hair: string;
  readonly style: HairStyle;
  readonly beard?: boolean;
  /** Colour of the outer garment, and of what shows at its collar. */
  readonly coat: string;
  readonly collar: string;
  /** -1 looks to the left, 1 to the right. */
  readonly look?: number;
  /** Wrist of each arm, in head heights from the middle of the head. */
  readonly hands?: { readonly left: Point; readonly right: Point };
  /** Length of the body below the head. */
  readonly body?: number;
}

const SHADE = '#0b1022';
const SUN = '#fff1dc';

/** A colour in shade (below 0) or in the light (above). */
export const tone = (colour: string, light: number) => blend(colour, light < 0 ? SHADE : SUN, Math.abs(light));

/** Someone facing the viewer. */
export function facing(person: Person): string {
  const { at, unit, skin, look = 0, hands = { left: [-0.55, 2.5], right: [0.55, 2.5] } } = person;
  const on = (points: readonly Point[], fill: string) =>
    polygon(
      points.map(([x, y]): Point => [at[0] + x * unit, at[1] + y * unit]),
      { fill, stroke: fill, 'stroke-width': 0.8, 'stroke-linejoin': 'round' },
    );
  const mid = look * 0.17;
  return group({}, [
    ...backHair(person, on),
    ...torso(person, on),
    on(
      [
        [-0.17, 0.35],
        [0.19, 0.35],
        [0.22, 0.86],
        [0, 1.02],
        [-0.22, 0.86],
      ],
      tone(skin, -0.34),
    ),
    on(
      [
        [0.02, 0.45],
        [0.19, 0.35],
        [0.22, 0.86],
        [0.05, 1],
      ],
      tone(skin, -0.16),
    ),
    on(
      [
        [-0.4, -0.3],
        [-0.42, 0.06],
        [-0.34, 0.32],
        [-0.13, 0.56],
        [mid, 0.57],
        [mid, -0.56],
        [-0.2, -0.55],
      ],
      tone(skin, -0.2),
    ),
    on(
      [
        [mid, -0.56],
        [0.2, -0.55],
        [0.4, -0.3],
        [0.42, 0.06],
        [0.34, 0.32],
        [0.13, 0.56],
        [mid, 0.57],
      ],
      tone(skin, 0.04),
    ),
    on(
      [
        [0.4, -0.3],
        [0.42, 0.06],
        [0.34, 0.32],
        [mid + 0.2, 0.1],
        [mid + 0.16, -0.2],
      ],
      tone(skin, 0.2),
    ),
    on(
      [
        [-0.42, 0.06],
        [-0.34, 0.32],
        [-0.13, 0.56],
        [mid - 0.12, 0.2],
      ],
      tone(skin, -0.32),
    ),
    on(
      [
        [mid - 0.02, -0.16],
        [mid + 0.09, 0.2],
        [mid - 0.06 + look * 0.06, 0.22],
      ],
      tone(skin, 0.28),
    ),
    on(
      [
        [mid - 0.02, -0.16],
        [mid - 0.06 + look * 0.06, 0.22],
        [mid - 0.12 + look * 0.06, 0.19],
      ],
      tone(skin, -0.3),
    ),
    person.beard
      ? on(
          [
            [-0.42, 0.02],
            [-0.35, 0.34],
            [-0.14, 0.62],
            [mid, 0.64],
            [mid, 0.27],
            [-0.2, 0.26],
          ],
          tone(person.hair, -0.1),
        )
      : '',
    person.beard
      ? on(
          [
            [0.42, 0.02],
            [0.35, 0.34],
            [0.14, 0.62],
            [mid, 0.64],
            [mid, 0.27],
            [0.2, 0.26],
          ],
          tone(person.hair, 0.12),
        )
      : '',
    ...frontHair(person, on),
    ...arm(-1, hands.left, person, on),
    ...arm(1, hands.right, person, on),
  ]);
}

type Fill = (points: readonly Point[], fill: string) => string;

function torso({ coat, collar, body = 2.7 }: Person, on: Fill): readonly string[] {
  return [
    on(
      [
        [-0.22, 0.78],
        [-0.66, 0.94],
        [-0.94, 1.18],
        [-0.98, body],
        [0, body],
        [0, 0.9],
      ],
      tone(coat, -0.26),
    ),
    on(
      [
        [0.22, 0.78],
        [0.66, 0.94],
        [0.94, 1.18],
        [0.98, body],
        [0, body],
        [0, 0.9],
      ],
      tone(coat, 0),
    ),
    on(
      [
        [0.66, 0.94],
        [0.94, 1.18],
        [0.97, body * 0.8],
        [0.4, 1.6],
      ],
      tone(coat, 0.16),
    ),
    on(
      [
        [-0.66, 0.94],
        [-0.3, 1.7],
        [-0.98, body * 0.8],
        [-0.94, 1.18],
      ],
      tone(coat, -0.36),
    ),
    on(
      [
        [-0.24, 0.76],
        [0, 1.5],
        [0.24, 0.76],
      ],
      tone(collar, -0.14),
    ),
    on(
      [
        [0.02, 0.9],
        [0, 1.5],
        [0.24, 0.76],
      ],
      tone(collar, 0.06),
    ),
    on(
      [
        [-0.22, 0.76],
        [-0.4, 0.98],
        [-0.04, 1.66],
        [0, 1.5],
      ],
      tone(coat, -0.14),
    ),
    on(
      [
        [0.22, 0.76],
        [0.4, 0.98],
        [0.04, 1.66],
        [0, 1.5],
      ],
      tone(coat, 0.24),
    ),
  ];
}

/** Upper arm, forearm and hand; the elbow falls outside and below the shoulder, wherever the hand is. */
function arm(side: -1 | 1, hand: Point, { coat, skin }: Person, on: Fill): readonly string[] {
  const shoulder: Point = [side * 0.8, 1.2];
  const raised = hand[1] < shoulder[1];
  const elbow: Point = raised
    ? [(shoulder[0] + hand[0]) / 2 + side * 0.1, (shoulder[1] + hand[1]) / 2 + 0.42]
    : [shoulder[0] + side * 0.3 + hand[0] * 0.06, Math.max(shoulder[1] + 0.95, hand[1] - 0.25)];
  const light = side === 1 ? 0.1 : -0.3;
  return [
    on(limb(shoulder, elbow, 0.23, 0.18), tone(coat, light)),
    on(limb(elbow, hand, 0.18, 0.12), tone(coat, light + 0.12)),
    on(limb(elbow, hand, 0.02, 0.12, -0.08), tone(coat, light - 0.08)),
    on(
      limb(
        hand,
        [hand[0] + (hand[0] - elbow[0]) * 0.26, hand[1] + (hand[1] - elbow[1]) * 0.3 + (raised ? 0 : 0.02)],
        0.12,
        0.07,
      ),
      tone(skin, side === 1 ? 0.1 : -0.1),
    ),
  ];
}

/** Forearms that lie on a table: drawn after it, from where the body meets its edge. */
export function restingArms({ at, unit, coat, skin }: Person): string {
  const on: Fill = (points, fill) =>
    polygon(
      points.map(([x, y]): Point => [at[0] + x * unit, at[1] + y * unit]),
      { fill },
    );
  return [-1, 1]
    .flatMap((side) => {
      const [elbow, hand]: [Point, Point] = [
        [side * 1.02, 2.2],
        [side * 0.3, 2.52],
      ];
      return [
        on(limb([elbow[0], elbow[1] + 0.1], [hand[0], hand[1] + 0.08], 0.14, 0.12), tone('#d9b48a', -0.4)),
        on(limb(elbow, hand, 0.17, 0.12), tone(coat, side === 1 ? 0.1 : -0.16)),
        on(limb(hand, [hand[0] - side * 0.26, hand[1] + 0.05], 0.11, 0.07), tone(skin, side === 1 ? 0.08 : -0.08)),
      ];
    })
    .join('');
}

/** A tapered quadrilateral from one joint to the next. */
function limb(from: Point, to: Point, start: number, end: number, shift = 0): readonly Point[] {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [nx, ny] = [-(to[1] - from[1]) / length, (to[0] - from[0]) / length];
  return [
    [from[0] + nx * (start + shift), from[1] + ny * (start + shift)],
    [to[0] + nx * (end + shift), to[1] + ny * (end + shift)],
    [to[0] - nx * (end - shift), to[1] - ny * (end - shift)],
    [from[0] - nx * (start - shift), from[1] - ny * (start - shift)],
  ];
}

/** Hair that falls behind the face and shoulders. */
function backHair({ style, hair }: Person, on: Fill): readonly string[] {
  const [dark, light] = [tone(hair, -0.2), tone(hair, 0.08)];
  switch (style) {
    case 'bob':
      return [
        on(
          [
            [-0.5, 0.62],
            [-0.58, -0.1],
            [-0.4, -0.6],
            [0, -0.78],
            [0, 0.6],
          ],
          dark,
        ),
        on(
          [
            [0.5, 0.62],
            [0.58, -0.1],
            [0.4, -0.6],
            [0, -0.78],
            [0, 0.6],
          ],
          light,
        ),
      ];
    case 'long':
      return [
        on(
          [
            [-0.62, 1.36],
            [-0.56, -0.1],
            [-0.4, -0.6],
            [0, -0.76],
            [0, 1.1],
          ],
          dark,
        ),
        on(
          [
            [0.6, 1.3],
            [0.56, -0.1],
            [0.4, -0.6],
            [0, -0.76],
            [0, 1.1],
          ],
          light,
        ),
      ];
    case 'curls':
      return [
        on(
          [
            [-0.46, 0.5],
            [-0.7, 0.2],
            [-0.72, -0.24],
            [-0.54, -0.62],
            [-0.22, -0.86],
            [0, -0.9],
            [0, 0.4],
          ],
          dark,
        ),
        on(
          [
            [0.46, 0.5],
            [0.7, 0.2],
            [0.72, -0.24],
            [0.54, -0.62],
            [0.22, -0.86],
            [0, -0.9],
            [0, 0.4],
          ],
          light,
        ),
        on(
          [
            [0.3, -0.8],
            [0.54, -0.62],
            [0.7, -0.24],
            [0.36, -0.3],
          ],
          tone(hair, 0.2),
        ),
      ];
    case 'bun':
      return [
        on(
          [
            [-0.2, -0.66],
            [-0.24, -0.9],
            [-0.08, -1.06],
            [0.1, -1.06],
            [0.24, -0.9],
            [0.2, -0.66],
          ],
          light,
        ),
        on(
          [
            [-0.2, -0.66],
            [-0.24, -0.9],
            [-0.08, -1.06],
            [0, -0.7],
          ],
          dark,
        ),
      ];
    case 'scarf':
      return [
        on(
          [
            [-0.52, 0.7],
            [-0.54, -0.1],
            [-0.38, -0.6],
            [0, -0.78],
            [0.38, -0.6],
            [0.54, -0.1],
            [0.52, 0.7],
            [0.3, 1.1],
            [-0.3, 1.1],
          ],
          dark,
        ),
      ];
    default:
      return [];
  }
}

/** Hair, or cloth, that frames the face. */
function frontHair({ style, hair, look = 0 }: Person, on: Fill): readonly string[] {
  const part = look * 0.17 - 0.1;
  const [dark, light] = [tone(hair, -0.16), tone(hair, 0.14)];
  const edge = style === 'cropped' ? -0.34 : style === 'curls' ? -0.26 : -0.2;
  if (style === 'scarf') {
    return [
      on(
        [
          [-0.54, -0.1],
          [-0.38, -0.6],
          [0, -0.78],
          [part, -0.44],
          [-0.34, -0.2],
          [-0.34, 0.3],
          [-0.14, 0.56],
          [0, 0.6],
          [-0.08, 1.2],
          [-0.56, 0.96],
        ],
        dark,
      ),
      on(
        [
          [0.54, -0.1],
          [0.38, -0.6],
          [0, -0.78],
          [part, -0.44],
          [0.34, -0.2],
          [0.34, 0.3],
          [0.14, 0.56],
          [0, 0.6],
          [-0.08, 1.2],
          [0.56, 0.96],
        ],
        tone(hair, 0.04),
      ),
      on(
        [
          [0.54, -0.1],
          [0.38, -0.6],
          [0.1, -0.74],
          [0.36, -0.2],
          [0.34, 0.3],
          [0.5, 0.6],
        ],
        light,
      ),
    ];
  }
  const crown = style === 'cropped' ? -0.64 : -0.76;
  return [
    on(
      [
        [-0.43, -0.02],
        [-0.47, -0.36],
        [-0.3, -0.66],
        [part + 0.06, crown],
        [part, -0.4],
        [-0.32, edge],
        [-0.36, -0.02],
      ],
      dark,
    ),
    on(
      [
        [0.43, -0.02],
        [0.47, -0.36],
        [0.32, -0.64],
        [part + 0.06, crown],
        [part, -0.4],
        [0.3, edge - 0.06],
        [0.37, -0.04],
      ],
      light,
    ),
    on(
      [
        [0.47, -0.36],
        [0.32, -0.64],
        [part + 0.2, crown + 0.02],
        [0.24, -0.44],
      ],
      tone(hair, 0.26),
    ),
  ];
}

/** Someone seen from behind, seated nearer to the viewer. */
export function fromBehind({ at, unit, skin, hair, style, coat, look = 0 }: Person): string {
  const on = (points: readonly Point[], fill: string) =>
    polygon(
      points.map(([x, y]): Point => [at[0] + x * unit, at[1] + y * unit]),
      { fill, stroke: fill, 'stroke-width': 0.8, 'stroke-linejoin': 'round' },
    );
  const face = look * 0.42;
  const full = style === 'bob' ? 1.14 : 1;
  const nape = style === 'bob' ? 0.66 : 0.34;
  const hem = style === 'bob' ? 0.5 : 0.38;
  return group({}, [
    on(
      [
        [-0.18, 0.3],
        [0.18, 0.3],
        [0.24, 0.86],
        [-0.24, 0.86],
      ],
      tone(skin, -0.3),
    ),
    on(
      [
        [0.02, 0.3],
        [0.18, 0.3],
        [0.24, 0.86],
        [0.04, 0.86],
      ],
      tone(skin, -0.1),
    ),
    on(
      [
        [-0.24, 0.72],
        [-0.72, 0.94],
        [-1.02, 1.24],
        [-1.18, 2.9],
        [0, 2.9],
        [0, 0.86],
      ],
      tone(coat, -0.34),
    ),
    on(
      [
        [0.24, 0.72],
        [0.72, 0.94],
        [1.02, 1.24],
        [1.18, 2.9],
        [0, 2.9],
        [0, 0.86],
      ],
      tone(coat, -0.14),
    ),
    on(
      [
        [0.24, 0.72],
        [0.72, 0.94],
        [1.02, 1.24],
        [0.5, 1.5],
        [0, 0.86],
      ],
      tone(coat, 0.12),
    ),
    on(
      [
        [1.02, 1.24],
        [1.18, 2.9],
        [0.8, 2.9],
        [0.5, 1.5],
      ],
      tone(coat, 0.02),
    ),
    on(
      [
        [-0.72, 0.94],
        [-1.02, 1.24],
        [-1.18, 2.9],
        [-0.7, 2.9],
        [-0.5, 1.5],
      ],
      tone(coat, -0.46),
    ),
    Math.abs(look) > 0.2
      ? on(
          [
            [face * 0.6, -0.3],
            [face * 1.06, -0.06],
            [face * 1.1, 0.14],
            [face * 0.9, 0.42],
            [face * 0.3, 0.5],
            [0, 0],
          ],
          tone(skin, look > 0 ? 0.12 : -0.2),
        )
      : '',
    on(
      [
        [-0.42 * full, -0.1],
        [-0.4 * full, -0.42],
        [-0.2, -0.7 * full],
        [0, -0.72 * full],
        [0, nape + 0.05],
        [-hem, nape],
        [-0.44 * full, 0.2],
      ],
      tone(hair, -0.24),
    ),
    on(
      [
        [0.42 * full, -0.1],
        [0.4 * full, -0.42],
        [0.2, -0.7 * full],
        [0, -0.72 * full],
        [0, nape + 0.05],
        [hem - Math.max(0, look) * 0.16, nape - Math.max(0, look) * 0.1],
        [0.44 * full - Math.max(0, look) * 0.14, 0.2],
      ],
      tone(hair, 0.02),
    ),
    on(
      [
        [0.42 * full, -0.1],
        [0.4 * full, -0.42],
        [0.2, -0.7 * full],
        [0.06, -0.66],
        [0.22, -0.2],
      ],
      tone(hair, 0.2),
    ),
  ]);
}
