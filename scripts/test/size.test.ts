import { describe, expect, it } from '@jest/globals';
import { sizeOf, sizeProblems } from './size.ts';

describe('Size of the form service', () => {
  const size = { lines: 12_000, files: 140, api: 70, worker: 100, cli: 80 };

  it('is as recorded', () => {
    expect(sizeProblems(size, size)).toEqual([]);
  });

  it.each(Object.keys(size) as (keyof typeof size)[])('differs in one more or one less > %s', (name) => {
    for (const step of [1, -1]) {
      const changed = { ...size, [name]: size[name] + step };
      expect(sizeProblems(changed, size)).toEqual([
        `scripts/test/size.json: ${name} is ${size[name]}, and the form service has ${size[name] + step}`,
      ]);
    }
  });

  it('counts sources without tests, and what each process loads', () => {
    const { lines, files, api, worker, cli } = sizeOf();
    expect(lines).toBeGreaterThan(files);
    for (const reach of [api, worker, cli]) expect(reach).toBeLessThan(files);
  });
});
