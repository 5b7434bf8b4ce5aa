import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { faultsIn } from './fault.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const faults = await faultsIn(join(import.meta.dirname, 'faults'));

describe('faults', () => {
  // The nightly run is too late to learn that an export or a test was renamed.
  it.each(faults.map((fault) => [fault.breaks, fault] as const))('apply > %s', (_breaks, { file, test, apply }) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    expect(apply(source, file)).not.toBe(source);
    expect(existsSync(join(ROOT, test))).toBe(true);
  });

  it('have different titles', () => {
    const titles = faults.map(({ breaks }) => breaks);
    expect(titles).toEqual([...new Set(titles)]);
  });
});
