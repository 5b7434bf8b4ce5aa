const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Part of a pause that is random, so that messages which failed together do not come back together. */
const JITTER = 0.2;

/** Attempts after which a message is given up: the pauses between them add up to a day and more. */
export const ATTEMPTS_MAX = 110;

/**
 * Pause before the next attempt at a message that failed for a temporary reason, in milliseconds; undefined when it is
 * time to give up. Pauses double from 2 s to 15 min.
 *
 * @param attempts failed ones, the latest included
 * @param random from 0 up to but excluding 1
 */
export function pauseBeforeRetry(attempts: number, random = Math.random()): number | undefined {
  if (attempts >= ATTEMPTS_MAX) return undefined;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
