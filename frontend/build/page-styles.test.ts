import { expect, test } from '@jest/globals';
import { stylePage } from './page-styles.ts';

const pageStyles = async (css: string, html: string) => (await stylePage(css, html)).css;

const ISLAND = '<div data-island="contact"><form></form></div>';

test('a page gets the rules of its classes, whatever its copy says', async () => {
  const css = '.grid{display:grid}.table{display:table}dialog{margin:auto}';
  expect(await pageStyles(css, '<p class="grid">A table, a dialog</p>')).toBe('.grid{display:grid}');
});

test('a page gets what a pointer, the keyboard and the boot change', async () => {
  const css = ':is(.menu>a,.menu b):hover{color:red}:focus-visible{color:red}section[data-consent]{color:red}';
  expect(await pageStyles(css, '<section></section><nav class="menu"><a href="/">Home</a><b>x</b></nav>')).toBe(css);
});

test('a page with an island gets what the island shows later, and another does not', async () => {
  const css = '.notice{color:green}';
  expect(await pageStyles(css, ISLAND)).toBe(css);
  expect(await pageStyles(css, '<p>notice</p>')).toBe('');
});

test('a page gets the registered and custom properties that its rules use', async () => {
  const css =
    ':root{--a:1px;--b:2px}p{margin:var(--a);padding:var(--tw-c)}@property --tw-c{inherits:false}@property --tw-d{inherits:false}';
  expect(await pageStyles(css, '<p>x</p>')).toBe(
    ':root{--a:1px}p{margin:var(--a);padding:var(--tw-c)}@property --tw-c{inherits:false}',
  );
});

test('a utility has a short name, in the page as in its styles, but for what a script names', async () => {
  const css = '.menu{top:0}@layer utilities{.sm\\:mt-1\\.5:hover>p,.font-display{top:0}.resize-y{top:0}}';
  expect(await stylePage(css, '<p class="menu sm:mt-1.5"><p class="font-display">')).toEqual({
    css: '.menu{top:0}@layer utilities{.a:hover>p,.font-display{top:0}}',
    html: '<p class="menu a"><p class="font-display">',
  });
  expect(
    (await stylePage('@layer utilities{.justify-self-start{top:0}}', `<i class="justify-self-start">${ISLAND}</i>`))
      .html,
  ).toContain('class="justify-self-start"');
});
