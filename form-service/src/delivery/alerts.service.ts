import { hash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type RedisSettings, type Settings } from '../config/settings.ts';
import { openQueue, type OpenQueue } from '../redis/open-queue.ts';
import { DeliveryMetrics } from './delivery.metrics.ts';

/** The kinds of alerts, with the sentences that the operator reads. */
export const ALERTS = {
  'submission-failed': 'Submissions could not be delivered and wait for "submissions resend".',
  'submission-quarantined': 'Submissions were quarantined after a virus scan and wait for "submissions release".',
  'submission-overdue': 'Submissions have been pending for more than 5 minutes.',
  'mail-server-away': 'The mail server could not be used for 2 minutes. What is sent is kept.',
  'task-stalled': 'A periodic task of the worker has not ended well for too long.',
  'disk-nearly-full': 'The disk that holds the submissions is nearly full.',
  'files-without-submission':
    'Many files of résumés belong to no submission. None was deleted: see "submissions orphans".',
  'storage-unavailable': 'The database or the files of résumés cannot be used.',
} as const;
export type AlertKind = keyof typeof ALERTS;

export const ALERT_QUEUE = 'alerts';

export interface AlertJob {
  readonly kind: AlertKind;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly instance: string;
  readonly count: number;
  /** The first references; `count` has their number. */
  readonly references: readonly string[];
}

const REFERENCES_MAX = 50;

/**
 * Each alert is a job of its own that is tried for about an hour. No alert waits for another, and none is lost with a
 * process.
 */
const OPTIONS = {
  attempts: 10,
  backoff: { type: 'exponential', delay: 5_000, jitter: 0.2 },
  removeOnComplete: { age: 3_600 },
  removeOnFail: { age: 7 * 86_400, count: 1_000 },
} as const;

/** An alert that several workers raise, or that is raised again after a restart, is posted once in this time. */
const DEDUPLICATION_MS = 60_000;

/**
 * Raises alerts: an error in the log, a count in the metrics and, where `ALERT_WEBHOOK_URL` is set, a job for the
 * webhook. Mail is not used, because the mail server may be what is broken. An alert holds references and nothing else
 * of a submission.
 */
@Injectable()
export class AlertsService implements OnApplicationShutdown {
  private readonly log = new Logger('Alerts');
  private readonly standing = new Map<AlertKind, ReadonlySet<string>>();
  private readonly connection: OpenQueue<AlertJob>;

  constructor(
    @Inject(SETTINGS) private readonly settings: RedisSettings & Pick<Settings, 'ALERT_WEBHOOK_URL' | 'INSTANCE'>,
    private readonly metrics: DeliveryMetrics,
  ) {
    for (const counter of [metrics.alerts, metrics.alertsLost])
      for (const kind of Object.keys(ALERTS)) counter.inc({ kind }, 0);
    this.connection = openQueue(ALERT_QUEUE, settings);
  }

  /**
   * Raises an alert about an event.
   *
   * @throws when Redis is away: the caller must raise it again later
   */
  async raise(kind: AlertKind, references: readonly string[] = []): Promise<void> {
    if (this.settings.ALERT_WEBHOOK_URL) {
      const { INSTANCE: instance } = this.settings;
      const count = Math.max(references.length, 1);
      const job = { kind, at: Date.now(), instance, count, references: references.slice(0, REFERENCES_MAX) };
      const id = references.length > 0 ? `${kind}-${hash('sha256', references.join(), 'hex').slice(0, 32)}` : kind;
      await this.connection.queue.add('alert', job, { ...OPTIONS, deduplication: { id, ttl: DEDUPLICATION_MS } });
    }
    this.log.error({ event: 'alert', kind, references });
    this.metrics.alerts.inc({ kind });
  }

  /**
   * Reports a condition, as often as it is checked. An alert is raised when the condition begins, and for every
   * reference that is added.
   *
   * @param holds false, or an empty list, when the condition does not hold
   */
  async report(kind: AlertKind, holds: boolean | readonly string[]): Promise<void> {
    const before = this.standing.get(kind);
    if (holds === false || (Array.isArray(holds) && holds.length === 0)) {
      this.standing.delete(kind);
      return;
    }
    const references = holds === true ? [] : holds;
    const added = references.filter((reference) => !before?.has(reference));
    if (!before || added.length > 0) await this.raise(kind, added);
    this.standing.set(kind, new Set(references));
  }

  /** The conditions that hold now. */
  get causes(): readonly AlertKind[] {
    return [...this.standing.keys()];
  }

  onApplicationShutdown(): Promise<void> {
    return this.connection.close();
  }
}
