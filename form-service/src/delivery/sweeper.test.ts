import { describe, expect, it } from '@jest/globals';
import { pauseAfterRun } from './sweeper.ts';

describe('pauseAfterRun', () => {
  const plan = { everyMs: 2_000, share: 0.05 };

  it('is the usual pause after a short run', () => {
    expect(pauseAfterRun(plan, 40)).toBe(2_000);
  });

  it('keeps the share of a longer run', () => {
    expect(pauseAfterRun(plan, 500)).toBe(9_500);
  });

  it('does not grow to minutes after a run that only waited, for Redis or for this process to go on', () => {
    expect(pauseAfterRun(plan, 7_000)).toBe(20_000);
  });

  it('is never shorter than what was planned', () => {
    expect(pauseAfterRun({ ...plan, everyMs: 3_600_000 }, 7_000)).toBe(3_600_000);
  });
});
