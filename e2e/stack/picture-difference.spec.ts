import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import sharp from 'sharp';
import { compare } from '../gallery/compare.ts';

const paint = async (
  file: string,
  height: number,
  dots: readonly { readonly top: number; readonly grey: number }[],
) => {
  const dot = ({ top, grey }: (typeof dots)[number]) => ({
    input: { create: { width: 10, height: 1, channels: 3 as const, background: { r: grey, g: grey, b: grey } } },
    left: 0,
    top,
  });
  await sharp({ create: { width: 10, height, channels: 3, background: '#fff' } })
    .composite(dots.map(dot))
    .png()
    .toFile(file);
  return file;
};

test('the comparison of screenshots says how much differs', async ({}, testInfo) => {
  const file = (name: string) => join(testInfo.outputDir, name);
  const before = await paint(testInfo.outputPath('before.png'), 20, []);
  const same = await paint(file('same.png'), 20, [{ top: 4, grey: 250 }]);
  const changed = await paint(file('changed.png'), 20, [
    { top: 3, grey: 0 },
    { top: 12, grey: 0 },
  ]);
  const longer = await paint(file('longer.png'), 25, []);

  expect(await compare(before, same)).toBe(0);
  expect(await compare(before, changed)).toBeCloseTo(0.1);
  expect(await compare(before, longer)).toBeCloseTo(0.2);
});
