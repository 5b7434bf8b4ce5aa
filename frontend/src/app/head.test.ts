import { expect, test } from '@jest/globals';
import { jsonLd } from './head.ts';

test('structured data > cannot end its script element', () => {
  const entity = { name: '</script><script>alert(1)</script>' };
  const [, json = '', end] = /^<script type="application\/ld\+json">(.*?)(<\/script>.*)$/.exec(jsonLd(entity)) ?? [];
  expect(end).toBe('</script>');
  expect(JSON.parse(json)).toEqual(entity);
});
