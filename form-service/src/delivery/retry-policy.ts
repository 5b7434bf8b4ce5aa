const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Part of a pause that is random, so that messages which failed together do not come back together. */
const JITTER = 0.2;

/** No message is given up before it was tried for so long and so often. */
const TRY_FOR_MS = 24 * 60 * 60_000;
const TRY_AT_LEAST = 12;

/** What the policy looks at. */
export interface AttemptHistory {
  /** Failed attempts, the latest included: 1 or more. */
  readonly attempts: number;
  /** Milliseconds since the first of them. */
  readonly elapsedMs: number;
}

/**
 * Pause before the next attempt at a message that failed for a temporary reason, in milliseconds; undefined when it is
 * time to give up. Pauses double from 2 s to 15 min.
 *
 * @param random from 0 up to but excluding 1
 */
export function pauseBeforeRetry({ attempts, elapsedMs }: AttemptHistory, random = Math.random()): number | undefined {
  if (elapsedMs >= TRY_FOR_MS && attempts >= TRY_AT_LEAST) return undefined;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
