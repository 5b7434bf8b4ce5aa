import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The Lucide set as one file: the shapes of an icon by its name, and for former names the one of today. */
interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  readonly aliases: Readonly<Record<string, { readonly parent: string }>>;
}

const MODULE = 'virtual:icons';
/** Components that the browser draws too. */
const IN_BROWSER = ['features', 'components/ui'].map((folder) => join(import.meta.dirname, '../src', folder));
/** An icon's element, of which `name` is a string, or a condition with two of them. */
const ICON = /<Icon(?:Tile)?\s[^>]*?name=(?:"([\w-]+)"|\{[^}]*?'([\w-]+)' : '([\w-]+)'\})/g;

const { icons, aliases } = createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as IconSet;

/** An icon of the Lucide set (lucide.dev/icons). */
export type IconName = string;

export const iconNames: readonly IconName[] = [...Object.keys(icons), ...Object.keys(aliases)];

/** Part of an icon: an SVG element and its attributes. */
export type Shape = readonly [element: string, attributes: Readonly<Record<string, string>>];

/** The shapes of an icon, on a square of 24 units, with what draws it alone: colour and stroke come from the page's CSS. */
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

/** The icons that the code of the forms names: React throws a form away in which it would draw others than the page has. */
export function iconsInBrowser(): readonly IconName[] {
  const code = IN_BROWSER.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  return [
    ...new Set(code.flatMap((text) => [...text.matchAll(ICON)].flatMap(([, ...names]) => names.filter(Boolean)))),
  ];
}

/** `virtual:icons` exports the shapes of icons by their names: all where pages are rendered, in the browser those of the forms. */
export function iconSet(): Plugin {
  return {
    name: 'icons',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      if (this.environment.name === 'ssr')
        return `import { iconShapes } from ${JSON.stringify(import.meta.filename.replaceAll('\\', '/'))};
          export default new Proxy({}, { get: (_, name) => iconShapes(name) });`;
      return `export default ${JSON.stringify(Object.fromEntries(iconsInBrowser().map((name) => [name, iconShapes(name)])))}`;
    },
  };
}
