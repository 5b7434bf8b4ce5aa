import { expect, test } from '@jest/globals';
import { pageStyles } from './page-styles.ts';

const ISLAND = '<div data-island="contact"><form></form></div>';

test('a page gets the rules of its classes, whatever its copy says', async () => {
  const css = '.grid{display:grid}.table{display:table}dialog{margin:auto}';
  expect(await pageStyles(css, '<p class="grid">A table, a dialog</p>')).toBe('.grid{display:grid}');
});

test('a page gets what a pointer, the keyboard and the boot change', async () => {
  const css = ':is(.menu>a,.menu b):hover{color:red}:focus-visible{color:red}html[data-consent]{color:red}';
  expect(await pageStyles(css, '<nav class="menu"><a href="/">Home</a><b>x</b></nav>')).toBe(css);
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
