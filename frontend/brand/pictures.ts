import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { CONTENT, PUBLIC } from './folders.ts';
import { palette } from './palette.ts';
import { scenes } from './scenes.ts';
import { HEIGHT, stage, WIDTH } from './stage.ts';

/** Up to a banner on a large screen with two device pixels to one of CSS. */
const WIDTHS = [480, 800, 1200, 1600, 2400] as const;

/** Width of the plain JPEG that every browser reads. */
const FALLBACK_WIDTH = 1200;

/** Draws the pictures whose key contains `filter`, as AVIF and WebP in every width and as one JPEG. */
export async function writePictures(filter = ''): Promise<void> {
  for (const [key, { hue, scene }] of Object.entries(scenes)) {
    if (key.includes(filter)) await write(key, stage(scene, palette(hue)));
  }
  await writeFile(join(CONTENT, 'images.ts'), manifest());
}

async function write(key: string, svg: string): Promise<void> {
  const file = join(PUBLIC, 'images', key);
  await mkdir(dirname(file), { recursive: true });
  const master = await sharp(Buffer.from(svg), { density: 144 })
    .resize(WIDTH * 2)
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer();
  for (const width of WIDTHS) {
    const scaled = sharp(
      await sharp(master).resize(width, undefined, { kernel: 'lanczos3' }).png({ compressionLevel: 1 }).toBuffer(),
    );
    await scaled.clone().avif({ quality: 66, effort: 5, chromaSubsampling: '4:4:4' }).toFile(`${file}-${width}.avif`);
    await scaled.clone().webp({ quality: 82, effort: 6, smartSubsample: true }).toFile(`${file}-${width}.webp`);
    if (width === FALLBACK_WIDTH) await scaled.clone().jpeg({ quality: 80, mozjpeg: true }).toFile(`${file}.jpg`);
  }
}

function manifest(): string {
  const size = `{ width: ${WIDTH}, height: ${HEIGHT}, widths: [${WIDTHS.join(', ')}] }`;
  return `/** Pictures of the site by key: intrinsic size and the widths that exist. Written by \`npm run art\`. */
export const images = {
${Object.keys(scenes)
  .map((key) => `  '${key}': ${size},`)
  .join('\n')}
} as const;

export type ImageKey = keyof typeof images;
`;
}
