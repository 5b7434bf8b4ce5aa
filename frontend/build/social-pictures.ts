import { company } from '../src/content/company.ts';
import type { Page } from '../src/content/model.ts';
import { socialImagePath } from '../src/app/social-image.ts';
import { readImages } from './images.ts';
import { socialPicture } from './social-picture.ts';

/** Picture behind the title of pages that have none. */
const DEFAULT_PICTURE = 'social-card';

/** One picture a page, with the page's banner beside its title. */
export async function socialPictures(
  pages: readonly Page[],
): Promise<readonly (readonly [path: string, picture: Uint8Array])[]> {
  const { images } = await readImages();
  return Promise.all(
    pages.map(async (page) => {
      const { art, heading, kicker = page.name } = page.hero;
      const key = typeof art === 'object' ? art.key : DEFAULT_PICTURE;
      const picture = images.get(key)?.file ?? images.get(DEFAULT_PICTURE)?.file;
      if (!picture)
        throw new Error(`content/images has no ${DEFAULT_PICTURE}, which shared pages without a picture show`);
      const shown = { title: heading, kicker, hue: `hue-${page.hue}`, company: company.name, picture };
      return [socialImagePath(page.path).slice(1), await socialPicture(shown)] as const;
    }),
  );
}
