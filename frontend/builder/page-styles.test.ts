import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { readBrand } from './brand.ts';
import { checkSources, splitPage, styleSite } from './page-styles.ts';

const hasFace = readBrand().font !== 'system';
const faceTest = hasFace ? test : test.skip;

const FORMS = {
  contact: '<form class="notice justify-self-start"></form>',
  application: '<form class="field"></form>',
};
const styleAll = (...pages: string[]) => styleSite(pages, '/face.woff2', FORMS);
/** Styles a page that is a single screen. */
async function style(html: string) {
  const [page] = (await styleAll(html)).pages;
  if (!page) throw new Error('There is no page');
  return page;
}
const stylesOf = async (html: string) => (await style(html)).critical;

const ISLAND = '<div data-island="contact"><form></form></div>';

test('style sheet > names only sources that exist', async () => {
  expect(() => checkSources()).not.toThrow();
  const sheet = join(makeTemporaryFolder(), 'app.css');
  writeFileSync(sheet, "@source '../gone';\n@source inline('grid');\n");
  expect(() => checkSources(sheet)).toThrow("@source '../gone' finds no file");
});

test('page > gets the rules of its classes, not those of its words', async () => {
  const css = await stylesOf('<p class="grid">A table, hidden, and a dialog</p>');
  expect(css).toContain('{display:grid}');
  expect(css).not.toMatch(/display:table|\.hidden|\.dialog/);
});

test('page > gets the states of pointer, keyboard and boot script', async () => {
  const css = await stylesOf('<nav class="menu"></nav><section class="hidden data-consent:flex"></section>');
  for (const state of [
    ':focus-visible',
    ':hover',
    '[aria-current]',
    '[data-consent]',
    ...(hasFace ? ['[data-font]'] : []),
  ])
    expect(css).toContain(state);
});

test('page > gets the rules of every state of its own form, and of no other', async () => {
  expect(await stylesOf(ISLAND)).toContain('.notice{');
  expect(await stylesOf(ISLAND)).not.toContain('.field{');
  expect(await stylesOf('<p>notice</p>')).not.toContain('.notice');
});

test('page > lacks the rules for sections and drawings of other pages', async () => {
  const legal = '[data-section=legal] section a';
  expect(await stylesOf('<section data-section="legal"><a></a></section>')).toContain(legal);
  const css = await stylesOf('<section data-section="cta"><svg><g data-kite=""></g></svg></section>');
  expect(css).toMatch(/\[data-kite\],?[^}]*\{/);
  expect(css).not.toMatch(/\[data-kite=free\]\{|\[data-section=form\]\{/);
});

test('page > gets the tokens that its rules use, and no others', async () => {
  const css = await stylesOf('<p class="text-kite-5"></p>');
  expect(css).toContain('--color-kite-5:');
  expect(css).not.toContain('--color-kite-4:');
});

test('page > keeps properties that the minifier does not know', async () => {
  expect(await stylesOf('<p class="kite-before"></p>')).toContain('content:""');
});

test('class > gets a short name in page and styles > unless a script selects it', async () => {
  const { critical: css, html } = await style('<p class="kite-before sm:[&amp;>b]:mt-1.5 menu"><b>');
  expect(html).toBe('<p class="a b menu"><b>');
  expect(css).toContain(':is(.a,');
  expect(css).toContain('.b>b{margin-top');
  expect(css).not.toMatch(/kite-before|mt-1/);
  const form = `<i class="justify-self-start">${ISLAND}</i>`;
  expect((await style(form)).html).toContain('class="justify-self-start"');
  // The boot gives them the display face.
  expect((await style('<p class="figure font-display">')).html).toBe('<p class="figure font-display">');
});

test('class > gets no name that ad blockers hide', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `p-${index}`);
  const { html } = await style(`<p class="${names.join(' ')}">`);
  const short = html.slice('<p class="'.length, -'">'.length).split(' ');
  expect(new Set(short).size).toBe(names.length);
  expect(short.filter((name) => /^ads?/i.test(name))).toEqual([]);
});

faceTest('display face > has the address of its built file', async () => {
  expect(await stylesOf('')).toContain('url(/face.woff2)');
});

describe('below the first section', () => {
  const first = '<main><section data-hero=""><h1 class="grid">A</h1></section>';
  const rest = `<section data-section="legal"><table class="flex print:hidden"></table>${ISLAND}</section></main>`;

  test('rules are in the sheet of all pages, not in the critical CSS', async () => {
    const { pages, sheet } = await styleAll(first + rest);
    expect(pages[0]?.critical).toContain('{display:grid}');
    expect(pages[0]?.critical).not.toMatch(/display:flex|\[data-section=legal\]|\.notice|@media print|^h2\{/);
    for (const rule of ['{display:flex}', '[data-section=legal]', '.notice{', '@media print'])
      expect(sheet).toContain(rule);
  });

  test('sheet repeats the critical CSS in its order, so that no class wins that did not before', async () => {
    const { sheet } = await styleAll('<main><section><p class="pt-2"></p></section><p class="p-4 pt-2"></p></main>');
    const [all, top] = [sheet.indexOf('{padding:'), sheet.indexOf('{padding-top:')];
    expect(all).toBeGreaterThan(0);
    expect(top).toBeGreaterThan(all);
  });

  test('first screen has the scrollbar that the complete page has', async () => {
    const { pages } = await styleAll(first + rest);
    expect(pages[0]?.critical).toContain('overflow-y:scroll');
  });

  faceTest('sheet does not declare the faces again, which the first screen uses already', async () => {
    const { pages, sheet } = await styleAll(first + rest);
    expect(pages[0]?.critical).toContain('@font-face');
    expect(sheet).not.toContain('@font-face');
  });

  test('classes have the same names on all pages', async () => {
    const [one, other] = (await styleAll('<p class="grid flex">', '<p class="hidden flex">')).pages;
    const last = (html = '') => /(\w+)">$/.exec(html)?.[1];
    expect(last(one?.html)).toBe(last(other?.html));
  });

  test('begins after the first section of main', () => {
    expect(splitPage(`<header><section></section></header>${first}${rest}`)).toEqual([
      `<header><section></section></header>${first}`,
      rest,
    ]);
  });
});
