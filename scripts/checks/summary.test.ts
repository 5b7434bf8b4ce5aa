import { describe, expect, it } from '@jest/globals';
import { countOne, skipped } from './count.ts';
import { exitCodeOf, leftOutOf, summaryOf } from './summary.ts';

const good = { name: 'lint', count: countOne(true), seconds: 1 };
const bad = { name: 'unit', count: { passed: 2, failed: 1, skipped: 0, failures: ['a.test.ts: adds'] }, seconds: 2.04 };
const left = { name: 'containers', count: skipped('no Docker engine is running'), seconds: 0 };

describe('exit code', () => {
  it.each([
    [0, 'all tests passed', [good]],
    [0, 'a step was skipped', [good, left]],
    [1, 'one test failed', [good, bad]],
    [1, 'every step was skipped', [left]],
    [1, 'no step ran', []],
  ] as const)('is %d > %s', (code, _why, results) => {
    expect(exitCodeOf(results)).toBe(code);
  });

  it.each([
    [0, 'no test can notice the change', []],
    [1, 'one test failed', [good, bad]],
    [1, 'every chosen step was skipped', [left]],
  ] as const)('is %d after a selection > %s', (code, _why, results) => {
    expect(exitCodeOf(results, true)).toBe(code);
  });
});

describe('summary', () => {
  it('names failures and skipped tests, and ends with the counts', () => {
    expect(summaryOf([good, bad, left]).split('\n')).toEqual([
      '',
      'ok     lint: 1 passed, 0 failed (1.0 s)',
      'FAILED unit: 2 passed, 1 failed (2.0 s)',
      '         a.test.ts: adds',
      'ok     containers: 0 passed, 0 failed, 1 skipped (0.0 s)',
      '',
      'Skipped:',
      '  containers: no Docker engine is running',
      '',
      '3 passed, 1 failed, 1 skipped',
      '',
    ]);
  });

  it('names what a selection has left out', () => {
    expect(leftOutOf(['unit: 1 of 2 files', 'faults'])).toMatch(/:\n {2}unit: 1 of 2 files\n {2}faults\nnpm test /);
    expect(leftOutOf([])).toBe('');
  });
});
