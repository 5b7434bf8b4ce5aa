import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type Container, type Root } from 'postcss';
import selectorParser from 'postcss-selector-parser';
import { PurgeCSS } from 'purgecss';
import purgeHtml from 'purgecss-from-html';

const ROOT = join(import.meta.dirname, '../src');

/** What any form is drawn with, in addition to what is in the folder of its island. */
const DRAWN_BY_FORMS = ['actions', 'field', 'field-error', 'honeypot', 'icon', 'notice'].map(
  (name) => `components/ui/${name}.tsx`,
);

/** Attributes that the boot and the forms set. */
const STATES = [
  'data-js',
  'data-font',
  'data-consent',
  'data-scrolled',
  'data-shown',
  'aria-disabled',
  'aria-invalid',
  'data-over',
];

export interface StyledPage {
  readonly html: string;
  readonly css: string;
}

/**
 * Cuts the style sheet down to what a page's HTML can use, and what its island's code can. Utilities get names of one or
 * two letters, in the page as in its styles: the two have to come in one round trip.
 */
export async function stylePage(css: string, html: string): Promise<StyledPage> {
  const forms = [...html.matchAll(/ data-island="([^"]+)"/g)].flatMap(([, name = '']) => [
    ...codeIn(`features/${name}`),
    ...DRAWN_BY_FORMS.map(read),
  ]);
  const [result] = await new PurgeCSS().purge({
    content: [
      { raw: `<html><body>${html}</body></html>`, extension: 'html' },
      ...forms.map((raw) => ({ raw, extension: 'tsx' })),
    ],
    css: [{ raw: css }],
    extractors: [
      { extractor: purgeHtml, extensions: ['html'] },
      { extractor: namesIn, extensions: ['tsx'] },
    ],
    dynamicAttributes: STATES,
    safelist: [':focus-visible', ':is'],
    variables: true,
    keyframes: true,
  });
  const sheet = parse(result?.css ?? '');
  removeRest(sheet);
  // What a script names keeps its name.
  const boot = codeIn('boot').flatMap((code) => code.match(/[\w-]+/g) ?? []);
  const names = shortNames(sheet, new Set([...boot, ...forms.flatMap(namesIn)]));
  const short = (name: string) => names.get(name) ?? name;
  renameClasses(sheet, short);
  return {
    css: sheet.toString(),
    html: html.replaceAll(/(?<= class=")[^"]*/g, (list) => list.split(' ').map(short).join(' ')),
  };
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const codeIn = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => read(join(folder, file)));

/** Names of classes and elements in code. */
const namesIn = (code: string): string[] => code.match(/[^\s"'`<>{}]+/g) ?? [];

/** Leaves out what PurgeCSS does not look at: registered properties, and Tailwind's help for older browsers. */
function removeRest(sheet: Root): void {
  sheet.walkAtRules('layer', (layer) => void (layer.params === 'properties' && layer.remove()));
  sheet.walkComments((comment) => void comment.remove());
  // Every border of the site is solid, and so Tailwind's variable for its style is that word.
  sheet.walkDecls((line) => void (line.value = line.value.replace('var(--tw-border-style)', 'solid')));
  const used = new Set([...sheet.toString().matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  sheet.walkAtRules('property', (rule) => void (used.has(rule.params) || rule.remove()));
  removeEmpty(sheet);
}

function removeEmpty(container: Container): void {
  container.each((node) => {
    if (node.type !== 'atrule' || !node.nodes || node.name === 'view-transition') return;
    removeEmpty(node as Container);
    if (node.nodes.length === 0) node.remove();
  });
}

/** A short name for every utility, but for the names to be kept and the hues, which are names of the content too. */
function shortNames(sheet: Root, kept: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  sheet.walkAtRules('layer', (layer) => {
    if (layer.params !== 'utilities') return;
    renameClasses(layer, (name) => {
      if (!names.has(name) && !kept.has(name) && !/^hue-|[&<>"']/.test(name)) names.set(name, letters(names.size));
      return name;
    });
  });
  return names;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `a` to `Z`, then `aa` and so on; the site has no such name. */
const letters = (index: number): string =>
  (index < ALPHABET.length ? '' : letters(Math.floor(index / ALPHABET.length) - 1)) + ALPHABET[index % ALPHABET.length];

const renameClasses = (container: Container, to: (name: string) => string) =>
  container.walkRules((rule) => {
    const renamed = selectorParser((root) => root.walkClasses((one) => void (one.value = to(one.value))));
    rule.selector = renamed.processSync(rule.selector);
  });
