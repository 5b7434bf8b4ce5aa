import { fileURLToPath } from 'node:url';
import { loadContent } from '../../frontend/build/content/load-content.ts';

const { navigation } = loadContent(fileURLToPath(new URL('../../frontend/content', import.meta.url)));

type AtLeastTwo<Item> = readonly [Item, Item, ...Item[]];
type Service = { readonly name: string; readonly href: string; readonly description: string };
type MenuGroup = { readonly name: string; readonly description: string; readonly services: AtLeastTwo<Service> };

/** The dropdowns of the top bar, as navigation.yaml has them. */
export const menuGroups = navigation.menu.flatMap((entry) =>
  'links' in entry
    ? [{ ...entry, name: entry.label, services: entry.links.map((link) => ({ ...link, name: link.label })) }]
    : [],
) as unknown as AtLeastTwo<MenuGroup>;
