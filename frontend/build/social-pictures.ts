import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '../src/content/schema.ts';
import { socialImagePath } from '../src/app/social-image.ts';
import { rasterise, socialDrawing } from './social-picture.ts';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/social-pictures');

/** One picture a page, kept between builds under a hash of what is drawn. */
export async function socialPictures(
  pages: readonly Page[],
): Promise<readonly (readonly [path: string, picture: Uint8Array])[]> {
  await mkdir(CACHE, { recursive: true });
  return Promise.all(
    pages.map(async (page) => {
      const words = {
        title: page.hero.heading,
        kicker: page.hero.kicker ?? page.name,
        hue: page.hue,
        slug: page.path.split('/').at(-1) || 'home',
      };
      const drawing = await socialDrawing(words);
      const cached = join(CACHE, createHash('sha256').update(drawing).digest('hex'));
      const picture = await readFile(cached).catch(async () => {
        const drawn = await rasterise(drawing);
        await writeFile(cached, drawn);
        return drawn;
      });
      return [socialImagePath(page.path).slice(1), picture] as const;
    }),
  );
}
