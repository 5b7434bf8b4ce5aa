import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/** Lucide set: the shapes of each icon by name, and the current name of each renamed icon. */
interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  readonly aliases: Readonly<Record<string, { readonly parent: string }>>;
}

const MODULE = 'virtual:icons';
const { icons, aliases } = createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as IconSet;

/** Name of an icon of the Lucide set (lucide.dev/icons). */
export type IconName = string;

export const iconNames: readonly IconName[] = [...Object.keys(icons), ...Object.keys(aliases)];

/** Part of an icon: an SVG element and its attributes. */
export type Shape = readonly [element: string, attributes: Readonly<Record<string, string>>];

/**
 * Returns the shapes of an icon on a square of 24 units, without presentation attributes: colour and stroke come from
 * the page's CSS.
 */
export function iconShapes(name: IconName): readonly Shape[] {
  const icon = icons[aliases[name]?.parent ?? name];
  if (!icon) throw new Error(`There is no icon "${name}" in the Lucide set`);
  return [...icon.body.matchAll(/<(?!g\b)(\w+) ([^>]*)\/>/g)].map(([, element = '', attributes = '']) => [
    element,
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)]
        .filter(([, key = '', value]) => !key.startsWith('stroke') && value !== 'none')
        .map(([, key = '', value = '']) => [key.replace('-rule', 'Rule'), value]),
    ),
  ]);
}

/** Icons that a form draws in some state. */
export const ICONS_OF_FORMS: readonly IconName[] = ['chevron-down', 'file-text', 'upload', 'x'];

/**
 * Provides `virtual:icons`. Where pages are rendered it has all icons. In the browser it has those of the forms: without
 * one of them, hydration would fail.
 */
export function iconSet(): Plugin {
  return {
    name: 'icons',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      if (this.environment.name === 'ssr')
        return `import { iconShapes } from ${JSON.stringify(import.meta.filename.replaceAll('\\', '/'))};
          export default new Proxy({}, { get: (_, name) => iconShapes(name) });`;
      return `export default ${JSON.stringify(Object.fromEntries(ICONS_OF_FORMS.map((name) => [name, iconShapes(name)])))}`;
    },
  };
}
