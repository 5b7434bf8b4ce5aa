import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type Container } from 'postcss';
import { PurgeCSS } from 'purgecss';
import purgeHtml from 'purgecss-from-html';

const ROOT = join(import.meta.dirname, '..');

/** What the code of any form may show later, in addition to that in the folder of its island. */
const SHOWN_BY_FORMS = ['src/components/ui/field-error.tsx', 'src/components/ui/notice.tsx'];

/** Attributes that the boot and the forms set. */
const STATES = [
  'data-js',
  'data-font',
  'data-consent',
  'data-scrolled',
  'data-past-fold',
  'aria-disabled',
  'aria-invalid',
  'data-over',
];

const sourcesIn = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => /(?<!\.test)\.tsx$/.test(file))
    .map((file) => join(folder, file));

/** Names of classes and elements in the source of an island. */
const namesIn = (source: string) => source.match(/[^\s"'`<>{}]+/g) ?? [];

/** The part of the style sheet that a page's HTML can use, and that its island's code can. */
export async function pageStyles(css: string, html: string): Promise<string> {
  const islands = [...html.matchAll(/ data-island="([^"]+)"/g)].map(([, name = '']) => `src/features/${name}`);
  const sources = islands.flatMap((folder) => [...sourcesIn(folder), ...SHOWN_BY_FORMS]);
  const [result] = await new PurgeCSS().purge({
    content: [
      { raw: `<html><body>${html}</body></html>`, extension: 'html' },
      ...sources.map((file) => ({ raw: readFileSync(join(ROOT, file), 'utf8'), extension: 'tsx' })),
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
  return withoutRest(result?.css ?? '');
}

/** Leaves out what PurgeCSS does not look at: registered properties, and Tailwind's help for older browsers. */
function withoutRest(css: string): string {
  const sheet = parse(css);
  sheet.walkAtRules('layer', (layer) => void (layer.params === 'properties' && layer.remove()));
  sheet.walkComments((comment) => void comment.remove());
  // Every border of the site is solid, and so Tailwind's variable for its style is that word.
  sheet.walkDecls((line) => void (line.value = line.value.replace('var(--tw-border-style)', 'solid')));
  const used = new Set([...sheet.toString().matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  sheet.walkAtRules('property', (rule) => void (used.has(rule.params) || rule.remove()));
  removeEmpty(sheet);
  return sheet.toString();
}

function removeEmpty(container: Container): void {
  container.each((node) => {
    if (node.type !== 'atrule' || !node.nodes || node.name === 'view-transition') return;
    removeEmpty(node as Container);
    if (node.nodes.length === 0) node.remove();
  });
}
