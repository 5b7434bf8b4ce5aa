/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { fill, inline, readTemplate } from './document.ts';

const page = { head: '<title>$& T</title>', body: '<main>$1 B</main>' };
const html = fill(inline(readTemplate(), 's{content:"$&"}', '"$&"'), page);
const parsed = new DOMParser().parseFromString(html, 'text/html');

test('a document is in standards mode, with its encoding first and its language', () => {
  expect(html).toMatch(/^<!doctype html><html lang="en-GB"><head><meta charset="utf-8">/);
  expect(parsed.compatMode).toBe('CSS1Compat');
});

test('head and styles stand in the head, the page alone in the body', () => {
  expect(parsed.title).toBe('$& T');
  expect(parsed.head.querySelector('style')?.textContent).toBe('s{content:"$&"}');
  expect(parsed.body.innerHTML).toBe(page.body);
});

test('the boot stands before the body, after the styles', () => {
  expect(parsed.head.lastElementChild?.outerHTML).toBe('<script>"$&"</script>');
});

test('in development the document leads to the sources of style sheet and boot', () => {
  const source = new DOMParser().parseFromString(fill(readTemplate(), page), 'text/html');
  expect(source.querySelector('link[rel=stylesheet]')?.getAttribute('href')).toBe('/src/styles/app.css');
  expect(source.querySelector('script')?.getAttribute('src')).toBe('/src/boot/index.ts');
});
