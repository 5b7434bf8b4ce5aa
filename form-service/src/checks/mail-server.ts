import type { Refusals } from '../delivery/refusals.ts';
import type { CircuitBreaker } from '../outbox/circuit-breaker.ts';
import type { Check, CheckResult } from '../observability/health.service.ts';

/** Time of an outage before its alert: longer than a restart, and shorter than the time until mails are overdue. */
const OUTAGE_MS = 2 * 60_000;

/** Whether the mail server accepts our login and our mails. An alert about a rejected login does not wait. */
export const mailServerCheck = (breaker: CircuitBreaker): Check => ({
  name: 'mail server',
  alert: { kind: 'mail-server-away', afterMs: OUTAGE_MS },
  run: () => ({ ...resultOf(breaker), isUrgent: breaker.failure?.area === 'login' }),
});

/** Whether the virus scanner can be used. */
export const scannerCheck = (breaker: CircuitBreaker): Check => ({
  name: 'virus scanner',
  run: () => resultOf(breaker),
});

/** Whether the mail server accepts mails to every mailbox. */
export const refusalsCheck = (refusals: Refusals): Check => ({
  name: 'mailboxes',
  alert: { kind: 'mailbox-refuses' },
  run: () => {
    const affected = refusals.mailboxesThatRefuse;
    if (affected.length === 0) return { status: 'ok' };
    return { status: 'degraded', cause: `refused: ${affected.join(', ')}`, affected };
  },
});

function resultOf({ unavailableSince, failure }: CircuitBreaker): CheckResult {
  if (unavailableSince === undefined) return { status: 'ok' };
  const why = failure ? `: ${failure.reason}` : '';
  const cause = `unavailable since ${new Date(unavailableSince).toISOString()}${why}`;
  return { status: 'down', cause };
}
