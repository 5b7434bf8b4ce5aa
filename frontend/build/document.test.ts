/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { document } from './document.ts';

const html = document({
  head: '<title>T</title>',
  body: '<main>B</main>',
  styles: '<style>s</style>',
  boot: '<script type="module">1</script>',
});
const parsed = new DOMParser().parseFromString(html, 'text/html');

test('a document is in standards mode, with its encoding first and its language', () => {
  expect(html).toMatch(/^<!doctype html><html lang="en-GB"><head><meta charset="utf-8">/);
  expect(parsed.compatMode).toBe('CSS1Compat');
});

test('head and styles stand in the head, the page alone in the body', () => {
  expect(parsed.title).toBe('T');
  expect(parsed.head.querySelector('style')?.textContent).toBe('s');
  expect(parsed.body.innerHTML).toBe('<main>B</main>');
});

test('the boot stands before the body, after the styles', () => {
  expect(parsed.head.lastElementChild?.outerHTML).toBe('<script type="module">1</script>');
});
