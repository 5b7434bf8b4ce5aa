import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Counter } from 'prom-client';
import { HOUR_MS } from '../settings/durations.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { groupCommit } from '../database/group-commit.ts';
import { Log } from '../observability/log.ts';
import { postAlert, type AlertPost } from './alert-webhook.ts';

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
    'The mail server refuses our mails to a mailbox. They are tried again for two days, or when you press "Send again". Mailbox and code:',
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
  'task-stalled': [
    'A periodic task of the worker has not succeeded for too long.',
    'docs/operations.md#a-task-is-stalled',
  ],
  'disk-nearly-full': ['The disk that holds the submissions is nearly full.', 'docs/operations.md#disk-full'],
  'files-without-submission': [
    'Many résumé files belong to no submission. None was deleted. Run "submissions erase --orphans".',
    'docs/operations.md#files-without-a-submission',
  ],
  'storage-unavailable': ['The database or the résumé files are unavailable.', 'docs/operations.md#the-database-fails'],
  'backup-old': ['For more than two days no backup was kept elsewhere.', 'docs/operations.md#back-up'],
} as const satisfies Record<string, readonly [sentence: string, section: string]>;
export type AlertKind = keyof typeof ALERTS;

const raised = new Counter({ name: 'kitewright_alerts_total', help: 'Alerts raised, by kind', labelNames: ['kind'] });
const givenUp = new Counter({
  name: 'kitewright_alerts_given_up_total',
  help: 'Alerts that the webhook did not accept in any attempt, by kind',
  labelNames: ['kind'],
});
// Prometheus sees no increase in a series that begins with 1.
for (const kind of Object.keys(ALERTS)) for (const counter of [raised, givenUp]) counter.inc({ kind }, 0);

/** Maximum number of references in a post. Of the others only the number is posted. */
const REFERENCES_MAX = 50;

/** Pause before an active alert is posted again. */
const REPEAT_MS = HOUR_MS;

/** Text of an alert in a post. */
interface News extends Pick<AlertPost, 'state' | 'references'> {
  /** Time for which the condition has held, in milliseconds. */
  readonly forMs?: number;
  /** Words for the post only, such as the mail server's. They are not logged, because they can hold an address. */
  readonly details?: string | undefined;
}

/** An alert whose condition holds. Its times are those of `performance.now()`, which no change of the clock moves. */
interface ActiveAlert {
  readonly since: number;
  readonly references: ReadonlySet<string>;
  readonly sentAt: number;
  /** Aborts pending posts of the alert when it is over. */
  readonly over: AbortController;
}

/**
 * Raises alerts: an error in the log, a count in the metrics and, if `ALERT_WEBHOOK_URL` is set, a post by this process.
 * It uses neither Redis nor the mail server, because their outage may be the cause. Of a submission an alert contains
 * only the reference, and of a refusal the mail server's words.
 */
@Injectable()
export class AlertsService implements OnModuleDestroy {
  private readonly log = new Log('Alerts');
  private readonly active = new Map<AlertKind, ActiveAlert>();
  private readonly posts = new Map<AlertKind, ReturnType<typeof groupCommit<string, undefined>>>();
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'ALERT_WEBHOOK_URL' | 'SITE_URL' | 'COMPANY_NAME'>,
  ) {}

  /** Raises an alert about an event. Events that follow while it is posted share the next post. */
  fire(kind: AlertKind, reference: string): void {
    this.announce(kind, { state: 'raised', references: [reference] });
    const post = async (references: readonly string[]) => {
      await this.post(kind, { state: 'raised', references });
      return references.map(() => undefined);
    };
    const posts = this.posts.get(kind) ?? groupCommit(post);
    this.posts.set(kind, posts);
    void posts(reference);
  }

  /**
   * Updates an alert about a condition after each check. It fires when the condition begins, for each new reference, each
   * hour while it still holds, and at its end.
   *
   * @param holds whether the condition holds, or the references affected; an empty list means that it does not hold
   * @param details words for the post only
   */
  update(kind: AlertKind, holds: boolean | readonly string[], now = performance.now(), details?: string): void {
    const before = this.active.get(kind);
    const references = typeof holds === 'boolean' ? [] : holds;
    if (holds === false || (holds !== true && references.length === 0)) return this.resolve(kind, now);
    const { since = now, sentAt = now, over = new AbortController() } = before ?? {};
    const isRepeated = now - sentAt >= REPEAT_MS;
    const added = references.filter((reference) => !before?.references.has(reference));
    const isSent = !before || isRepeated || added.length > 0;
    this.active.set(kind, { since, references: new Set(references), sentAt: isSent ? now : sentAt, over });
    if (isRepeated) this.send(kind, { state: 'still true', references, forMs: now - since, details }, over.signal);
    else if (isSent) this.send(kind, { state: 'raised', references: added, details }, over.signal);
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
    this.send(kind, { state: 'over', references: [], forMs: now - before.since });
  }

  /** Announces an alert, and posts it without waiting. An error, which is a bug, must not end the process. */
  private send(kind: AlertKind, news: News, over?: AbortSignal): void {
    this.announce(kind, news);
    this.post(kind, news, over).catch(({ name }: Error) =>
      this.log.error({ event: 'alert given up', kind, code: name }),
    );
  }

  /** Logs and counts an alert. */
  private announce(kind: AlertKind, { state, references, forMs = 0 }: News): void {
    if (state === 'over') return this.log.log({ event: 'alert over', kind, seconds: Math.round(forMs / 1_000) });
    this.log.error({ event: 'alert', kind, references });
    raised.inc({ kind });
  }

  /** Posts an alert. Resolves when the webhook accepted or rejected it, or the process ends. */
  private async post(
    kind: AlertKind,
    { state, references, forMs = 0, details }: News,
    over?: AbortSignal,
  ): Promise<void> {
    const { ALERT_WEBHOOK_URL: url, COMPANY_NAME: company } = this.settings;
    if (!url) return;
    const instance = new URL(this.settings.SITE_URL).hostname;
    const named = references.slice(0, REFERENCES_MAX);
    const more = references.length > named.length ? ` and ${references.length - named.length} more` : '';
    const minutes = Math.round(forMs / 60_000);
    const head = { raised: '', 'still true': `Still true after ${minutes} min: `, over: `Over after ${minutes} min: ` };
    const [sentence, section] = ALERTS[kind];
    const said = [sentence, named.join(', ')].join(' ').trim();
    const words = details === undefined ? '' : ` ${details}`;
    const link = state === 'over' ? '' : ` What to do: ${section}`;
    const text = `${company} forms: ${head[state]}${said}${more}${words} (${kind}, ${instance})${link}`;
    const post = { kind, state, text, at: Date.now(), instance, references: named, count: references.length };
    const signal = over ? AbortSignal.any([over, this.stopping.signal]) : this.stopping.signal;
    const refusal = await postAlert(url, post, signal);
    if (refusal === undefined) return;
    this.log.error({ event: 'alert given up', kind, status: refusal });
    givenUp.inc({ kind });
  }
}
