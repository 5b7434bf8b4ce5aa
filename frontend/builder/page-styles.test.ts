import { expect, test } from '@jest/globals';
import { readBrand } from './brand.ts';
import { stylePage } from './page-styles.ts';

const hasFace = readBrand().font !== 'system';
const faceTest = hasFace ? test : test.skip;

const FORMS = {
  contact: '<form class="notice justify-self-start"></form>',
  application: '<form class="field"></form>',
};
const style = (html: string) => stylePage(html, '/face.woff2', FORMS);
const stylesOf = async (html: string) => (await style(html)).css;

const ISLAND = '<div data-island="contact"><form></form></div>';

test('page > gets the rules of its classes, not those of its words', async () => {
  const css = await stylesOf('<p class="grid">A table, hidden, and a dialog</p>');
  expect(css).toContain('{display:grid}');
  expect(css).not.toMatch(/display:table|\.hidden|\.dialog/);
});

test('page > gets every state of its elements, and what they are on paper', async () => {
  const css = await stylesOf(
    '<nav class="menu"></nav><section class="hidden data-consent:flex print:hidden on-night"></section><details><summary></summary></details>',
  );
  for (const state of [':focus-visible', ':hover', '[aria-current]', '[data-consent]', '(forced-colors:active)'])
    expect(css).toContain(state);
  expect(css).toMatch(/@layer base\{.*@media print\{.*@layer utilities\{.*@media print\{\.\w+\{display:none\}/s);
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
  expect(css).toMatch(/color:var\((--\w+)\).*\1:light-dark/);
  expect(css).not.toContain('--color-kite');
});

test('page > has the content of its own, or an empty one', async () => {
  const css = await stylesOf(`<p class="after:content-['.'] after:absolute before:absolute"></p>`);
  expect(css).toMatch(/:before,\.\w:after\{content:"";position:absolute\}.*:after\{content:"\."\}/);
});

test('page > keeps properties that the minifier does not know', async () => {
  expect(await stylesOf('<p class="dot-before"></p>')).toContain('content:""');
});

test('class > gets a short name in page and styles > unless a script selects it', async () => {
  const { css, html } = await style('<p class="dot-before sm:[&amp;>b]:mt-1.5 menu"><b>');
  const [, before, margin] = /^<p class="([a-z]) ([a-z]) [a-z]"><b>$/.exec(html) ?? [];
  expect(css).toContain(`.${before}:before{`);
  expect(css).toContain(`.${margin}>b{margin-top`);
  expect(css).not.toMatch(/dot-before|mt-1/);
  const form = `<i class="justify-self-start">${ISLAND}</i>`;
  expect((await style(form)).html).toContain('class="justify-self-start"');
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
