import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry, type Metric } from 'prom-client';
import type { MailFailureKind } from './mail-failure.ts';

/** What the worker counts; names and labels hold no visitor's data. */
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

  readonly failedAttempts = new Counter<'kind'>({
    name: 'kitewright_delivery_attempts_failed_total',
    help: 'Attempts to deliver that failed, by what the failure means',
    labelNames: ['kind'],
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
    help: 'When a periodic task last ended well, in Unix time',
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
    const all = [this.settled, this.secondsToDeliver, this.failedAttempts, this.submissions, this.oldestPendingSeconds];
    const more = [this.jobs, this.reenqueued, this.lastRun, this.retentionDeleted, this.alerts];
    for (const metric of [...all, ...more]) registry.registerMetric(metric as Metric);
  }

  attemptFailed(kind: MailFailureKind | 'scanner' | 'unexpected'): void {
    this.failedAttempts.inc({ kind });
  }
}
