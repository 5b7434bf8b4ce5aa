/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { fill, inline, readTemplate } from './document.ts';

const page = { head: '<title>$& T</title>', body: '<main>$1 B</main>' };
const html = fill(inline(readTemplate(), 's{content:"$&"}', '/print.css', '"$&"'), page);
const parsed = new DOMParser().parseFromString(html, 'text/html');

test('has head and styles in the head, the boot script after them, and only the page in the body', () => {
  expect(parsed.title).toBe('$& T');
  expect(parsed.head.querySelector('style')?.textContent).toBe('s{content:"$&"}');
  expect(parsed.head.lastElementChild?.outerHTML).toBe('<script>"$&"</script>');
  expect(parsed.body.innerHTML).toBe(page.body);
});

test('has the sheet for paper after the styles, disabled if there is a script to enable it', () => {
  const [disabled, inNoscript] = parsed.querySelectorAll('style ~ link[href="/print.css"], style ~ noscript > link');
  expect(disabled?.getAttribute('disabled')).toBe('');
  expect(inNoscript?.outerHTML).toBe('<link rel="stylesheet" href="/print.css" media="print">');
});
