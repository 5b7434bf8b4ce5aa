import { describe, expect, it } from '@jest/globals';
import { verdictOf } from './verdict.ts';

const count = { passed: 3, failed: 0, skipped: 0 };
const file = 'a.test.ts: could not be run';

describe('verdict', () => {
  it.each([
    ['caught', 'a test failed', { ...count, failed: 1, failures: ['a.test.ts: adds'] }, false],
    ['caught', 'a test failed before the time-out', { ...count, failed: 1, failures: ['a.test.ts: adds'] }, true],
    [
      'caught',
      'a test failed, and a file could not be run',
      { ...count, failed: 2, failures: ['a: b', file], unrunnable: [file] },
      false,
    ],
    ['SURVIVED', 'all tests passed', count, false],
    ['BROKEN', 'no file could be run', { ...count, passed: 0, failed: 1, failures: [file], unrunnable: [file] }, false],
    [
      'BROKEN',
      'one of two files could not be run',
      { ...count, failed: 1, failures: [file], unrunnable: [file] },
      false,
    ],
    ['BROKEN', 'the runner failed without a failed test', { ...count, failed: 1 }, false],
    ['BROKEN', 'no test ran', { ...count, passed: 0 }, false],
    ['TIMED OUT', 'no test failed in time', { ...count, failed: 1 }, true],
  ] as const)('is %s > %s', (verdict, _why, one, timedOut) => {
    expect(verdictOf(one, timedOut)).toBe(verdict);
  });
});
