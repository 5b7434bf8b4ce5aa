/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { fill, inline, readTemplate } from './document.ts';

const page = { head: '<title>$& T</title>', body: '<main>$1 B</main>' };
const html = fill(inline(readTemplate(), 's{content:"$&"}', '"$&"'), page);
const parsed = new DOMParser().parseFromString(html, 'text/html');

test('has head and styles in the head, the boot script after them, and only the page in the body', () => {
  expect(parsed.title).toBe('$& T');
  expect(parsed.head.querySelector('style')?.textContent).toBe('s{content:"$&"}');
  expect(parsed.head.lastElementChild?.outerHTML).toBe('<script>"$&"</script>');
  expect(parsed.body.innerHTML).toBe(page.body);
});
