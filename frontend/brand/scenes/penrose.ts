import { lch } from '../colour.ts';
import { random } from '../random.ts';
import type { Scene } from '../stage.ts';
import { group, polygon, polyline } from '../svg.ts';
import { centroid, mix, mixPoint, polar, ramp, type Point } from '../vector.ts';

const PHI = (1 + Math.sqrt(5)) / 2;
const CENTRE: Point = [1190, 400];

/** Half a kite or half a dart (Robinson triangle): a wing, and the two ends of the axis it shares with its twin. */
interface Half {
  readonly kind: 'kite' | 'dart';
  readonly wing: Point;
  readonly from: Point;
  readonly to: Point;
}

/** Emerging technologies: Penrose's kites and darts, a pattern that never repeats, still being laid at its edge. */
export const penrose: Scene = {
  glow: [CENTRE, 760],
  draw(colours) {
    const next = random(11);
    const tiles = pairUp(deflate(sun(1180), 5)).map((tile) => {
      const at = centroid(tile.points);
      const distance = Math.hypot(at[0] - CENTRE[0], (at[1] - CENTRE[1]) * 1.08);
      const laid = 1 - ramp(distance + (next() - 0.5) * 190, 330, 620);
      const shimmer = next();
      return { ...tile, at, distance, laid, shimmer };
    });
    const near = tiles.filter(
      ({ at: [x, y], distance }) => x > 330 && x < 1680 && y > -80 && y < 980 && distance < 900,
    );
    const plan = near.map(({ points, distance, at }) =>
      polygon(points, {
        'stroke-opacity': mix(0.42, 0.02, ramp(distance, 420, 880)) * mix(0.55, 1, ramp(at[0], 560, 800)),
      }),
    );
    const skin = near
      .filter(({ laid }) => laid > 0.3)
      .map(({ points, kind, at, laid, shimmer, axis }) => {
        const slope = ((at[0] - CENTRE[0]) * 0.5 - (at[1] - CENTRE[1])) / 900;
        const light = 0.5 + slope * 0.55 + (shimmer - 0.5) * 0.2 + (kind === 'dart' ? -0.2 : 0.04);
        const warm = kind === 'dart' ? shimmer > 0.86 : shimmer > 0.93;
        const [nose, left, tail, right] = points;
        const shift = lch(colours.cloth(light)).l > 0.5 ? 0.09 : 0.06;
        return group({ opacity: mix(0.35, 1, laid) }, [
          polygon([nose, left, tail], { fill: colours.cloth(light - shift, warm) }),
          polygon([nose, right, tail], { fill: colours.cloth(light + shift, warm) }),
          polyline(axis, { stroke: colours.line, 'stroke-width': 0.9, 'stroke-opacity': 0.45 }),
        ]);
      });
    return [
      ...skin,
      group({ fill: 'none', stroke: colours.line, 'stroke-width': 1.2, 'stroke-linejoin': 'round' }, plan),
    ].join('');
  },
};

/** Ten half kites around the centre. */
function sun(radius: number): readonly Half[] {
  return Array.from({ length: 10 }, (_, index) => {
    const [one, other] = [polar(CENTRE, radius, 36 * index - 18), polar(CENTRE, radius, 36 * index + 18)];
    const even = index % 2 === 0;
    return { kind: 'kite', wing: even ? other : one, from: CENTRE, to: even ? one : other };
  });
}

/** Cuts every half tile into smaller ones, `times` times. */
function deflate(halves: readonly Half[], times: number): readonly Half[] {
  if (times === 0) return halves;
  const cut = halves.flatMap(({ kind, wing, from, to }): readonly Half[] => {
    if (kind === 'dart') {
      const p = mixPoint(to, wing, 1 / PHI);
      return [
        { kind: 'dart', wing: from, from: p, to: wing },
        { kind: 'kite', wing: p, from: to, to: from },
      ];
    }
    const q = mixPoint(wing, from, 1 / PHI);
    const r = mixPoint(from, to, 1 / PHI);
    return [
      { kind: 'dart', wing: r, from: q, to: from },
      { kind: 'kite', wing: q, from: wing, to: r },
      { kind: 'kite', wing: to, from: wing, to: r },
    ];
  });
  return deflate(cut, times - 1);
}

/** Joins two halves that share their axis into one kite or dart. */
function pairUp(halves: readonly Half[]) {
  const waiting = new Map<string, Half>();
  return halves.flatMap((half) => {
    const { kind, wing, from, to } = half;
    const axis = [kind, ...[from, to].flat().map(Math.round)].join(' ');
    const twin = waiting.get(axis);
    waiting.set(axis, half);
    return twin ? [{ kind, points: [from, wing, to, twin.wing] as const, axis: [from, to] as const }] : [];
  });
}
