import { describe, expect, it } from '@jest/globals';
import { sizeOf, sizeProblems } from './size.ts';

describe('Size of the form service', () => {
  const size = { lines: 12_000, files: 140, api: 70, worker: 100, cli: 80 };

  it('is as recorded', () => {
    expect(sizeProblems(size, size)).toEqual([]);
  });

  it('differs in one more or one less', () => {
    const differs = (files: number) => sizeProblems({ ...size, files }, size);
    for (const files of [139, 141])
      expect(differs(files)).toEqual([`scripts/test/size.json: files is 140, and the form service has ${files}`]);
  });

  it('counts sources without tests, and what each process loads', () => {
    const { lines, files, api, worker, cli } = sizeOf();
    expect(lines).toBeGreaterThan(files);
    for (const reach of [api, worker, cli]) expect(reach).toBeLessThan(files);
  });
});
