const FIRST_PAUSE_MS = 2_000;
export const LONGEST_PAUSE_MS = 15 * 60_000;

/** Jitter: random part of a pause, so that messages that failed together are not retried together. */
const JITTER = 0.2;

/** Longest pause before an attempt, that of a refused mail. A later time was written by a clock that has jumped since. */
export const PAUSE_MAX_MS = 60 * 60_000;

/** Maximum number of attempts. The pauses between them add up to more than a day. */
export const ATTEMPTS_MAX = 110;

/**
 * Exponential backoff with jitter, from 2 s to 15 min: returns the pause in milliseconds before the next attempt, or
 * undefined after the last one.
 *
 * @param attempts number of failed attempts, the latest included
 * @param random from 0 up to but excluding 1
 */
export function retryDelay(attempts: number, random = Math.random()): number | undefined {
  if (attempts >= ATTEMPTS_MAX) return undefined;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
