import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transform, type Selector } from 'lightningcss';
import { compile } from 'tailwindcss';

const SOURCE = join(import.meta.dirname, '../src');

/** Browsers of mid 2024, as Lightning CSS numbers their versions. */
const TARGETS = { chrome: 123 << 16, firefox: 128 << 16, safari: (17 << 16) | (5 << 8) };

/** Tailwind's help for browsers that are older. */
const NONE = 0;

/** What any form is drawn with, in addition to what is in the folder of its island. */
const DRAWN_BY_FORMS = ['actions', 'field', 'field-error', 'honeypot', 'icon', 'notice'];

const CLASS_LIST = /(?<= class=")[^"]+/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

export interface StyledPage {
  readonly html: string;
  readonly css: string;
}

/**
 * The styles of one page: of its own classes, and of those that its island's code names. Classes get names of one or two
 * letters, in the page as in its styles, but for what a script names and for hues, which say what a thing belongs to: the
 * two have to come in one round trip.
 *
 * @param font address of the display face's file
 */
export async function stylePage(html: string, font: string): Promise<StyledPage> {
  const forms = [...html.matchAll(/ data-island="([^"]+)"/g)].flatMap(([, name = '']) => [
    ...textsIn(`features/${name}`),
    ...textsIn('components/ui', DRAWN_BY_FORMS),
  ]);
  const drawnLater = forms.flatMap((text) => text.split(/\s+/));
  const selected = textsIn('boot').flatMap((text) => text.match(/[\w-]+/g) ?? []);
  const inScripts = new Set([...drawnLater, ...selected]);
  const classes = new Set([...html.matchAll(CLASS_LIST)].flatMap(([list]) => classesOf(list)));
  const names = new Map<string, string>();
  const short = (name: string) => {
    if (!classes.has(name) || inScripts.has(name) || name.startsWith('hue-')) return name;
    if (!names.has(name)) names.set(name, letters(names.size));
    return names.get(name) ?? name;
  };

  // Every border of the site is solid, and so is Tailwind's variable for its style.
  const sheet = (await sheetOf([...classes, ...drawnLater])).replaceAll('var(--tw-border-style)', 'solid');
  // What Tailwind notes for utilities that this page does not have.
  const used = new Set([...sheet.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const { code } = transform({
    filename: 'page.css',
    code: Buffer.from(sheet),
    minify: true,
    targets: TARGETS,
    visitor: {
      Selector: (selector) => rename(selector, short),
      Url: (url) => ({ ...url, url: font }),
      Declaration: { custom: ({ name }) => (name.startsWith('--tw-') && !used.has(name) ? [] : undefined) },
      Rule: { property: ({ value }) => (used.has(value.name) ? undefined : []) },
    },
  });
  return {
    css: code.toString().replace(/^\/\*.*\*\/\n/, ''),
    html: html.replaceAll(CLASS_LIST, (list) => classesOf(list).map(short).join(' ')),
  };
}

/** The style sheet with these classes, and not those that it names itself for the whole site. */
async function sheetOf(classes: string[]): Promise<string> {
  const file = join(SOURCE, 'styles/app.css');
  const { build } = await compile(readFileSync(file, 'utf8').replaceAll(/^@source .*$/gm, ''), {
    polyfills: NONE,
    async loadStylesheet(id, base) {
      const path = createRequire(file).resolve(id);
      return { path, base, content: readFileSync(path, 'utf8') };
    },
  });
  return build(classes);
}

/** Also within `:is()` and its like. */
function rename(selector: Selector, short: (name: string) => string): Selector {
  for (const part of selector) {
    if (part.type === 'class') part.name = short(part.name);
    else if ('selectors' in part) for (const inner of (part.selectors ?? []) as Selector[]) rename(inner, short);
  }
  return selector;
}

const classesOf = (list: string) => list.replaceAll(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity).split(' ');

/** The texts in the code of a folder: some are names of classes. What stands round a form is drawn by the page alone. */
const textsIn = (folder: string, files = readdirSync(join(SOURCE, folder))): string[] =>
  files
    .filter((file) => !/\.test\.|-(?:dialog|section)\./.test(file))
    .map((file) => readFileSync(join(SOURCE, folder, file.includes('.') ? file : `${file}.tsx`), 'utf8'))
    .flatMap((code) => code.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [])
    .map((text) => text.slice(1, -1).replaceAll(/\$\{|\}/g, ' '));

/** `a` to `Z`, then `aa` and so on; the site has no such name. */
const letters = (index: number): string =>
  (index < ALPHABET.length ? '' : letters(Math.floor(index / ALPHABET.length) - 1)) + ALPHABET[index % ALPHABET.length];
