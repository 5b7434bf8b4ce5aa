import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { coloursOf } from '../brand.ts';
import { mistake, type Finding } from './findings.ts';
import type { ParsedFile } from './parse-file.ts';
import type { BrandFile } from './schema.ts';

/** Least contrast (WCAG 2.2 AA) of text, and of borders of controls. */
const TEXT = 4.5;
const BORDER = 3;

type Pair = readonly [colours: string, grounds: string, least: number];

/** Colours and the grounds that they are on. Washes and tints, which the style sheet mixes, are close to their ground. */
const PAIRS: readonly Pair[] = [
  ['ink muted', 'paper surface field', TEXT],
  ['ink', 'caution', TEXT],
  ['signal error', 'paper surface', TEXT],
  ['success link', 'surface', TEXT],
  ['on-signal', 'signal signal-strong', TEXT],
  ['on-night on-night-muted', 'night night-deep', TEXT],
  ['edge', 'paper surface field', BORDER],
];

/** Pairs of each hue. */
const pairsOf = (hue: string): readonly Pair[] => [
  ['on-night on-picture-muted', `ground-${hue}`, TEXT],
  [`hue-${hue}`, 'paper', BORDER],
];

export const LOGO = 'images/logo.svg';

/** Finds missing files of the brand, and colours that cannot be told apart. */
export function* brandFindings(folder: string, { file, lineOf }: ParsedFile, data: BrandFile): Generator<Finding> {
  if (!existsSync(join(folder, LOGO))) yield mistake(LOGO, 1, 'is missing: save the logo there');
  if (!(data.font === 'system' || (data.font.endsWith('.woff2') && existsSync(join(folder, data.font)))))
    yield mistake(
      file,
      lineOf('font'),
      'font is no .woff2 file within content/: write its path, such as fonts/our-face.woff2, or "system"',
    );
  const roles = Object.keys(data.colours);
  const pathOf = (token: string) => `colours.${roles.find((role) => role.toLowerCase() === token.replaceAll('-', ''))}`;
  for (const { colour, message } of lowContrasts(data, PAIRS)) yield mistake(file, lineOf(pathOf(colour)), message);
  for (const hue of Object.keys(data.hues))
    for (const { message } of lowContrasts(data, pairsOf(hue))) yield mistake(file, lineOf(`hues.${hue}`), message);
}

function* lowContrasts(brand: BrandFile, pairs: readonly Pair[]) {
  const tokens = coloursOf(brand);
  for (const [colours, grounds, least] of pairs)
    for (const colour of colours.split(' '))
      for (const ground of grounds.split(' '))
        for (const theme of ['light', 'dark'] as const) {
          const ratio = contrast(tokens.get(colour)?.[theme], tokens.get(ground)?.[theme]);
          const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
          const message = `${colour} on ${ground} has a contrast of ${shown}:1 in the ${theme} theme, and needs ${least}:1: make one of the two lighter or darker`;
          if (ratio < least) yield { colour, message };
        }
}

/** Returns the contrast of two colours such as "#0b6fb3" (WCAG 2.2), from 1 to 21. */
export function contrast(one = '', other = ''): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.replaceAll(/\w/g, '$&$&') : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
