import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { postAlert, type AlertPost } from './alert-webhook.ts';
import { deliveryMetrics } from './delivery.metrics.ts';

/** The kinds of alerts, with the sentences that the operator reads. */
export const ALERTS = {
  'submission-failed': 'Submissions could not be delivered and wait for "submissions resend".',
  'submission-quarantined': 'Submissions were quarantined after a virus scan and wait for "submissions release".',
  'submission-overdue': 'Submissions have been pending for more than 5 minutes.',
  'inbox-refuses':
    'The mail server takes no mail from us for an inbox. What is sent is kept and tried again. The inbox:',
  'mail-server-away': 'The mail server cannot be used. What is sent is kept.',
  'redis-away': 'Redis cannot be used. What is sent is kept, and delivered once Redis is back.',
  'task-stalled': 'A periodic task of the worker has not ended well for too long.',
  'disk-nearly-full': 'The disk that holds the submissions is nearly full.',
  'files-without-submission':
    'Many files of résumés belong to no submission. None was deleted: see "submissions orphans".',
  'storage-unavailable': 'The database or the files of résumés cannot be used.',
} as const;
export type AlertKind = keyof typeof ALERTS;
for (const kind of Object.keys(ALERTS)) {
  deliveryMetrics.alerts.inc({ kind }, 0);
  deliveryMetrics.alertsLost.inc({ kind }, 0);
}

/** Of so many references the names are posted, of more the number. */
const REFERENCES_MAX = 50;

/** An alert that is still active after this time is sent again. */
const REPEAT_MS = 60 * 60_000;

interface ActiveAlert {
  readonly since: number;
  readonly references: ReadonlySet<string>;
  readonly sentAt: number;
  /** Ends the posts of it that are not taken yet, once it is over. */
  readonly over: AbortController;
}

/**
 * Raises alerts: an error in the log, a count in the metrics and, where `ALERT_WEBHOOK_URL` is set, a post, which this
 * process makes itself. Neither Redis nor the mail server is used, because they may be what is broken. An alert holds
 * references and nothing else of a submission.
 */
@Injectable()
export class AlertsService implements OnModuleDestroy {
  private readonly log = new Logger('Alerts');
  private readonly active = new Map<AlertKind, ActiveAlert>();
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ALERT_WEBHOOK_URL' | 'INSTANCE' | 'COMPANY_NAME'>,
  ) {}

  /**
   * Fires an alert about an event.
   *
   * @returns false when the process ends before the webhook took or refused it
   */
  async fire(kind: AlertKind, references: readonly string[]): Promise<boolean> {
    await this.send(kind, { state: 'raised', references });
    return !this.stopping.signal.aborted;
  }

  /**
   * Fires an alert about a condition when it begins, for every reference that is added, and after each hour in which it
   * still holds; posts its end too. Called as often as the condition is checked.
   *
   * @param holds false, or an empty list, when the condition does not hold
   */
  update(kind: AlertKind, holds: boolean | readonly string[], now = Date.now()): void {
    const before = this.active.get(kind);
    const references = typeof holds === 'boolean' ? [] : holds;
    if (holds === false || (holds !== true && references.length === 0)) return this.resolve(kind, now);
    const { since = now, sentAt = now, over = new AbortController() } = before ?? {};
    const isRepeated = now - sentAt >= REPEAT_MS;
    const added = references.filter((reference) => !before?.references.has(reference));
    const isSent = !before || isRepeated || added.length > 0;
    this.active.set(kind, { since, references: new Set(references), sentAt: isSent ? now : sentAt, over });
    if (isRepeated) void this.send(kind, { state: 'still true', references, forMs: now - since }, over.signal);
    else if (isSent) void this.send(kind, { state: 'raised', references: added }, over.signal);
  }

  /** The kinds that are active now. */
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

  /** Logs, counts and posts. Resolves when the webhook took or refused it, or the process ends. */
  private async send(
    kind: AlertKind,
    { state, references, forMs = 0 }: Pick<AlertPost, 'state' | 'references'> & { forMs?: number },
    over?: AbortSignal,
  ): Promise<void> {
    if (state === 'over') this.log.log({ event: 'alert over', kind, seconds: Math.round(forMs / 1_000) });
    else this.log.error({ event: 'alert', kind, references });
    if (state !== 'over') deliveryMetrics.alerts.inc({ kind });
    const { ALERT_WEBHOOK_URL: url, INSTANCE: instance, COMPANY_NAME: company } = this.settings;
    if (!url) return;
    const named = references.slice(0, REFERENCES_MAX);
    const more = references.length > named.length ? ` and ${references.length - named.length} more` : '';
    const minutes = Math.round(forMs / 60_000);
    const head = { raised: '', 'still true': `Still true after ${minutes} min: `, over: `Over after ${minutes} min: ` };
    const text = `${company} forms: ${head[state]}${[ALERTS[kind], named.join(', ')].join(' ').trim()}${more} (${kind}, ${instance})`;
    const signal = over ? AbortSignal.any([over, this.stopping.signal]) : this.stopping.signal;
    const post = { kind, state, text, at: Date.now(), instance, references: named, count: references.length };
    const refusal = await postAlert(url, post, signal);
    if (refusal === undefined) return;
    this.log.error({ event: 'alert given up', kind, status: refusal });
    deliveryMetrics.alertsLost.inc({ kind });
  }
}
