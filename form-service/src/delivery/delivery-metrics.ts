import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry, type Metric } from 'prom-client';
import { FORM_LABELS } from '../canary/form-label.ts';
import { MAIL_ERROR_KINDS } from './mail-error.ts';

const ATTEMPT_FAILURE_KINDS = [...MAIL_ERROR_KINDS, 'scanner', 'unexpected'] as const;

/** What an attempt to deliver can fail of. */
export type AttemptFailureKind = (typeof ATTEMPT_FAILURE_KINDS)[number];

/**
 * What the worker counts; names and labels hold no visitor's data. What is counted starts at 0 and not with the first
 * event: Prometheus sees no increase in a series that begins with 1.
 */
@Injectable()
export class DeliveryMetrics {
  readonly settled = new Counter({
    name: 'kitewright_submissions_settled_total',
    help: 'Submissions that left the pending state, by form and where they went',
    labelNames: ['form', 'state'] as const,
    registers: [],
  });

  readonly secondsToDeliver = new Histogram({
    name: 'kitewright_submission_delivery_seconds',
    help: 'Time from a submission being received, or made pending again, to the mail server taking it',
    labelNames: ['form'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400],
    registers: [],
  });

  readonly failedAttempts = new Counter({
    name: 'kitewright_delivery_attempts_failed_total',
    help: 'Attempts to deliver that failed, by what the failure means',
    labelNames: ['kind'] as const,
    registers: [],
  });

  readonly retries = new Counter({
    name: 'kitewright_delivery_retries_total',
    help: 'Attempts to deliver that failed and are followed by another, by what the failure means',
    labelNames: ['kind'] as const,
    registers: [],
  });

  readonly submissions = new Gauge({
    name: 'kitewright_submissions',
    help: 'Submissions in the store that are not delivered, by state',
    labelNames: ['state'] as const,
    registers: [],
  });

  readonly oldestPendingSeconds = new Gauge({
    name: 'kitewright_submission_oldest_pending_seconds',
    help: 'Age of the oldest pending submission; 0 when there is none',
    registers: [],
  });

  readonly overdue = new Gauge({
    name: 'kitewright_submissions_overdue',
    help: 'Submissions that are pending for longer than the 5 minutes in which they should be delivered',
    registers: [],
  });

  readonly jobs = new Gauge({
    name: 'kitewright_delivery_jobs',
    help: 'Jobs in Redis, by state',
    labelNames: ['state'] as const,
    registers: [],
  });

  readonly reenqueued = new Counter({
    name: 'kitewright_submissions_reenqueued_total',
    help: 'Pending submissions that had no live job and got a new one',
    registers: [],
  });

  readonly lastRun = new Gauge({
    name: 'kitewright_sweep_last_success_timestamp_seconds',
    help: 'When a periodic task last ended well, in Unix time; until it has, when it was started',
    labelNames: ['sweep'] as const,
    registers: [],
  });

  readonly retentionDeleted = new Counter({
    name: 'kitewright_submissions_deleted_by_retention_total',
    help: 'Delivered submissions that were deleted because their time was over',
    registers: [],
  });

  readonly alerts = new Counter({
    name: 'kitewright_alerts_total',
    help: 'Alerts raised, by kind',
    labelNames: ['kind'] as const,
    registers: [],
  });

  constructor(@Inject(Registry) registry: Registry) {
    const all = [this.settled, this.secondsToDeliver, this.failedAttempts, this.retries, this.submissions, this.oldestPendingSeconds];
    const more = [this.overdue, this.jobs, this.reenqueued, this.lastRun, this.retentionDeleted, this.alerts];
    for (const metric of [...all, ...more]) registry.registerMetric(metric as Metric);
    for (const form of FORM_LABELS) {
      this.secondsToDeliver.zero({ form });
      for (const state of ['delivered', 'failed', 'quarantined']) this.settled.inc({ form, state }, 0);
    }
    for (const kind of ATTEMPT_FAILURE_KINDS) {
      this.failedAttempts.inc({ kind }, 0);
      this.retries.inc({ kind }, 0);
    }
  }

  attemptFailed(kind: AttemptFailureKind, isRetried: boolean): void {
    this.failedAttempts.inc({ kind });
    if (isRetried) this.retries.inc({ kind });
  }
}
