import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { coloursOf, type Theme } from '../brand.ts';
import { readFace } from '../font.ts';
import { contrast, luminances } from './contrast.ts';
import { mistake, type Finding } from './findings.ts';
import type { BrandFile } from './schema.ts';
import type { TypedFile } from './typed-file.ts';

/** Least contrast (WCAG 2.2 AA) of text, and of borders of controls. */
const TEXT = 4.5;
const BORDER = 3;

type Pair = readonly [colour: string, ground: string, least: number];
const pairs = (colours: string, grounds: string, least = TEXT): readonly Pair[] =>
  colours.split(' ').flatMap((colour) => grounds.split(' ').map((ground) => [colour, ground, least] as const));

/** Pairs that the site and its mails use on every page. */
const PAIRS = [
  ...pairs('ink muted', 'paper surface field'),
  ...pairs('ink', 'success-wash error-wash signal-wash caution'),
  ...pairs('signal', 'paper surface'),
  ...pairs('on-signal', 'signal signal-strong'),
  ...pairs('error', 'paper surface'),
  ...pairs('success', 'success-wash'),
  ...pairs('error', 'error-wash'),
  ...pairs('on-night on-night-muted', 'night night-deep'),
  ...pairs('link', 'surface'),
  ...pairs('edge', 'paper surface field', BORDER),
];

/** Pairs that depend on the hue of a page. */
const HUE_PAIRS = [
  ...pairs('ink muted signal hue-ink', 'tint'),
  ...pairs('ink muted hue-ink', 'plate'),
  ...pairs('hue-ink', 'paper surface hue-wash'),
  ...pairs('on-night on-picture-muted', 'ground'),
  ...pairs('hue', 'paper', BORDER),
];

/** Shares of a colour in its wash, as in the style sheet. */
const WASH = { success: '12%', error: '10%', signal: '8%' };

export const LOGO = 'images/logo.svg';

/** Finds a missing logo, a face that cannot be read, and colours that cannot be told apart. */
export function* brandFindings(folder: string, { file, data, lineOf }: TypedFile<BrandFile>): Generator<Finding> {
  if (!data) return;
  if (!existsSync(join(folder, LOGO))) yield mistake(LOGO, 1, 'is missing: save the logo there');
  try {
    if (data.font !== 'system') readFace(join(folder, data.font));
  } catch (error) {
    yield mistake(file, lineOf('font'), `font ${(error as Error).message}`);
  }
  for (const { path, message } of lowContrasts(data)) yield mistake(file, lineOf(path), message);
}

/** Finds pairs of colours with too little contrast, by the path of the one to change. */
export function* lowContrasts(brand: BrandFile) {
  const tokens = coloursOf(brand);
  const roles = Object.keys(brand.colours);
  const roleOf = (name: string) => roles.find((role) => role.toLowerCase() === name.replaceAll('-', ''));
  for (const theme of ['light', 'dark'] as const) {
    const common = Object.fromEntries([...tokens].map(([name, colour]) => [name, colour[theme]]));
    for (const [name, share] of Object.entries(WASH))
      common[`${name}-wash`] = `color-mix(in oklab, ${common[name]} ${share}, ${common.surface})`;
    for (const [colour, ground, ratio, least] of tooLow(PAIRS, common))
      yield { theme, path: `colours.${roleOf(colour)}`, message: sentence(colour, ground, ratio, least, theme) };
    for (const name of Object.keys(brand.hues)) {
      const hue = common[`hue-${name}`] ?? '';
      const mixed = (share: string, other = '') => `color-mix(in oklab, ${hue} ${share}, ${other})`;
      const tintOf = (light: string, dark: string, share: string) =>
        theme === 'light'
          ? `oklch(from ${hue} ${light} h)`
          : `color-mix(in oklab, oklch(from ${hue} ${dark} h) ${share}, ${common.surface})`;
      const all = {
        ...common,
        hue,
        ground: common[`ground-${name}`] ?? '',
        'hue-ink': mixed('62%', common.ink),
        'hue-wash': mixed('9%', common.surface),
        tint: tintOf('95.5% 0.024', '28% 0.07', '65%'),
        plate: tintOf('92.5% 0.046', '28% 0.09', '70%'),
      };
      for (const [colour, ground, ratio, least] of tooLow(HUE_PAIRS, all))
        yield { theme, path: `hues.${name}`, message: sentence(colour, `${ground} of ${name}`, ratio, least, theme) };
    }
  }
}

function tooLow(all: readonly Pair[], colours: Readonly<Record<string, string>>) {
  const names = Object.keys(colours);
  const known = luminances(Object.values(colours));
  return all.flatMap(([colour, ground, least]) => {
    const [one, other] = [colour, ground].map((name) => known[names.indexOf(name)] ?? Number.NaN) as [number, number];
    const ratio = contrast(one, other);
    return ratio >= least ? [] : [[colour, ground, ratio, least] as const];
  });
}

const sentence = (colour: string, ground: string, ratio: number, least: number, theme: Theme) =>
  `${colour} on ${ground} has a contrast of ${(Math.floor(ratio * 100) / 100).toFixed(2)}:1 in the ${theme} theme, and needs ${least}:1: make one of the two lighter or darker`;
