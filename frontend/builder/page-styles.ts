import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transform, type CustomAtRules, type Selector, type Visitor } from 'lightningcss';
import { compile } from 'tailwindcss';
import { brandCss } from './brand.ts';
import { FRONTEND, STYLES } from './paths.ts';
import { LEAN } from '../src/boot/hold-string.ts';
import { CALLS } from '../src/boot/scroll-state.ts';

/** Browsers of mid 2024, in the version numbers of Lightning CSS. */
const TARGETS = { chrome: 123 << 16, firefox: 128 << 16, safari: (17 << 16) | (5 << 8) };

/** Polyfills of Tailwind for older browsers. */
const NONE = 0;

/** Classes that the boot selects elements by. */
const SELECTED = [...CALLS.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name);

/** Attributes that pages and forms have or lack from the build on. A rule for another one belongs to another page. */
const BUILT = new Set(
  ['section', 'hero', 'ground', 'voice', 'head', 'shape', 'kite', 'string', 'place'].map((name) => `data-${name}`),
).add('aria-disabled');

const CLASS_LIST = /(?<= class=")[^"]+/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** `a` to `z`, then `aa` and so on, without the names that ad blockers hide. No class of the site has such a name. */
const SHORT_NAMES = LETTERS.concat(LETTERS.flatMap((one) => LETTERS.map((other) => one + other))).filter(
  (name) => !name.startsWith('ad'),
);

/** Elements of every document. */
const DOCUMENT = new Set(['html', 'body']);

/** A custom property that a rule or an element reads. */
const READ = /var\((--[\w-]+)/g;

/**
 * Returns a page with its styles: all that its elements can need, in every state and on paper, so that it waits for no style
 * sheet. Classes and custom properties get names of one or two letters, without which the largest pages would not fit one
 * round trip. Those that scripts or React use keep their names, and so do hues, which say what an element belongs to.
 *
 * @param font address of the display face's file
 * @param forms HTML of all states of each form, by the name of its island
 */
export async function stylePage(html: string, font: string, forms: Readonly<Record<string, string>>) {
  const ofForms = [...html.matchAll(/ data-island="([^"]+)"/g)].map(([, name = '']) => forms[name] ?? '').join('');
  const kept = new Set([...classesIn(ofForms), ...SELECTED]);
  const short = shortener((name) => kept.has(name) || name.startsWith('hue-'));
  // First the styles: in their order, names compress best.
  const css = await stylesFor(html + ofForms, font, short);
  return { html: html.replaceAll(CLASS_LIST, (list) => classesOf(list).map(short).join(' ')), css };
}

/** Returns the rules for a page with all states of its forms, minified. */
async function stylesFor(html: string, font: string, short: (name: string) => string): Promise<string> {
  const classes = new Set(classesIn(html));
  // Variables of Tailwind for mixes of utilities and for shadow roots, which the site does not have. Every border is solid
  // (styles/base.css).
  const compiled = (await compileFor(classes))
    .replaceAll(/border(?:-\w+)*-style: var\(--tw-border-style\);/g, '')
    .replaceAll(/--tw-content: (.*);\s*content: var\(--tw-content\)/g, 'content: $1')
    .replaceAll('var(--tw-content)', "''")
    .replace(':root, :host', ':root');
  const isOfPage = (selector: Selector) => isPartOf(selector, html, classes);
  const rules = minify(compiled, {
    Selector: (selector) => (isOfPage(selector) ? undefined : []),
    Url: (url) => ({ ...url, url: font }),
    Rule: {
      style: ({ value }) => (value.selectors.some(isOfPage) ? undefined : []),
      'counter-style': ({ value }) => (compiled.includes(`list-style-type: ${value.name}`) ? undefined : []),
    },
  });
  // Custom properties and animations that the page uses. Tailwind and the tokens declare more.
  const used = new Set([...`${rules}${html}`.matchAll(READ)].map(([, name]) => name));
  const property = shortener((name) => name === LEAN);
  return minify(rules, {
    DashedIdent: (name) => property(name).replace(/^(?!--)/, '--'),
    Selector: (selector) => rename(selector, short),
    // Lightning CSS counts properties that it does not know, such as `content`, as custom ones.
    Declaration: { custom: ({ name }) => (name.startsWith('--') && !used.has(name) ? [] : undefined) },
    Rule: {
      property: ({ value }) => (used.has(value.name) ? undefined : []),
      keyframes: ({ value }) => (new RegExp(`animation[^;}]*\\b${value.name.value}\\b`).test(rules) ? undefined : []),
    },
  });
}

const minify = (css: string, visitor: Visitor<CustomAtRules>) =>
  transform({ filename: 'page.css', code: Buffer.from(css), minify: true, targets: TARGETS, visitor })
    .code.toString()
    .replace(/^\/\*.*\*\/\n/, '');

/** Compiles the style sheet for these classes, without those that it lists for the whole site. */
async function compileFor(classes: ReadonlySet<string>): Promise<string> {
  const file = join(FRONTEND, STYLES);
  const { build } = await compile(readFileSync(file, 'utf8').replaceAll(/^@source .*$/gm, ''), {
    polyfills: NONE,
    async loadStylesheet(id, base) {
      if (id === './brand.css') return { path: id, base, content: brandCss(true).replaceAll(/^@source .*$/gm, '') };
      const path = createRequire(file).resolve(id);
      return { path, base, content: readFileSync(path, 'utf8') };
    },
  });
  return build([...classes]);
}

/** Whether a page can have elements that the selector matches: it has the classes, the elements, and the attributes of {@link BUILT}. */
const isPartOf = (selector: Selector, html: string, classes: ReadonlySet<string>): boolean =>
  selector.every((part) => {
    if (part.type === 'attribute' && BUILT.has(part.name))
      return html.includes(part.operation ? ` ${part.name}="${part.operation.value}"` : ` ${part.name}=`);
    if (part.type === 'class') return classes.has(part.name);
    if (part.type === 'pseudo-class' && (part.kind === 'is' || part.kind === 'where' || part.kind === 'has'))
      return part.selectors.some((inner) => isPartOf(inner, html, classes));
    return part.type !== 'type' || DOCUMENT.has(part.name) || new RegExp(`<${part.name}[ >]`).test(html);
  });

/** Returns a function that gives each name a short one, in the order of its calls. */
function shortener(keeps: (name: string) => boolean) {
  const names = new Map<string, string>();
  return (name: string): string => {
    if (keeps(name)) return name;
    if (!names.has(name)) names.set(name, SHORT_NAMES[names.size] ?? name);
    return names.get(name) as string;
  };
}

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
