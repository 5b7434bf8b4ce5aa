import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'canary.';

/** How far the clocks of two machines, or a slow request, may be apart from the time in a key, in seconds. */
const TOLERANCE_S = 24 * 60 * 60 + 600;

/**
 * The idempotency key of the synthetic enquiry of a moment. Nobody without the secret can make one, so nobody else has
 * mail diverted; and as any other key it stands for one submission, so every worker may send the same and one is stored.
 *
 * @param at Unix time in seconds
 */
export function canaryKey(secret: string, at: number): string {
  return `${PREFIX}${at}.${createHmac('sha256', secret).update(`kitewright canary ${at}`).digest('base64url')}`;
}

/** What a key says of its sender: one of our own, somebody who would like to be, or nothing. */
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
