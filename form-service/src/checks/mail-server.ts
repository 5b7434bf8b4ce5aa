import type { MailServerStatus } from '../delivery/mail-server-status.service.ts';
import { refusalsOf } from '../delivery/refusals.ts';
import type { VirusScanner } from '../delivery/virus-scanner.service.ts';
import type { Check } from '../observability/health.service.ts';
import { deliveryErrorOf } from '../outbox/failure.ts';
import type { RecipientSettings } from '../submissions/recipients.ts';
import type { SubmissionsRepository } from '../submissions/submissions.repository.ts';

/** Time of an outage before its alert: longer than a restart, and shorter than the time until mails are overdue. */
const OUTAGE_MS = 2 * 60_000;

/** Whether the mail server accepts our login. An alert about a rejected login does not wait. */
export const mailServerCheck = (mailServer: MailServerStatus): Check => ({
  name: 'mail server',
  alert: { kind: 'mail-server-away', afterMs: OUTAGE_MS },
  run: () => {
    const { unavailableSince, failure } = mailServer;
    if (unavailableSince === undefined || !failure) return { status: 'ok' };
    const cause = `unavailable since ${new Date(unavailableSince).toISOString()}: ${failure.reason}`;
    return { status: 'down', cause, isUrgent: failure.area === 'login' };
  },
});

/** Whether the virus scanner can be used. */
export const scannerCheck = (scanner: VirusScanner): Check => ({
  name: 'virus scanner',
  run: async () => {
    const failure = scanner.isEnabled ? await scanner.ping().then(() => undefined, deliveryErrorOf) : undefined;
    return failure ? { status: 'down', cause: failure.reason } : { status: 'ok' };
  },
});

/** Whether the mail server accepts mails to every mailbox. */
export const refusalsCheck = (submissions: SubmissionsRepository, settings: RecipientSettings): Check => ({
  name: 'mailboxes',
  needsStorage: true,
  alert: { kind: 'mailbox-refuses' },
  run: async () => {
    const refusals = refusalsOf(await submissions.waiting(), settings);
    if (refusals.size === 0) return { status: 'ok' };
    const affected = [...refusals.keys()];
    const details = [...new Set(refusals.values())].join(' ');
    return { status: 'degraded', cause: `refused: ${affected.join(', ')}`, affected, details };
  },
});
