import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { drawMark } from './brand-icons.ts';

const folder = makeTemporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['0 0 32 32', ''],
  ['0 0 5000 5000', ''],
  ['0 0 0.2 0.2', ''],
  ['-100,-100,200,200', ''],
  ['0 0 32 32', 'width="9000" height="9000"'],
  ['0 0 32 32', 'width="100%"'],
])('a mark fills its icon > viewBox %s %s', async (viewBox, size) => {
  const file = join(folder, 'logo.svg');
  const [x, y, width, height] = viewBox.split(/[ ,]/);
  const shape = `<rect x="${x}" y="${y}" width="${width}" height="${height}" class="mark-accent"/>`;
  writeFileSync(file, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" ${size}>${shape}</svg>`);
  const { data, info } = await sharp(await drawMark(file, 16, '.mark-accent{fill:lime}'))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([16, 16]);
  expect([...data]).toEqual(Array.from({ length: 16 * 16 }, () => [0, 255, 0, 255]).flat());
});
