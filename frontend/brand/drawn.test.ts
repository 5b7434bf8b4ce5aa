import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { outlines } from './display-face.ts';
import { drawingModule } from './write-drawings.ts';
import { fallbackMetrics } from './fallback-metrics.ts';
import { DRAWINGS, IMAGES, STYLES } from './folders.ts';
import { FILE } from './fonts.ts';
import { heroDrawings } from './hero-drawings.ts';
import { HUES, palette, type Hue } from './palette.ts';
import { rasterise } from './pictures.ts';
import { scenes } from './scenes.ts';

jest.setTimeout(60_000);

/** Small enough to be drawn at once, large enough for fine lines to be the same. */
const WIDTH = 480;

test.each(Object.entries(scenes))(
  'the picture %s in content/images is what the program draws',
  async (key, { hue }) => {
    const [drawn, written] = await Promise.all(
      [await rasterise(key, WIDTH), sharp(join(IMAGES, `${key}.jpg`)).resize(WIDTH)].map((image) =>
        image.raw().toBuffer(),
      ),
    );
    if (!drawn || !written) throw new Error('nothing is drawn');
    const difference = drawn.reduce((sum, value, at) => sum + Math.abs(value - (written[at] ?? 0)), 0) / drawn.length;
    expect(difference).toBeLessThan(2);
    // The banner goes on in one tint at the left of its picture.
    const tint = [1, 3, 5].map((at) => Number.parseInt(palette(hue).ground.slice(at, at + 2), 16));
    for (let row = 0; row < written.length; row += WIDTH * 3)
      tint.forEach((value, channel) => expect(Math.abs((written[row + channel] ?? 0) - value)).toBeLessThanOrEqual(2));
  },
);

test.each(Object.keys(heroDrawings))('the drawing %s in the page is what the program draws', async (name) => {
  expect(await readFile(join(DRAWINGS, `${name}.ts`), 'utf8')).toBe(drawingModule(name));
});

async function styleSheets(): Promise<string> {
  const files = (await readdir(STYLES)).filter((file) => file.endsWith('.css'));
  return (await Promise.all(files.map((file) => readFile(join(STYLES, file), 'utf8')))).join('\n');
}

test('the style sheets have the colours that the pictures are drawn in', async () => {
  const styles = await styleSheets();
  for (const hue of Object.keys(HUES) as Hue[]) {
    expect(styles).toContain(HUES[hue]);
    expect(styles).toContain(palette(hue).ground);
  }
});

test('the style sheets have the measures of the display face for the font that stands in for it', async () => {
  const { sizeAdjust, ascentOverride, descentOverride } = fallbackMetrics(await outlines(700));
  const styles = await styleSheets();
  expect(styles).toContain(`size-adjust: ${sizeAdjust}%`);
  expect(styles).toContain(`ascent-override: ${ascentOverride}%`);
  expect(styles).toContain(`descent-override: ${descentOverride}%`);
});

test('the display face has all letters of a heading in at most 30 kB', async () => {
  const face = await outlines(700);
  for (const letter of 'Größe, naïve “façade” – 99 % · €8,000 × 10−2')
    expect(face.charToGlyphIndex(letter)).toBeGreaterThan(0);
  expect((await stat(join(STYLES, 'fonts', FILE))).size).toBeLessThanOrEqual(30_000);
});
