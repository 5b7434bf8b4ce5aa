import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { KiteDivider, Mark } from './kite-art.tsx';

describe.each([
  ['Mark', Mark, 300],
  ['KiteDivider', KiteDivider, 300],
])('%s', (_, Drawing, bytes) => {
  const markup = renderToStaticMarkup(<Drawing />);

  test('is decoration, and can stand twice on a page under a strict policy', () => {
    expect(markup).toMatch(/^<svg[^>]* aria-hidden="true"/);
    expect(markup).not.toMatch(/ (id|style)=/);
  });

  test('draws with numbers only', () => {
    expect(markup).not.toMatch(/NaN|undefined|Infinity/);
  });

  test(`adds at most ${bytes} bytes to a page`, () => {
    expect(brotliCompressSync(markup).length).toBeLessThanOrEqual(bytes);
  });
});
