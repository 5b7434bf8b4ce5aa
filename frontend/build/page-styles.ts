import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { transform, type Selector } from 'lightningcss';
import { compile } from 'tailwindcss';
import { brandCss } from './brand.ts';
import { FRONTEND, STYLES } from './paths.ts';
import { HEADINGS } from '../src/boot/display-font.ts';
import { CALLS } from '../src/boot/scroll-state.ts';

/** Browsers of mid 2024, in the version numbers of Lightning CSS. */
const TARGETS = { chrome: 123 << 16, firefox: 128 << 16, safari: (17 << 16) | (5 << 8) };

/** Polyfills of Tailwind for older browsers. */
const NONE = 0;

/** Classes that the boot selects elements by. */
const SELECTED = [...`${HEADINGS}, ${CALLS}`.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name);

/** Attributes that no script sets. A rule for one that the page lacks belongs to another page. */
const BUILT = new Set(['data-section', 'data-kite', 'data-string', 'data-place']);

const CLASS_LIST = /(?<= class=")[^"]+/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** `a` to `Z`, then `aa` and so on, without the names that ad blockers hide. No class of the site has such a name. */
const SHORT_NAMES = LETTERS.concat(LETTERS.flatMap((one) => LETTERS.map((other) => one + other))).filter(
  (name) => !/^ad/i.test(name),
);

export interface StyledPage {
  readonly html: string;
  readonly css: string;
}

/**
 * Returns a page with its critical CSS: the rules for its own classes, and for those of every state of its form.
 * Classes get names of one or two letters, so that page and styles fit into one round trip. Classes that scripts or
 * React use keep their names, and so do hues, which say what an element belongs to.
 *
 * @param font address of the display face's file
 * @param forms HTML of all states of each form, by the name of its island
 */
export async function stylePage(
  html: string,
  font: string,
  forms: Readonly<Record<string, string>>,
): Promise<StyledPage> {
  const drawnLater = [...html.matchAll(/ data-island="([^"]+)"/g)].flatMap(([, name = '']) => classesIn(forms[name]));
  const inScripts = new Set([...drawnLater, ...SELECTED]);
  const classes = new Set(classesIn(html));
  const names = new Map<string, string>();
  const short = (name: string) => {
    if (!classes.has(name) || inScripts.has(name) || name.startsWith('hue-')) return name;
    if (!names.has(name)) names.set(name, SHORT_NAMES[names.size] ?? name);
    return names.get(name) ?? name;
  };

  // Every border of the site is solid, so Tailwind's variable for the style is not needed.
  const sheet = (await sheetOf([...classes, ...drawnLater])).replaceAll('var(--tw-border-style)', 'solid');
  // Custom properties that this page reads. Tailwind and the tokens declare more.
  const used = new Set([...`${sheet}${html}`.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const { code } = transform({
    filename: 'page.css',
    code: Buffer.from(sheet),
    minify: true,
    targets: TARGETS,
    visitor: {
      Selector: (selector) => rename(selector, short),
      Url: (url) => ({ ...url, url: font }),
      // Lightning CSS counts properties that it does not know, such as `content`, as custom ones.
      Declaration: { custom: ({ name }) => (name.startsWith('--') && !used.has(name) ? [] : undefined) },
      Rule: {
        style: ({ value }) => (value.selectors.some((selector) => isOnPage(selector, html)) ? undefined : []),
        property: ({ value }) => (used.has(value.name) ? undefined : []),
        'counter-style': ({ value }) => (sheet.includes(`list-style-type: ${value.name}`) ? undefined : []),
      },
    },
  });
  return {
    css: code.toString().replace(/^\/\*.*\*\/\n/, ''),
    html: html.replaceAll(CLASS_LIST, (list) => classesOf(list).map(short).join(' ')),
  };
}

/**
 * Checks the files of which the style sheet has the classes. Tailwind ignores a folder that is missing, as in an image
 * that copies only a part of the repository.
 *
 * @throws if a pattern of `@source` finds no file
 */
export function checkSources(file = join(FRONTEND, STYLES)): void {
  for (const [, pattern = ''] of readFileSync(file, 'utf8').matchAll(/^@source '([^']+)';$/gm))
    if (globSync(pattern, { cwd: dirname(file) }).length === 0)
      throw new Error(`${file}: @source '${pattern}' finds no file, so pages would lack their styles`);
}

/** Compiles the style sheet for these classes, without those that it lists for the whole site. */
async function sheetOf(classes: string[]): Promise<string> {
  const file = join(FRONTEND, STYLES);
  const { build } = await compile(readFileSync(file, 'utf8').replaceAll(/^@source .*$/gm, ''), {
    polyfills: NONE,
    async loadStylesheet(id, base) {
      if (id === './brand.css') return { path: id, base, content: brandCss().replaceAll(/^@source .*$/gm, '') };
      const path = createRequire(file).resolve(id);
      return { path, base, content: readFileSync(path, 'utf8') };
    },
  });
  return build(classes);
}

/** Whether the page has the attributes of {@link BUILT} that the selector requires. */
const isOnPage = (selector: Selector, html: string) =>
  selector.every(
    (part) =>
      part.type !== 'attribute' ||
      !BUILT.has(part.name) ||
      html.includes(part.operation ? ` ${part.name}="${part.operation.value}"` : ` ${part.name}=`),
  );

/** Renames classes, also those within `:is()`, `:has()` and `:not()`. */
function rename(selector: Selector, short: (name: string) => string): Selector {
  for (const part of selector) {
    if (part.type === 'class') part.name = short(part.name);
    else if ('selectors' in part) for (const inner of (part.selectors ?? []) as Selector[]) rename(inner, short);
  }
  return selector;
}

const classesOf = (list: string) => list.replaceAll(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity).split(' ');

const classesIn = (html = '') => [...html.matchAll(CLASS_LIST)].flatMap(([list]) => classesOf(list));
