import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HOUR_MS } from '../config/durations.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Log } from '../observability/log.ts';
import { postAlert, type AlertPost } from './alert-webhook.ts';
import { deliveryMetrics } from '../delivery/delivery.metrics.ts';

/** Kinds of alerts, each with its message and the section that says what to do. */
export const ALERTS = {
  'submission-failed': [
    'Submissions could not be delivered and wait for "submissions resend".',
    'docs/operations.md#hr-got-nothing',
  ],
  'submission-quarantined': [
    'Submissions were quarantined after a virus scan and wait for "submissions release".',
    'docs/operations.md#a-quarantined-submission',
  ],
  'submission-overdue': ['Submissions have been pending for more than 5 minutes.', 'docs/operations.md#hr-got-nothing'],
  'mailbox-refuses': [
    'The mail server refuses our mails to a mailbox. Submissions are kept for a day, and one is tried every 5 minutes. Mailbox and code:',
    'docs/operations.md#the-mail-server-refuses-or-is-unavailable',
  ],
  'notifications-given-up': [
    'Webhook posts or acknowledgements failed for good within the last hour. Run "submissions doctor". Submissions:',
    'docs/operations.md#acknowledgements-and-the-webhook',
  ],
  'digest-not-sent': [
    'The daily digest of held back and failed submissions could not be sent. Look into the inbox yourself. The recipient:',
    'docs/operations.md#the-digest',
  ],
  'mail-server-away': [
    'The mail server is unavailable. Submissions are kept.',
    'docs/operations.md#the-mail-server-refuses-or-is-unavailable',
  ],
  'redis-away': [
    'Redis is unavailable or rejects writes. Submissions are kept, and delivered when it accepts them again. The cause:',
    'docs/operations.md#redis-lost',
  ],
  'sign-ins-fail': [
    'More than 100 sign-ins to the inbox failed within an hour. An attacker may be guessing passwords. "kitewright_inbox_sign_ins_total" counts them.',
    'docs/operations.md#the-inbox',
  ],
  'task-stalled': [
    'A periodic task of the worker has not succeeded for too long.',
    'docs/operations.md#a-task-is-stalled',
  ],
  'disk-nearly-full': ['The disk that holds the submissions is nearly full.', 'docs/operations.md#disk-full'],
  'files-without-submission': [
    'Many résumé files belong to no submission. None was deleted. Run "submissions orphans".',
    'docs/operations.md#files-without-a-submission',
  ],
  'retention-stopped': [
    'Very many submissions are due for deletion at once, so the clock may be wrong. None was deleted. Run "submissions retention".',
    'docs/operations.md#retention-has-stopped',
  ],
  'storage-unavailable': ['The database or the résumé files are unavailable.', 'docs/operations.md#the-database-fails'],
  'backup-old': ['For more than two days no backup was kept elsewhere.', 'docs/operations.md#back-up'],
} as const satisfies Record<string, readonly [sentence: string, section: string]>;
export type AlertKind = keyof typeof ALERTS;

/** Names of kinds in version 0.4. Posts have them too, until the next version. */
const FORMER_KINDS: Partial<Record<AlertKind, string>> = { 'notifications-given-up': 'follow-ups-given-up' };

for (const kind of Object.keys(ALERTS)) {
  deliveryMetrics.alerts.inc({ kind }, 0);
  deliveryMetrics.alertsLost.inc({ kind }, 0);
}

/** Maximum number of references in a post. Of the others only the number is posted. */
const REFERENCES_MAX = 50;

/** Pause before an active alert is posted again. It doubles with each repeat, up to the maximum. */
const REPEAT_MS = HOUR_MS;
const REPEAT_MAX_MS = 24 * REPEAT_MS;

interface ActiveAlert {
  readonly since: number;
  readonly references: ReadonlySet<string>;
  readonly sentAt: number;
  /** Pause before the next repeat. */
  readonly repeatMs: number;
  /** Aborts pending posts of the alert when it is over. */
  readonly over: AbortController;
}

/**
 * Raises alerts: an error in the log, a count in the metrics and, if `ALERT_WEBHOOK_URL` is set, a post by this process.
 * It uses neither Redis nor the mail server, because their outage may be the cause. Of a submission an alert contains
 * only the reference.
 */
@Injectable()
export class AlertsService implements OnModuleDestroy {
  private readonly log = new Log('Alerts');
  private readonly active = new Map<AlertKind, ActiveAlert>();
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'ALERT_WEBHOOK_URL' | 'SITE_URL' | 'COMPANY_NAME'>,
  ) {}

  /**
   * Fires an alert about an event.
   *
   * @param over ends its posts
   * @returns false if the process or its posts end before the webhook accepted or rejected it
   */
  async fire(kind: AlertKind, references: readonly string[], over?: AbortSignal): Promise<boolean> {
    await this.send(kind, { state: 'raised', references }, over);
    return !this.stopping.signal.aborted && over?.aborted !== true;
  }

  /**
   * Updates an alert about a condition after each check. It fires when the condition begins, for each new reference, at
   * growing intervals while it still holds, and at its end.
   *
   * @param holds whether the condition holds, or the references affected; an empty list means that it does not hold
   */
  update(kind: AlertKind, holds: boolean | readonly string[], now = Date.now()): void {
    const before = this.active.get(kind);
    const references = typeof holds === 'boolean' ? [] : holds;
    if (holds === false || (holds !== true && references.length === 0)) return this.resolve(kind, now);
    const { since = now, sentAt = now, repeatMs = REPEAT_MS, over = new AbortController() } = before ?? {};
    const isRepeated = now - sentAt >= repeatMs;
    const added = references.filter((reference) => !before?.references.has(reference));
    const isSent = !before || isRepeated || added.length > 0;
    this.active.set(kind, {
      since,
      references: new Set(references),
      sentAt: isSent ? now : sentAt,
      repeatMs: isRepeated ? Math.min(2 * repeatMs, REPEAT_MAX_MS) : repeatMs,
      over,
    });
    if (isRepeated) void this.send(kind, { state: 'still true', references, forMs: now - since }, over.signal);
    else if (isSent) void this.send(kind, { state: 'raised', references: added }, over.signal);
  }

  /** Kinds of the active alerts. */
  get activeKinds(): readonly AlertKind[] {
    return [...this.active.keys()];
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private resolve(kind: AlertKind, now: number): void {
    const before = this.active.get(kind);
    if (!before) return;
    this.active.delete(kind);
    before.over.abort();
    void this.send(kind, { state: 'over', references: [], forMs: now - before.since });
  }

  /** Logs, counts and posts. Resolves when the webhook accepted or rejected it, or the process ends. */
  private async send(
    kind: AlertKind,
    { state, references, forMs = 0 }: Pick<AlertPost, 'state' | 'references'> & { forMs?: number },
    over?: AbortSignal,
  ): Promise<void> {
    if (state === 'over') this.log.log({ event: 'alert over', kind, seconds: Math.round(forMs / 1_000) });
    else this.log.error({ event: 'alert', kind, references });
    if (state !== 'over') deliveryMetrics.alerts.inc({ kind });
    const { ALERT_WEBHOOK_URL: url, COMPANY_NAME: company } = this.settings;
    if (!url) return;
    const instance = new URL(this.settings.SITE_URL).hostname;
    const named = references.slice(0, REFERENCES_MAX);
    const more = references.length > named.length ? ` and ${references.length - named.length} more` : '';
    const minutes = Math.round(forMs / 60_000);
    const head = { raised: '', 'still true': `Still true after ${minutes} min: `, over: `Over after ${minutes} min: ` };
    const [sentence, section] = ALERTS[kind];
    const link = state === 'over' ? '' : ` What to do: ${section}`;
    const text = `${company} forms: ${head[state]}${[sentence, named.join(', ')].join(' ').trim()}${more} (${kind}, ${instance})${link}`;
    const signal = over ? AbortSignal.any([over, this.stopping.signal]) : this.stopping.signal;
    const formerKind = FORMER_KINDS[kind];
    const post = {
      kind,
      ...(formerKind && { formerKind }),
      state,
      text,
      at: Date.now(),
      instance,
      references: named,
      count: references.length,
    };
    const refusal = await postAlert(url, post, signal);
    if (refusal === undefined) return;
    this.log.error({ event: 'alert given up', kind, status: refusal });
    deliveryMetrics.alertsLost.inc({ kind });
  }
}
