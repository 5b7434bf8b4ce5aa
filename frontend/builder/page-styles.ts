import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { transform, type CustomAtRules, type MediaQuery, type Selector, type Visitor } from 'lightningcss';
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

/** End of the first section of a page, which is the first screen together with the top bar. */
const FIRST_SECTION_END = /(?<=<main.*?<\/section>)/s;

/** Elements of every document. */
const DOCUMENT = new Set(['html', 'body']);

/** A custom property that a rule or an element reads. */
const READ = /var\((--[\w-]+)/g;

export interface StyledPage {
  readonly html: string;
  /** Rules of the first screen. */
  readonly critical: string;
}

export interface StyledSite {
  readonly pages: readonly StyledPage[];
  /** Rules of all pages. It repeats the critical ones, because the order of rules decides between classes. */
  readonly sheet: string;
}

/**
 * Returns the pages with the critical CSS of each, and one style sheet for what is below the first screens. Classes get
 * names of one or two letters, the same on all pages. Classes that scripts or React use keep their names, and so do
 * hues, which say what an element belongs to.
 *
 * @param font address of the display face's file
 * @param forms HTML of all states of each form, by the name of its island
 */
export async function styleSite(
  pages: readonly string[],
  font: string,
  forms: Readonly<Record<string, string>>,
): Promise<StyledSite> {
  const ofForms = (html: string) =>
    [...html.matchAll(/ data-island="([^"]+)"/g)].flatMap(([, name = '']) => classesIn(forms[name]));
  const all = pages.join('');
  const names = shortNames(classesIn(all), new Set([...ofForms(all), ...SELECTED]));
  const short = (name: string) => names.get(name) ?? name;
  const style = (html: string, isCritical: boolean) =>
    sheetOf({ html, classes: [...classesIn(html), ...ofForms(html)], font, short, isCritical });
  return {
    pages: await Promise.all(
      pages.map(async (html) => ({
        html: html.replaceAll(CLASS_LIST, (list) => classesOf(list).map(short).join(' ')),
        critical: await style(splitPage(html)[0], true),
      })),
    ),
    sheet: await style(all, false),
  };
}

/** Splits a page after its first screen. */
export const splitPage = (html: string): readonly [firstScreen: string, rest: string] => {
  const [first = '', ...rest] = html.split(FIRST_SECTION_END);
  return [first, rest.join('')];
};
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

interface SheetOptions {
  /** HTML that the rules are for. */
  readonly html: string;
  readonly classes: readonly string[];
  readonly font: string;
  readonly short: (name: string) => string;
  readonly isCritical: boolean;
}

/** Returns the rules for a part of the site, minified. */
async function sheetOf({ html, classes, font, short, isCritical }: SheetOptions): Promise<string> {
  // Every border of the site is solid, so Tailwind's variable for the style is not needed.
  const compiled = (await compileFor(classes)).replaceAll('var(--tw-border-style)', 'solid');
  const known = new Set(classes);
  const rules = minify(compiled, {
    Url: (url) => ({ ...url, url: font }),
    Rule: {
      style: ({ value }) =>
        value.selectors.some((selector) => isPartOf(selector, html, isCritical && known)) ? undefined : [],
      media: ({ value }) => (isCritical && value.query.mediaQueries.every(isForPrint) ? [] : undefined),
      // The face of the critical CSS may be in use already.
      'font-face': () => (isCritical ? undefined : []),
      'counter-style': ({ value }) => (compiled.includes(`list-style-type: ${value.name}`) ? undefined : []),
    },
  });
  // Custom properties that this part reads. Tailwind and the tokens declare more.
  const used = new Set([...`${rules}${html}`.matchAll(READ)].map(([, name]) => name));
  return minify(rules, {
    Selector: (selector) => rename(selector, short),
    // Lightning CSS counts properties that it does not know, such as `content`, as custom ones.
    Declaration: { custom: ({ name }) => (name.startsWith('--') && !used.has(name) ? [] : undefined) },
    Rule: { property: ({ value }) => (used.has(value.name) ? undefined : []) },
  });
}

const minify = (css: string, visitor: Visitor<CustomAtRules>) =>
  transform({ filename: 'page.css', code: Buffer.from(css), minify: true, targets: TARGETS, visitor })
    .code.toString()
    .replace(/^\/\*.*\*\/\n/, '');

const isForPrint = ({ mediaType, qualifier }: MediaQuery) => mediaType === 'print' && qualifier !== 'not';

/** Compiles the style sheet for these classes, without those that it lists for the whole site. */
async function compileFor(classes: readonly string[]): Promise<string> {
  const file = join(FRONTEND, STYLES);
  const { build } = await compile(readFileSync(file, 'utf8').replaceAll(/^@source .*$/gm, ''), {
    polyfills: NONE,
    async loadStylesheet(id, base) {
      if (id === './brand.css') return { path: id, base, content: brandCss().replaceAll(/^@source .*$/gm, '') };
      const path = createRequire(file).resolve(id);
      return { path, base, content: readFileSync(path, 'utf8') };
    },
  });
  return build([...classes]);
}

/**
 * Whether a part of the site can have elements that the selector matches: it has the attributes of {@link BUILT}, and,
 * if its classes are known, the classes and elements.
 */
const isPartOf = (selector: Selector, html: string, classes: ReadonlySet<string> | false) =>
  selector.every((part) => {
    if (part.type === 'attribute' && BUILT.has(part.name))
      return html.includes(part.operation ? ` ${part.name}="${part.operation.value}"` : ` ${part.name}=`);
    if (!classes) return true;
    if (part.type === 'class') return classes.has(part.name);
    return part.type !== 'type' || DOCUMENT.has(part.name) || new RegExp(`<${part.name}[ >]`).test(html);
  });

/** Returns a short name for each class, the shortest for the most frequent, except for those of scripts and hues. */
function shortNames(classes: readonly string[], inScripts: ReadonlySet<string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of classes)
    if (!inScripts.has(name) && !name.startsWith('hue-')) counts.set(name, (counts.get(name) ?? 0) + 1);
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one);
  return new Map(frequent.map(([name], index) => [name, SHORT_NAMES[index] ?? name]));
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
