import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { images } from '../src/content/images.ts';
import { PUBLIC, STYLES } from './folders.ts';
import { grounds } from './grounds.ts';
import { palette } from './palette.ts';
import { scenes } from './scenes.ts';
import { stage } from './stage.ts';

jest.setTimeout(60_000);

const folder = join(PUBLIC, 'images');
const keys = Object.keys(scenes);

function draw(key: string): string {
  const drawn = scenes[key];
  if (!drawn) throw new Error(`No scene draws ${key}`);
  return stage(drawn.scene, palette(drawn.hue));
}

test('the manifest names exactly the pictures that are drawn', () => {
  expect(Object.keys(images)).toEqual(keys);
});

describe.each(Object.entries(images))('%s', (key, { width, height, widths }) => {
  test('is drawn the same each time', () => {
    expect(draw(key)).toBe(draw(key));
  });

  test('exists in every width and format, at its ratio', async () => {
    for (const format of ['avif', 'webp']) {
      for (const size of widths) {
        const picture = await sharp(join(folder, `${key}-${size}.${format}`)).metadata();
        expect([picture.width, picture.height]).toEqual([size, Math.round((size * height) / width)]);
      }
    }
    expect((await sharp(join(folder, `${key}.jpg`)).metadata()).format).toBe('jpeg');
  });

  test('weighs at most 40 kB at the width of a phone', async () => {
    expect((await stat(join(folder, `${key}-800.avif`))).size).toBeLessThanOrEqual(40_000);
  });

  test('leaves white text on its left 40 per cent a contrast of at least 7 to 1, and ends flat', async () => {
    const { data, info } = await sharp(Buffer.from(draw(key)))
      .resize(320)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { ground } = palette(scenes[key]?.hue ?? 'sky');
    const flat = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16));
    let brightest = 0;
    for (let y = 0; y < info.height; y++) {
      const row = y * info.width * 3;
      flat.forEach((channel, offset) => expect(Math.abs((data[row + offset] ?? 0) - channel)).toBeLessThanOrEqual(1));
      for (let x = 0; x < info.width * 0.4; x++) brightest = Math.max(brightest, luminance(data, row + x * 3));
    }
    expect(1.05 / (brightest + 0.05)).toBeGreaterThanOrEqual(7);
  });
});

test('banners go on in the tint that the pictures end in', async () => {
  expect(await readFile(join(STYLES, 'grounds.css'), 'utf8')).toBe(grounds());
});

test('all pictures together weigh at most 5 MB', async () => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(5_000_000);
});

/** Relative luminance, WCAG 2.2. */
function luminance(data: Buffer, at: number): number {
  const [r, g, b] = [0, 1, 2].map((offset) => {
    const value = (data[at + offset] ?? 0) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
