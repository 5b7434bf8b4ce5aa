import { Injectable } from '@nestjs/common';
import { Histogram, Registry } from 'prom-client';
import { counter, gauge, registerAll } from '../observability/metrics.ts';
import { FORM_KINDS } from '../submissions/submission.ts';
import { MAIL_ERROR_KINDS } from './mail-error.ts';

const ATTEMPT_FAILURE_KINDS = [...MAIL_ERROR_KINDS, 'scanner', 'storage', 'unexpected'] as const;

/** The reasons for which an attempt to deliver can fail. */
export type AttemptFailureKind = (typeof ATTEMPT_FAILURE_KINDS)[number];

/**
 * The worker's metrics. Names and labels hold no visitor's data. Counters start at 0 and not with the first event,
 * since Prometheus sees no increase in a series that begins with 1.
 */
@Injectable()
export class DeliveryMetrics {
  readonly settled = counter(
    'submissions_settled_total',
    'Submissions that left the pending state, by form and where they went',
    'form',
    'state',
  );
  readonly secondsToDeliver = new Histogram({
    name: 'kitewright_submission_delivery_seconds',
    help: 'Time from a submission being received, or made pending again, to the mail server taking it',
    labelNames: ['form'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400],
    registers: [],
  });

  readonly failedAttempts = counter(
    'delivery_attempts_failed_total',
    'Attempts to deliver that failed, by what the failure means',
    'kind',
  );
  readonly submissions = gauge('submissions', 'Submissions in the store that are not delivered, by state', 'state');
  readonly oldestPendingSeconds = gauge(
    'submission_oldest_pending_seconds',
    'Age of the oldest pending submission; 0 when there is none',
  );
  readonly overdue = gauge(
    'submissions_overdue',
    'Submissions that are pending for longer than the 5 minutes in which they should be delivered',
  );
  readonly jobs = gauge('delivery_jobs', 'Jobs in Redis, by state', 'state');
  readonly enqueued = counter(
    'submissions_enqueued_total',
    'Submissions that the database said were due and the worker handed to the queue',
  );
  readonly retentionDeleted = counter(
    'submissions_deleted_by_retention_total',
    'Submissions that were deleted because their time was over',
  );
  readonly alerts = counter('alerts_total', 'Alerts raised, by kind', 'kind');
  readonly alertsLost = counter(
    'alerts_given_up_total',
    'Alerts that the webhook did not take, however often it was tried, by kind',
    'kind',
  );

  constructor(registry: Registry) {
    registerAll(registry, this);
    for (const form of FORM_KINDS) {
      this.secondsToDeliver.zero({ form });
      for (const state of ['delivered', 'failed', 'quarantined']) this.settled.inc({ form, state }, 0);
    }
    for (const kind of ATTEMPT_FAILURE_KINDS) this.failedAttempts.inc({ kind }, 0);
  }
}
