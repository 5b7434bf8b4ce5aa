import { loadContent } from '../../frontend/builder/content/load-content.ts';
import { CONTENT } from '../../frontend/builder/paths.ts';

/** Content of the site. Tests use it because editors may change it. */
export const { company, consent, jobs, navigation, pages, wording } = loadContent(CONTENT);

type AtLeastTwo<Item> = readonly [Item, Item, ...Item[]];
type Service = { readonly name: string; readonly href: string; readonly description: string };
type MenuGroup = { readonly name: string; readonly description: string; readonly services: AtLeastTwo<Service> };

/** Dropdowns of the top bar in navigation.yaml. */
export const menuGroups = navigation.menu.flatMap((entry) =>
  'links' in entry
    ? [{ ...entry, name: entry.label, services: entry.links.map((link) => ({ ...link, name: link.label })) }]
    : [],
) as unknown as AtLeastTwo<MenuGroup>;

/** Path of a page of a service. */
export const servicePath = menuGroups[0].services[0].href;

/** A page with one figure, and the id of the figure. */
export const figurePage = pages.flatMap(({ path, sections }) => {
  const [figure, ...others] = sections.flatMap((section) => (section.kind === 'figure' ? [section] : []));
  return figure?.id && others.length === 0 ? [{ path, id: figure.id }] : [];
})[0];
