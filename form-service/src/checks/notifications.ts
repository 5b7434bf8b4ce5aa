import { Gauge } from 'prom-client';
import { HOUR_MS } from '../config/durations.ts';
import type { NotificationKind } from '../database/schema.ts';
import type { Check } from '../observability/health.service.ts';
import type { NotificationsRepository } from '../outbox/notifications.repository.ts';

/** Period whose failures the alert contains. It ends when the period has none. */
const RECENT_MS = HOUR_MS;

const KINDS: Readonly<Record<NotificationKind, readonly [noun: string, advice: string]>> = {
  webhook: [
    'posts to the webhook',
    'Fix SUBMISSION_WEBHOOK_URL or its secret, then run submissions resend --all-failed',
  ],
  acknowledgement: ['acknowledgements', 'Run doctor --send, which tests if the mail server accepts an empty sender'],
};

const gauge = new Gauge({
  name: 'kitewright_notifications',
  help: 'Webhook posts and acknowledgements that are pending, or failed for good',
  labelNames: ['kind', 'state'],
});

/** Whether webhook posts or acknowledgements have failed for good (dead letters). */
export const notificationsCheck = (repository: NotificationsRepository): Check => ({
  name: 'notifications',
  needsStorage: true,
  alert: { kind: 'notifications-given-up' },
  run: async () => {
    const [causes, remedies, affected]: [string[], string[], string[]] = [[], [], []];
    for (const kind of Object.keys(KINDS) as NotificationKind[]) {
      const [noun, remedy] = KINDS[kind];
      const [failed, pending, recent] = await figuresOf(repository, kind);
      gauge.set({ kind, state: 'failed' }, failed);
      gauge.set({ kind, state: 'pending' }, pending);
      affected.push(...recent);
      if (failed > 0) causes.push(`${failed} ${noun} failed for good`);
      if (failed > 0) remedies.push(remedy);
    }
    if (causes.length === 0) return { status: 'ok' };
    return { status: 'degraded', cause: causes.join(', '), advice: remedies.join('. '), affected };
  },
});

/** Reads the figures of a kind. The gauges have no values while the database is unavailable. */
async function figuresOf(repository: NotificationsRepository, kind: NotificationKind) {
  try {
    const [failed, pending] = [await repository.countGivenUp(kind), await repository.countPending(kind)];
    return [failed, pending, await repository.givenUpWithin(RECENT_MS, kind)] as const;
  } catch (error) {
    gauge.reset();
    throw error;
  }
}
