import { random } from '../random.ts';
import { corners, sail, shadow, type Sail } from '../sail.ts';
import type { Scene } from '../stage.ts';
import { curve } from '../svg.ts';
import { mix, mixPoint, type Point } from '../vector.ts';

/** A large kite and two far ones, each seed in its own attitude: for pages that have no scene of their own. */
export function flight(seed: number): Scene {
  const next = random(seed);
  const large: Sail = {
    at: [mix(1120, 1200, next()), mix(370, 420, next())],
    size: 290,
    roll: mix(14, 34, next()),
    yaw: mix(-26, 18, next()),
    pitch: mix(4, 16, next()),
    seams: 6,
    warm: 'half',
  };
  const far = [0, 1].map((index): Sail => ({
    at: [mix(1360, 1500, next()), mix(120, 260, next()) + index * 420],
    size: 58 - index * 16,
    roll: mix(-20, 40, next()),
    yaw: mix(-30, 30, next()),
    pitch: 14,
    warm: index === 0,
  }));
  return {
    glow: [large.at, 700],
    wind: seed,
    draw: (colours) => {
      const line = (kite: Sail): string => {
        const { cross, tail } = corners(kite);
        const [x, y] = mixPoint(cross, tail, 0.32);
        return curve(
          [
            [x, y],
            [x + kite.size * 0.3, y + kite.size * 1.1],
            [1420, 980],
          ],
          { stroke: colours.paper, 'stroke-width': kite.size > 100 ? 2.4 : 1.2, 'stroke-opacity': 0.85 },
        );
      };
      return (
        [...far, large].map((kite) => shadow(kite, kite.size * 0.24) + sail(kite, colours) + line(kite)).join('') +
        streamer(large, colours.cloth(0.85, true))
      );
    },
  };
}

/** The tail of the large kite. */
function streamer(kite: Sail, stroke: string): string {
  const {
    tail: [x, y],
  } = corners(kite);
  const points = Array.from({ length: 8 }, (_, step): Point => [
    x - step * 26 + 12 * Math.sin(step * 1.9),
    y + step * 30,
  ]);
  return curve(points, { stroke, 'stroke-width': 3 });
}
