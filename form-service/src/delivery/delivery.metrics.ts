import { counter, gauge, histogram } from '../observability/metrics.ts';
import { FORM_KINDS } from '../submissions/submission.ts';
import { AFTER_FAILURE } from './failure.ts';

/** The worker's metrics. */
export const deliveryMetrics = {
  settled: counter(
    'submissions_settled_total',
    'Submissions that left the pending state, by form and where they went',
    'form',
    'state',
  ),
  secondsToDeliver: histogram(
    'submission_delivery_seconds',
    'Time from a submission being received, or made pending again, to the mail server taking it',
    [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400],
    'form',
  ),
  failedAttempts: counter(
    'delivery_attempts_failed_total',
    'Attempts to deliver that failed, by what the failure means',
    'kind',
  ),
  submissions: gauge('submissions', 'Submissions in the store that are not delivered, by state', 'state'),
  oldestPendingSeconds: gauge(
    'submission_oldest_pending_seconds',
    'Age of the oldest pending submission; 0 when there is none',
  ),
  overdue: gauge(
    'submissions_overdue',
    'Submissions that are pending for longer than the 5 minutes in which they should be delivered',
  ),
  jobs: gauge('delivery_jobs', 'Jobs in Redis, by state', 'state'),
  enqueued: counter(
    'submissions_enqueued_total',
    'Submissions that the database said were due and the worker handed to the queue',
  ),
  alerts: counter('alerts_total', 'Alerts raised, by kind', 'kind'),
  alertsLost: counter(
    'alerts_given_up_total',
    'Alerts that the webhook did not take, however often it was tried, by kind',
    'kind',
  ),
};

for (const form of FORM_KINDS) {
  deliveryMetrics.secondsToDeliver.zero({ form });
  for (const state of ['delivered', 'failed', 'quarantined']) deliveryMetrics.settled.inc({ form, state }, 0);
}
for (const kind of Object.keys(AFTER_FAILURE)) deliveryMetrics.failedAttempts.inc({ kind }, 0);
