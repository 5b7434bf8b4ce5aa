import { createRequire } from 'node:module';

/** The Lucide set as one file: the shapes of an icon by its name, and for former names the one of today. */
interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  readonly aliases: Readonly<Record<string, { readonly parent: string }>>;
}

const { icons, aliases } = createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as IconSet;

/** An icon of the Lucide set (lucide.dev/icons); the build puts those that the site shows into one SVG sprite. */
export type IconName = string;

export const iconNames: readonly IconName[] = [...Object.keys(icons), ...Object.keys(aliases)];

/** The shapes of an icon, on a square of 24 units, with what draws it alone: colour and stroke come from the page's CSS. */
export function iconShapes(name: IconName): string {
  const icon = icons[aliases[name]?.parent ?? name];
  if (!icon) throw new Error(`There is no icon "${name}" in the Lucide set`);
  return icon.body.replaceAll(/<\/?g[^>]*>| (?:fill="none"|stroke(?:-\w+)?="[^"]*")/g, '');
}
