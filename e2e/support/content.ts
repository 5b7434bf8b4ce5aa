import { fileURLToPath } from 'node:url';
import { loadContent } from '../../frontend/build/content/load-content.ts';

/** Content of the site. Tests use it because editors may change it. */
export const { navigation, wording } = loadContent(fileURLToPath(new URL('../../frontend/content', import.meta.url)));

type AtLeastTwo<Item> = readonly [Item, Item, ...Item[]];
type Service = { readonly name: string; readonly href: string; readonly description: string };
type MenuGroup = { readonly name: string; readonly description: string; readonly services: AtLeastTwo<Service> };

/** Dropdowns of the top bar in navigation.yaml. */
export const menuGroups = navigation.menu.flatMap((entry) =>
  'links' in entry
    ? [{ ...entry, name: entry.label, services: entry.links.map((link) => ({ ...link, name: link.label })) }]
    : [],
) as unknown as AtLeastTwo<MenuGroup>;
