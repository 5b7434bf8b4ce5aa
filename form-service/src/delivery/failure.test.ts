import { describe, expect, it } from '@jest/globals';
import { pauseBeforeRetry } from './failure.ts';

const HOUR_MS = 3_600_000;

/** All pauses of a message that fails every time, when every attempt itself takes no time. */
function pausesUntilGivenUp(random: number): number[] {
  const pauses: number[] = [];
  for (let attempts = 1; ; attempts++) {
    const pause = pauseBeforeRetry(attempts, random);
    if (pause === undefined) return pauses;
    pauses.push(pause);
  }
}

describe('The retry policy', () => {
  it.each([0, 0.5, 0.999])('The attempts spread over at least 20 hours (random %d)', (random) => {
    const total = pausesUntilGivenUp(random).reduce((sum, pause) => sum + pause, 0);
    expect(total).toBeGreaterThanOrEqual(20 * HOUR_MS);
    expect(total).toBeLessThan(31 * HOUR_MS);
  });

  it('Pauses begin with seconds, double, and stay near a quarter of an hour', () => {
    const pauses = pausesUntilGivenUp(0.5);
    expect(pauses.slice(0, 5)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(Math.max(...pauses)).toBe(900_000);
  });

  it('Messages that failed together are not tried again together', () => {
    expect(pauseBeforeRetry(5, 0)).toBe(25_600);
    expect(pauseBeforeRetry(5, 0.999_999)).toBe(38_400);
  });
});
