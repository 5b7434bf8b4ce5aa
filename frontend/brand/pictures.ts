import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { IMAGES } from './folders.ts';
import { palette } from './palette.ts';
import { scenes } from './scenes.ts';
import { stage, WIDTH } from './stage.ts';

/** The widest file that the site serves. */
const MASTER_WIDTH = 1920;
const SOCIAL_CARD_WIDTH = 1200;

/** Writes one master a picture whose key contains `filter`. */
export async function writePictures(filter = ''): Promise<void> {
  for (const key of Object.keys(scenes).filter((name) => name.includes(filter))) {
    const file = join(IMAGES, `${key}.jpg`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await master(key, key === 'social-card' ? SOCIAL_CARD_WIDTH : MASTER_WIDTH));
  }
}

/** A picture at full size. JPEG, because a PNG of the same weighs twice as much and shows no more. */
const master = async (key: string, width: number) =>
  (await rasterise(key, width)).jpeg({ quality: 90, chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer();

/** A picture in pixels. */
export async function rasterise(key: string, width: number) {
  const drawn = await sharp(Buffer.from(drawPicture(key)), { density: (72 * width) / WIDTH })
    .resize(width)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(drawn.data, { raw: drawn.info });
}

/** A picture as SVG. */
export function drawPicture(key: string): string {
  const drawn = scenes[key];
  if (!drawn) throw new Error(`No scene draws ${key}`);
  return stage(drawn.scene, palette(drawn.hue));
}
