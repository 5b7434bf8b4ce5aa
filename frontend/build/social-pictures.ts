import type { Page } from '../src/content/schema.ts';
import { socialImagePath } from '../src/app/social-image.ts';
import { readImages } from './images.ts';
import { socialPicture } from './social-picture.ts';

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
      const { art, heading, kicker = page.name } = page.hero;
      const key = typeof art === 'object' ? art.image : DEFAULT_PICTURE;
      const picture = images.get(key)?.file ?? images.get(DEFAULT_PICTURE)?.file;
      if (!picture)
        throw new Error(`content/images has no ${DEFAULT_PICTURE}, which shared pages without a picture show`);
      const shown = { title: heading, kicker, hue: `hue-${page.hue}`, company, picture };
      return [socialImagePath(page.path).slice(1), await socialPicture(shown)] as const;
    }),
  );
}
