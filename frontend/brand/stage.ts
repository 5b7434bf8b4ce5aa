import type { Palette } from './palette.ts';
import { random } from './random.ts';
import { curve, element, group } from './svg.ts';
import { mix, type Point } from './vector.ts';

/** Size every picture is drawn at, in picture units. */
export const WIDTH = 1600;
export const HEIGHT = 900;

/** A scene draws the subject; the stage sets ground, glow and wind behind it. */
export interface Scene {
  /** Centre and radius of the glow. */
  readonly glow?: readonly [at: Point, radius: number];
  /** Seed of the wind lines; none: still air. */
  readonly wind?: number;
  draw(colours: Palette): string;
}

/** The whole picture as SVG. Left third and lower left stay calm, for the heading that lies over them. */
export function stage({ glow: [[cx, cy], r] = [[1130, 400], 760], wind, draw }: Scene, colours: Palette): string {
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT },
    element(
      'defs',
      {},
      element(
        'radialGradient',
        { id: 'glow', gradientUnits: 'userSpaceOnUse', cx, cy, r },
        element('stop', { offset: 0, 'stop-color': colours.glow }),
        element('stop', { offset: 0.45, 'stop-color': colours.glow, 'stop-opacity': 0.5 }),
        element('stop', { offset: 1, 'stop-color': colours.glow, 'stop-opacity': 0 }),
      ),
      element(
        'linearGradient',
        { id: 'wind', gradientUnits: 'userSpaceOnUse', x1: 420, y1: 0, x2: WIDTH, y2: 0 },
        element('stop', { offset: 0, 'stop-color': colours.line, 'stop-opacity': 0 }),
        element('stop', { offset: 0.6, 'stop-color': colours.line }),
      ),
      element(
        'filter',
        { id: 'soft', x: '-40%', y: '-40%', width: '180%', height: '180%' },
        element('feGaussianBlur', { stdDeviation: 16 }),
      ),
    ),
    element('rect', { width: WIDTH, height: HEIGHT, fill: colours.ground }),
    element('rect', { width: WIDTH, height: HEIGHT, fill: 'url(#glow)' }),
    wind === undefined ? '' : windLines(wind),
    draw(colours),
  );
}

/** Long, nearly parallel streamlines that rise to the right. */
function windLines(seed: number): string {
  const next = random(seed);
  const lines = Array.from({ length: 15 }, (_, index) => {
    const y = mix(-60, HEIGHT + 160, index / 14) + next() * 26;
    const [bend, lift] = [30 + next() * 60, 120 + next() * 60];
    const points = Array.from({ length: 9 }, (_, step): Point => {
      const share = step / 8;
      return [mix(420, WIDTH + 60, share), y - lift * share - bend * Math.sin(share * Math.PI * 1.35)];
    });
    return curve(points, { 'stroke-width': index % 4 === 0 ? 1.6 : 0.9 });
  });
  return group({ stroke: 'url(#wind)', opacity: 0.16 }, lines);
}
