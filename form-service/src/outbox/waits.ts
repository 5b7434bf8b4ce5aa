import { DAY_MS, HOUR_MS, MINUTE_MS } from '../config/durations.ts';

/**
 * Waits before the next attempt: after the first failed one, the second one and so on. After the last one the message has
 * failed, and a person decides. Mail, acknowledgement, webhook and digest share this table.
 */
export const WAITS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, DAY_MS] as const;

/** Wait for a part that is unavailable, such as the mail server. The attempt does not count. */
export const PART_WAIT_MS = MINUTE_MS / 2;

/** Length of a lease. The rows of a worker that died wait this long. */
export const LEASE_MS = MINUTE_MS / 2;

/** A later next attempt was written by a clock that has jumped since. */
export const WAIT_MAX_MS = DAY_MS + HOUR_MS;
