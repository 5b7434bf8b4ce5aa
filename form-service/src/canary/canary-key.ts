import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'canary.';

/** The time in a key may differ so many seconds from ours, because of the clocks of two machines or a slow request. */
const TOLERANCE_S = 24 * 60 * 60 + 600;

/**
 * The idempotency key of the canary of one moment. Nobody can make one without the secret, so nobody else can have a
 * submission diverted to `CANARY_INBOX`. Every worker may send the canary of a moment: under one key it is stored once.
 *
 * @param at Unix time in seconds
 */
export function canaryKey(secret: string, at: number): string {
  return `${PREFIX}${at}.${createHmac('sha256', secret).update(`kitewright canary ${at}`).digest('base64url')}`;
}

/** Whether a key is a canary's, a forged one, or an ordinary one. */
export function readCanaryKey(
  key: string | undefined,
  secret: string | undefined,
  now = Date.now(),
): 'canary' | 'forged' | undefined {
  if (!key?.startsWith(PREFIX)) return undefined;
  const at = Number(/^canary\.(\d{1,12})\./.exec(key)?.[1]);
  if (secret === undefined || !(Math.abs(now / 1_000 - at) <= TOLERANCE_S)) return 'forged';
  const expected = Buffer.from(canaryKey(secret, at));
  const given = Buffer.from(key);
  return given.length === expected.length && timingSafeEqual(given, expected) ? 'canary' : 'forged';
}
