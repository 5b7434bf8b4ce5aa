import { Inject, Injectable, Logger } from '@nestjs/common';
import { AlertWebhook } from './alert-webhook.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';

/** What an operator must hear of. */
export const ALERT_KINDS = [
  /** A submission was given up or refused for good, and waits for `submissions resend`. */
  'submission-failed',
  /** A submission was set aside after a virus scan, and waits for `submissions release`. */
  'submission-quarantined',
  /** A submission is pending for more than 5 minutes. */
  'submission-overdue',
  /** The mail server could not be used for 2 minutes; what is sent is kept. */
  'mail-server-away',
  'sweep-stalled',
  'disk-nearly-full',
  'storage-unavailable',
  /** No synthetic enquiry arrived for more than two intervals: visitors' may not either. */
  'canary-overdue',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/**
 * Tells someone: an error in the log, a count in the metrics, and the webhook. Never the mail server, which may be the
 * thing that is broken. Holds references and nothing else of a submission.
 */
@Injectable()
export class Alerts {
  private readonly log = new Logger('Alerts');
  private readonly standing = new Map<AlertKind, ReadonlySet<string>>();

  constructor(
    @Inject(DeliveryMetrics) private readonly metrics: DeliveryMetrics,
    @Inject(AlertWebhook) private readonly webhook: AlertWebhook,
  ) {
    for (const kind of ALERT_KINDS) metrics.alerts.inc({ kind }, 0);
  }

  /** Something happened. */
  raise(kind: AlertKind, references: readonly string[] = []): void {
    this.log.error({ event: 'alert', kind, references });
    this.metrics.alerts.inc({ kind });
    this.webhook.post(kind, references);
  }

  /**
   * Something is so; said as often as it is looked at, raised when it becomes so and for every reference that joins.
   *
   * @param holds false, or an empty list, when it is not so (any more)
   */
  report(kind: AlertKind, holds: boolean | readonly string[]): void {
    const before = this.standing.get(kind);
    if (holds === false || (Array.isArray(holds) && holds.length === 0)) {
      this.standing.delete(kind);
      return;
    }
    const references = holds === true ? [] : holds;
    this.standing.set(kind, new Set(references));
    const added = references.filter((reference) => !before?.has(reference));
    if (!before || added.length > 0) this.raise(kind, added);
  }

  /** What is so now. */
  get causes(): readonly AlertKind[] {
    return [...this.standing.keys()];
  }
}
