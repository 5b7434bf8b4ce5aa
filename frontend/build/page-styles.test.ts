import { expect, test } from '@jest/globals';
import { stylePage } from './page-styles.ts';

const stylesOf = async (html: string) => (await stylePage(html, '/face.woff2')).css;

const ISLAND = '<div data-island="contact"><form></form></div>';

test('a page gets the rules of its classes, whatever its copy says', async () => {
  const css = await stylesOf('<p class="grid">A table, hidden, and a dialog</p>');
  expect(css).toContain('{display:grid}');
  expect(css).not.toMatch(/display:table|\.hidden|\.dialog/);
});

test('a page gets what a pointer, the keyboard and the boot change', async () => {
  const css = await stylesOf('<nav class="menu"></nav><section class="hidden data-consent:flex"></section>');
  for (const state of [':focus-visible', ':hover', '[aria-current]', '[data-consent]', '[data-font]'])
    expect(css).toContain(state);
});

test('a page with an island gets what the island shows later, and another does not', async () => {
  expect(await stylesOf(ISLAND)).toContain('.notice{');
  expect(await stylesOf('<p>notice</p>')).not.toContain('.notice');
});

test('a page gets the tokens that its rules use, and no others', async () => {
  const css = await stylesOf('<p class="text-kite-5"></p>');
  expect(css).toContain('--color-kite-5:');
  expect(css).not.toContain('--color-kite-4:');
});

test('a class has a short name, in the page as in its styles, also within :is(), but for what a script names', async () => {
  const { css, html } = await stylePage('<p class="kite-before sm:[&amp;>b]:mt-1.5 menu">', '/face.woff2');
  expect(html).toBe('<p class="a b menu">');
  expect(css).toContain(':is(.a,');
  expect(css).toContain('.b>b{margin-top');
  expect(css).not.toMatch(/kite-before|mt-1/);
  const form = `<i class="justify-self-start">${ISLAND}</i>`;
  expect((await stylePage(form, '')).html).toContain('class="justify-self-start"');
  // The boot gives them the display face.
  expect((await stylePage('<p class="figure font-display">', '')).html).toBe('<p class="figure font-display">');
});

test('the display face has the address of its built file', async () => {
  expect(await stylesOf('')).toContain('url(/face.woff2)');
});
