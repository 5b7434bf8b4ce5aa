import { describe, expect, it } from '@jest/globals';
import { ATTEMPTS_MAX, PAUSE_MAX_MS, retryDelay } from './retry-delay.ts';

const HOUR_MS = 3_600_000;

/** Returns all pauses of a message that fails every time. */
function pausesUntilGivenUp(random: number): number[] {
  const pauses: number[] = [];
  for (let attempts = 1; ; attempts++) {
    const pause = retryDelay(attempts, random);
    if (pause === undefined) return pauses;
    pauses.push(pause);
  }
}

describe('retryDelay', () => {
  it.each([0, 0.5, 0.999])('spreads the attempts over at least 20 hours > random value %d', (random) => {
    const total = pausesUntilGivenUp(random).reduce((sum, pause) => sum + pause, 0);
    expect(total).toBeGreaterThanOrEqual(20 * HOUR_MS);
    expect(total).toBeLessThan(31 * HOUR_MS);
  });

  it('doubles pauses from seconds to 15 minutes', () => {
    const pauses = pausesUntilGivenUp(0.5);
    expect(pauses.slice(0, 5)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(Math.max(...pauses)).toBe(900_000);
  });

  it('returns no pause that counts as one of a clock that has jumped', () => {
    const longest = retryDelay(ATTEMPTS_MAX - 1, 0.999_999_999) ?? Infinity;
    expect(longest).toBeLessThanOrEqual(PAUSE_MAX_MS);
  });

  it('spreads messages that failed together', () => {
    expect(retryDelay(5, 0)).toBe(25_600);
    expect(retryDelay(5, 0.999_999)).toBe(38_400);
  });
});
