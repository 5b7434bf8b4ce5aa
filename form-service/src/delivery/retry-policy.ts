const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** This part of a pause is random, so that messages which failed together are not tried again together. */
const JITTER = 0.2;

/** A message is given up after so many attempts. The pauses between them add up to more than a day. */
export const ATTEMPTS_MAX = 110;

/**
 * The pause in milliseconds before the next attempt at a message that failed for a temporary reason, or undefined when
 * the message is given up. Pauses double from 2 s to 15 min.
 *
 * @param attempts number of failed attempts, the latest included
 * @param random from 0 up to but excluding 1
 */
export function pauseBeforeRetry(attempts: number, random = Math.random()): number | undefined {
  if (attempts >= ATTEMPTS_MAX) return undefined;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
