import { Counter, Histogram } from 'prom-client';
import { FORM_KINDS } from '../contract/forms.ts';
import { FAILURE_KINDS } from '../outbox/attempt.ts';

/**
 * Metrics of the worker, which register themselves with prom-client. Names and labels are fixed words, never a visitor's.
 */
export const deliveryMetrics = {
  settled: new Counter({
    name: 'kitewright_submissions_settled_total',
    help: 'Submissions that left the pending state, by form and new state',
    labelNames: ['form', 'state'],
  }),
  secondsToDeliver: new Histogram({
    name: 'kitewright_submission_delivery_seconds',
    help: 'Time from a submission being received, or made pending again, to its acceptance by the mail server',
    labelNames: ['form'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400],
  }),
  failedAttempts: new Counter({
    name: 'kitewright_delivery_attempts_failed_total',
    help: 'Failed attempts to deliver, by kind of failure',
    labelNames: ['kind'],
  }),
  enqueued: new Counter({
    name: 'kitewright_submissions_enqueued_total',
    help: 'Submissions that the worker found due in the database and added to the queue',
  }),
};

// Prometheus sees no increase in a series that begins with 1.
for (const form of FORM_KINDS) {
  deliveryMetrics.secondsToDeliver.zero({ form });
  for (const state of ['delivered', 'failed', 'quarantined']) deliveryMetrics.settled.inc({ form, state }, 0);
}
for (const kind of FAILURE_KINDS) deliveryMetrics.failedAttempts.inc({ kind }, 0);
