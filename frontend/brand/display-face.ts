import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import opentype, { type Font } from 'opentype.js';
import subsetFont, { type SubsetOptions } from 'subset-font';

const ASCII = String.fromCodePoint(...Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index));

/** Every character the display face holds: English, German, French and Spanish headings, with their punctuation. */
const CHARACTERS = `${ASCII}\u00a0–—‘’“”•…€£©™×·−↑↓ÄÖÜäöüßàáâçèéêëíîïñóôúûÀÁÇÈÉÊÍÑÓÚ`;

/** Weights that stay variable in the web font. */
export const WEIGHTS = { min: 600, max: 800, default: 700 } as const;

/** Optical size 36 keeps the ink traps visible in headings and the strokes sturdy in figures. */
const PINNED = { opsz: 36, wdth: 100 } as const;
const KEPT: Pick<SubsetOptions, 'keepFeatures' | 'noHinting'> = {
  keepFeatures: ['kern', 'tnum', 'ccmp'],
  noHinting: true,
};

const packageFolder = dirname(
  createRequire(import.meta.url).resolve('@fontsource-variable/bricolage-grotesque/package.json'),
);

const source = () => readFile(join(packageFolder, 'files/bricolage-grotesque-latin-standard-normal.woff2'));

/** The face's licence, which has to travel with it. */
export const licence = () => readFile(join(packageFolder, 'LICENSE'));

/** The subset that the site serves: one file, variable in weight. */
export const webFont = async () =>
  subsetFont(await source(), CHARACTERS, {
    ...KEPT,
    targetFormat: 'woff2',
    variationAxes: { ...PINNED, wght: WEIGHTS },
  });

/** One weight as outlines, to set text as paths without a system font. */
export async function outlines(weight: number): Promise<Font> {
  const file = await subsetFont(await source(), CHARACTERS, {
    ...KEPT,
    targetFormat: 'sfnt',
    variationAxes: { ...PINNED, wght: weight },
  });
  return opentype.parse(Uint8Array.from(file).buffer);
}
