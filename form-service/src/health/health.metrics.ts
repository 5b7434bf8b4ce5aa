import { Gauge } from 'prom-client';

/** Metrics that checks set. Their labels are fixed words, never a visitor's. */
export const metrics = {
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
