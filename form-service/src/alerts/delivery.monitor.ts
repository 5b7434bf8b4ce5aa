import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BACKUP_MAX_AGE_MS } from '../database/last-runs.ts';
import { placeholdersIn, SETTINGS, type Settings } from '../config/settings.ts';
import { Log } from '../observability/log.ts';
import { HealthService, type CheckResult } from '../observability/health.service.ts';
import { LeasedWork, type Work } from '../outbox/leased-work.ts';
import type { CircuitBreaker } from '../outbox/circuit-breaker.ts';
import { TaskRunner } from '../outbox/task-runner.ts';
import { ALERT_LEASE_MS, BacklogRepository, type AlertLease } from '../submissions/backlog.repository.ts';
import { StorageHealth } from '../submissions/storage.health.ts';
import type { Backlog } from '../submissions/submission.ts';
import { AlertsService } from './alerts.service.ts';
import { Breakers } from '../delivery/breakers.ts';
import { deliveryMetrics } from '../delivery/delivery.metrics.ts';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { MailboxHolds } from '../delivery/mailbox-holds.ts';

/** Interval of the checks. */
export const CHECK_MS = 10_000;

/** Time within which sales or HR should have a submission. Visitors are promised a day; this limit is our own. */
const OVERDUE_MS = 5 * 60_000;

/**
 * Times of an outage before its alert: longer than a restart, and shorter than the time until a submission is overdue. The
 * interval of the checks adds up to 10 s. An outage of Redis counts from the check that finds it. With its time between
 * one and two intervals, the third check raises the alert even if it runs early.
 */
const MAIL_SERVER_OUTAGE_MS = 2 * 60_000;
const REDIS_OUTAGE_MS = 1.5 * CHECK_MS;

/** Free space below which an alert is raised. It holds dozens of résumés, so the operator can act before the api rejects them. */
const FREE_BYTES_ALERT = 512 * 1024 * 1024;

/** Maximum time that a check waits for the database. The alert about a silent database must not wait for it. */
const COUNT_MS = 5_000;

/**
 * Checks deliveries every 10 s: sets the gauges of metrics and health checks, and raises alerts.
 *
 * Only the worker monitors Redis, because it delivers nothing without Redis. If only an api cannot reach Redis, the worker
 * finds the accepted submissions in the database.
 */
@Injectable()
export class DeliveryMonitor implements OnApplicationBootstrap {
  private readonly log = new Log('Monitor');
  private readonly placeholders: readonly string[];
  private backlog: Backlog | undefined;
  private redisUnavailableSince: number | undefined;
  private counting: Promise<void> | undefined;
  private readonly raising: Work<AlertLease> = {
    leaseMs: ALERT_LEASE_MS,
    renew: (lease) => this.submissions.renewAlerts(lease),
    run: async (lease) => {
      const isRaised = await this.alerts.fire(`submission-${lease.state}`, lease.ids);
      await this.leasedWork.write(() => this.submissions.endAlerts(lease, isRaised));
    },
  };

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly submissions: BacklogRepository,
    private readonly storage: StorageHealth,
    private readonly queue: DeliveryQueue,
    private readonly breakers: Breakers,
    private readonly holds: MailboxHolds,
    private readonly alerts: AlertsService,
    private readonly tasks: TaskRunner,
    private readonly leasedWork: LeasedWork,
    health: HealthService,
  ) {
    this.placeholders = placeholdersIn(settings);
    health.register('settings', () => degradedBy(this.placeholders));
    health.register('redis', async () => {
      const fault = await queue.check();
      return fault ? { status: 'down', cause: fault.cause } : { status: 'ok' };
    });
    health.register('mail server', () => resultOf(breakers.mailServer));
    health.register('virus scanner', () => resultOf(breakers.scanner));
    health.register('deliveries', () => this.deliveryResult());
  }

  onApplicationBootstrap(): void {
    for (const cause of this.placeholders) this.log.warn({ event: 'setting to fix', cause });
    void this.breakers.mailServer.check();
  }

  /** Runs all checks once. */
  async check(now = Date.now()): Promise<void> {
    const { mailServer } = this.breakers;
    const mailOutageMs = now - (mailServer.unavailableSince ?? now);
    const isRefused = mailServer.failure?.isRejection === true;
    const free = this.storage.freeBytes;
    await this.checkRedis(now);
    this.alerts.update('mail-server-away', isRefused || mailOutageMs > MAIL_SERVER_OUTAGE_MS, now);
    this.alerts.update('task-stalled', this.tasks.stalled, now);
    this.alerts.update('disk-nearly-full', free !== undefined && free < FREE_BYTES_ALERT, now);
    const { unsavedSince } = this.storage;
    this.alerts.update('backup-old', now - (unsavedSince?.getTime() ?? now) > BACKUP_MAX_AGE_MS, now);
    this.alerts.update('storage-unavailable', this.storage.cause !== undefined, now);
    const counting = (this.counting ??= this.checkSubmissions(now)
      .catch(() => this.resetGauges())
      .finally(() => (this.counting = undefined)));
    await Promise.race([counting, pause(COUNT_MS, undefined, { ref: false })]);
  }

  /** The alert about Redis names its cause, like those about mailboxes their addresses. */
  private async checkRedis(now: number): Promise<void> {
    const fault = await this.queue.check();
    // Without Redis the gauges have no values. Those from before the outage would be wrong.
    const jobs = fault ? undefined : await this.queue.counts().catch(() => undefined);
    if (!jobs) deliveryMetrics.jobs.reset();
    for (const [state, count] of Object.entries(jobs ?? {})) deliveryMetrics.jobs.set({ state }, count);
    this.redisUnavailableSince = fault ? (this.redisUnavailableSince ?? now) : undefined;
    const isLong = now - (this.redisUnavailableSince ?? now) >= REDIS_OUTAGE_MS;
    this.alerts.update('redis-away', fault && isLong ? [fault.cause] : [], now);
  }

  private async checkSubmissions(now: number): Promise<void> {
    const backlog = (this.backlog = await this.submissions.counts());
    for (const state of ['pending', 'failed', 'quarantined'] as const)
      deliveryMetrics.submissions.set({ state }, backlog[state]);
    deliveryMetrics.oldestPendingSeconds.set(backlog.oldestPendingMs / 1_000);
    deliveryMetrics.overdue.set(await this.submissions.countPendingLongerThan(OVERDUE_MS));
    this.alerts.update('submission-overdue', await this.submissions.pendingLongerThan(OVERDUE_MS), now);
    this.alerts.update('mailbox-refuses', await this.holds.heldMailboxes(), now);
    // The webhook may accept an alert much later. If its lease cannot be ended, another worker raises it again.
    void this.leasedWork.run(() => this.submissions.leaseAlerts(), this.raising).catch(() => undefined);
  }

  /** Removes the gauges' values, because those from before an outage of the database would be wrong. */
  private resetGauges(): void {
    this.backlog = undefined;
    deliveryMetrics.submissions.reset();
    deliveryMetrics.oldestPendingSeconds.remove();
    deliveryMetrics.overdue.remove();
  }

  /** Returns the health of deliveries. Alerts only degrade it: the worker runs, and an operator has to act. */
  private deliveryResult(): CheckResult {
    const causes = this.alerts.activeKinds.map((kind) => kind.replaceAll('-', ' '));
    return degradedBy(this.backlog?.failed ? [...causes, `${this.backlog.failed} failed`] : causes);
  }
}

function degradedBy(causes: readonly string[]): CheckResult {
  return causes.length > 0 ? { status: 'degraded', cause: causes.join(', ') } : { status: 'ok' };
}

function resultOf({ unavailableSince, failure }: CircuitBreaker): CheckResult {
  if (unavailableSince === undefined) return { status: 'ok' };
  const why = failure ? `: ${failure.reason}` : '';
  return { status: 'down', cause: `unavailable since ${new Date(unavailableSince).toISOString()}${why}` };
}
