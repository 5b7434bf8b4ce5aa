import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { socialImagePath } from '../src/app/social-image.ts';
import { cached, hashOf } from './cache.ts';
import { colourToken } from './colour-token.ts';
import type { Page } from './content/schema.ts';
import { IMAGES, readImages } from './images.ts';

const SIZE = { width: 1200, height: 630 } as const;
const JPEG = { quality: 74, quantisationTable: 3, chromaSubsampling: '4:4:4' } as const;

/** What pages without a banner show. */
const DEFAULT_PICTURE = 'social-card';

/** The logo's height, and its distance from the corner, in pixels. */
const [LOGO_HEIGHT, LOGO_PLACE] = [150, 60];

/** What a page shows of itself where it is shared, beside its title: its banner with the logo. One a page, by its path. */
export async function socialPictures(
  pages: readonly Page[],
): Promise<readonly (readonly [path: string, picture: Uint8Array])[]> {
  const { images } = readImages();
  return Promise.all(
    pages.map(async ({ path, hero: { picture: banner } }) => {
      const file = images.get(banner?.image ?? DEFAULT_PICTURE)?.file ?? images.get(DEFAULT_PICTURE)?.file;
      if (!file) throw new Error(`content/images has no ${DEFAULT_PICTURE}, which shared pages without a picture show`);
      return [socialImagePath(path).slice(1), await socialPicture(file)] as const;
    }),
  );
}

/** The picture as a JPEG, kept between builds. */
export async function socialPicture(file: string): Promise<Uint8Array> {
  const picture = await readFile(join(IMAGES, file));
  const logo = (await readFile(join(IMAGES, 'logo.svg'), 'utf8')).replaceAll('currentColor', colourToken('white'));
  return cached(`${hashOf(logo, picture, JSON.stringify(JPEG))}-social.jpg`, async () => {
    const mark = await sharp(Buffer.from(logo), { density: 400 }).resize({ height: LOGO_HEIGHT }).png().toBuffer();
    const top = SIZE.height - LOGO_HEIGHT - LOGO_PLACE;
    // What a banner shows stands at its right: its text lies over the left.
    return sharp(picture)
      .autoOrient()
      .resize({ ...SIZE, position: 'right' })
      .composite([{ input: mark, left: LOGO_PLACE, top }])
      .flatten({ background: colourToken('surface') })
      .jpeg(JPEG)
      .toBuffer();
  });
}
