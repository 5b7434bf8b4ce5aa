import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { outlines, webFont } from './display-face.ts';
import { fallbackMetrics } from './fallback-metrics.ts';
import { STYLES } from './folders.ts';

jest.setTimeout(60_000);

test('the served font is what the script makes, in at most 30 kB', async () => {
  const served = await readFile(join(STYLES, 'fonts/kitewright-display.woff2'));
  expect(served.length).toBeLessThanOrEqual(30_000);
  expect(served.equals(await webFont())).toBe(true);
});

test('the style sheet carries the fallback metrics of the face', async () => {
  const { sizeAdjust, ascentOverride, descentOverride } = fallbackMetrics(await outlines(700));
  const css = await readFile(join(STYLES, 'fonts.css'), 'utf8');
  expect(css).toContain(`size-adjust: ${sizeAdjust}%`);
  expect(css).toContain(`ascent-override: ${ascentOverride}%`);
  expect(css).toContain(`descent-override: ${descentOverride}%`);
});

test('all letters of a heading are there', async () => {
  const face = await outlines(700);
  for (const letter of 'Größe, naïve “façade” – 99 % · €8,000 × 10−2')
    expect(face.charToGlyphIndex(letter)).toBeGreaterThan(0);
});

test('figures line up in columns when asked to', async () => {
  const features = (await outlines(700)).tables.gsub?.features.map(({ tag }: { tag: string }) => tag);
  expect(features).toContain('tnum');
});
