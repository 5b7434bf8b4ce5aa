import { deliveryMetrics } from '../delivery/delivery.metrics.ts';
import type { Check } from '../observability/health.service.ts';
import type { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { redisCheck } from '../redis/redis-client.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';

/** Time within which sales or HR should have a submission. Visitors are promised a day; this limit is our own. */
const OVERDUE_MS = 5 * 60_000;

/** Whether deliveries have failed or are overdue. Sets the gauges of what is not delivered. */
export const deliveriesCheck = (search: SubmissionSearchRepository): Check => ({
  name: 'deliveries',
  needsStorage: true,
  alert: { kind: 'submission-overdue' },
  run: async () => {
    const { backlog, overdue } = await figuresOf(search);
    for (const state of ['pending', 'failed', 'quarantined'] as const)
      deliveryMetrics.submissions.set({ state }, backlog[state]);
    deliveryMetrics.oldestPendingSeconds.set(backlog.oldestPendingMs / 1_000);
    deliveryMetrics.overdue.set(overdue);
    const affected = overdue > 0 ? await search.pendingLongerThan(OVERDUE_MS) : [];
    const causes = [backlog.failed > 0 && `${backlog.failed} failed`, overdue > 0 && `${overdue} overdue`];
    const cause = causes.filter(Boolean).join(', ');
    return cause === '' ? { status: 'ok' } : { status: 'degraded', cause, affected };
  },
});

/** Reads the figures. The gauges keep their values meanwhile, and have none while the database is unavailable. */
async function figuresOf(search: SubmissionSearchRepository) {
  try {
    return { backlog: await search.backlog(), overdue: await search.countPendingLongerThan(OVERDUE_MS) };
  } catch (error) {
    deliveryMetrics.submissions.reset();
    deliveryMetrics.oldestPendingSeconds.remove();
    deliveryMetrics.overdue.remove();
    throw error;
  }
}

/** Whether Redis accepts jobs. Sets their gauge, which has no values without Redis. */
export const queueCheck = (queue: DeliveryQueue): Check =>
  redisCheck(async () => {
    const fault = await queue.check();
    const jobs = fault ? undefined : await queue.counts().catch(() => undefined);
    if (!jobs) deliveryMetrics.jobs.reset();
    for (const [state, count] of Object.entries(jobs ?? {})) deliveryMetrics.jobs.set({ state }, count);
    return fault;
  });
