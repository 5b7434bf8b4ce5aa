import { Gauge } from 'prom-client';

/** Metrics that checks set. Their labels are fixed words, never a visitor's. */
export const metrics = {
  submissions: new Gauge({
    name: 'kitewright_submissions',
    help: 'Submissions in the store that are not delivered, by state',
    labelNames: ['state'],
  }),
  oldestPendingSeconds: new Gauge({
    name: 'kitewright_submission_oldest_pending_seconds',
    help: 'Age of the oldest pending submission; 0 if there is none',
  }),
  overdue: new Gauge({
    name: 'kitewright_submissions_overdue',
    help: 'Submissions that are pending for longer than the 5 minutes in which they should be delivered',
  }),
  jobs: new Gauge({ name: 'kitewright_delivery_jobs', help: 'Jobs in Redis, by state', labelNames: ['state'] }),
  backupTime: new Gauge({
    name: 'kitewright_backup_last_success_timestamp_seconds',
    help: 'When the latest backup that is kept elsewhere was begun, in Unix time; no number before the first one',
  }),
  incompleteErasures: new Gauge({
    name: 'kitewright_erasures_incomplete',
    help: 'Erased submissions whose file, or copies of whose row, remain to be removed',
  }),
  notifications: new Gauge({
    name: 'kitewright_notifications',
    help: 'Webhook posts that are pending, or failed for good',
    labelNames: ['kind', 'state'],
  }),
};
