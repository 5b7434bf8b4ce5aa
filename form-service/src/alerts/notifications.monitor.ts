import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { AlertsService } from './alerts.service.ts';
import type { NotificationKind } from '../submissions/submission.ts';
import { NotificationsRepository } from '../submissions/notifications.repository.ts';

const KINDS: readonly NotificationKind[] = ['acknowledgement', 'webhook'];

/** Period whose failures the alert contains. The alert ends when the period has none. */
const RECENT_MS = 60 * 60_000;

const notifications = new Gauge({
  name: 'kitewright_follow_ups',
  help: 'Webhook posts and acknowledgements that are pending, or failed for good',
  labelNames: ['kind', 'state'],
});

/** Counts pending and failed notifications (webhook posts and acknowledgements), and raises an alert about failures. */
@Injectable()
export class NotificationsMonitor {
  constructor(
    private readonly repository: NotificationsRepository,
    private readonly alerts: AlertsService,
  ) {}

  /** Runs the check once. While the database is unavailable, the gauges have no values. */
  async check(now = Date.now()): Promise<void> {
    try {
      const recent: string[] = [];
      for (const kind of KINDS) {
        notifications.set({ kind, state: 'failed' }, await this.repository.countGivenUp(kind));
        notifications.set({ kind, state: 'pending' }, await this.repository.countPending(kind));
        recent.push(...(await this.repository.givenUpWithin(RECENT_MS, kind)));
      }
      this.alerts.update('follow-ups-given-up', recent, now);
    } catch (error) {
      notifications.reset();
      throw error;
    }
  }
}
