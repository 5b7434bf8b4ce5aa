import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import satori, { type Font } from 'satori';
import sharp from 'sharp';
import { cached, hashOf } from './cache.ts';
import { colourToken } from './colour-token.ts';
import { socialImagePath } from '../src/app/social-image.ts';
import type { Page } from './content/schema.ts';
import { IMAGES, readImages } from './images.ts';
import { EDGE_BOTTOM, SOCIAL_SIZE, SocialCard } from './social-card.tsx';

/** What a page shows of itself where it is shared. */
export interface SocialPicture {
  readonly title: string;
  readonly kicker: string;
  readonly company: string;
  /** Name of a colour token, such as `hue-teal`. */
  readonly hue: string;
  /** What fills the right side: a master in `content/images`. */
  readonly picture: string;
}

const JPEG = { quality: 74, quantisationTable: 3, chromaSubsampling: '4:4:4' } as const;

/** The picture as a JPEG, kept between builds. */
export async function socialPicture(shown: SocialPicture): Promise<Uint8Array> {
  const [words, picture] = await Promise.all([drawWords(shown), readFile(join(IMAGES, shown.picture))]);
  return cached(`${hashOf(words, picture, JSON.stringify(JPEG))}-social.jpg`, async () => {
    const { width, height } = SOCIAL_SIZE;
    // What a banner shows stands at its right: its text lies over the left.
    const right = await sharp(picture)
      .autoOrient()
      .resize(width - EDGE_BOTTOM, height, { fit: 'cover', position: 'right' })
      .toBuffer();
    return sharp({ create: { width, height, channels: 3, background: colourToken('paper') } })
      .composite([{ input: right, left: EDGE_BOTTOM, top: 0 }, { input: Buffer.from(words) }])
      .jpeg(JPEG)
      .toBuffer();
  });
}

/** The words as SVG, their letters as outlines: no font of the machine is needed. */
export async function drawWords({ hue, ...words }: Omit<SocialPicture, 'picture'>): Promise<string> {
  const colours = { ink: colourToken('ink'), paper: colourToken('paper'), accent: colourToken(hue) };
  const mark = (await readFile(join(IMAGES, 'logo.svg'), 'utf8')).replaceAll('currentColor', colours.ink);
  const logo = `data:image/svg+xml,${encodeURIComponent(mark)}`;
  return satori(SocialCard({ ...words, colours, logo }), { ...SOCIAL_SIZE, fonts: await (fonts ??= loadFonts()) });
}

let fonts: Promise<Font[]> | undefined;

/** The display face in the form that satori reads: one weight a file, and not packed as WOFF2. */
function loadFonts(): Promise<Font[]> {
  const family = '@fontsource/bricolage-grotesque';
  const folder = dirname(createRequire(import.meta.url).resolve(`${family}/package.json`));
  return Promise.all(
    ([600, 800] as const).map(async (weight) => ({
      name: 'display',
      weight,
      data: await readFile(join(folder, `files/bricolage-grotesque-latin-${weight}-normal.woff`)),
    })),
  );
}

/** Picture behind the title of pages that have none. */
const DEFAULT_PICTURE = 'social-card';

/** One picture a page, with the page's banner beside its title. */
export async function socialPictures(
  pages: readonly Page[],
  company: string,
): Promise<readonly (readonly [path: string, picture: Uint8Array])[]> {
  const { images } = readImages();
  return Promise.all(
    pages.map(async (page) => {
      const { picture: banner, heading, kicker = page.name } = page.hero;
      const picture = images.get(banner?.image ?? DEFAULT_PICTURE)?.file ?? images.get(DEFAULT_PICTURE)?.file;
      if (!picture)
        throw new Error(`content/images has no ${DEFAULT_PICTURE}, which shared pages without a picture show`);
      const shown = { title: heading, kicker, hue: `hue-${page.hue}`, company, picture };
      return [socialImagePath(page.path).slice(1), await socialPicture(shown)] as const;
    }),
  );
}
