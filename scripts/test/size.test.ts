import { expect, test } from '@jest/globals';
import { sizeProblems } from './size.ts';

test('size of the form service > is refused > one more or one less than recorded', () => {
  const size = { lines: 12_000, files: 140, api: 70, worker: 100, cli: 80 };
  expect(sizeProblems(size, size)).toEqual([]);
  for (const files of [139, 141])
    expect(sizeProblems({ ...size, files }, size)).toEqual([
      `scripts/test/size.json: files is 140, and the form service has ${files}`,
    ]);
});
