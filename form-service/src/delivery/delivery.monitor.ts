import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Cron, Interval } from '@nestjs/schedule';
import { placeholdersIn, SETTINGS, type Settings } from '../config/settings.ts';
import { HealthService, type CheckResult } from '../observability/health.service.ts';
import { StorageHealth } from '../observability/storage.health.ts';
import type { Backlog, Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { AlertsService } from './alerts.service.ts';
import { Breakers, type CircuitBreaker } from './circuit-breaker.ts';
import { deliveryMetrics } from './delivery.metrics.ts';
import { DeliveryQueue } from './delivery.queue.ts';
import { DeliveryService } from './delivery.service.ts';

/** A submission should be with sales or HR by then. Visitors are promised a day; this limit is our own. */
const OVERDUE_MS = 5 * 60_000;

/** A mail server or Redis that restarts is back before these times, and the alert comes before a submission is overdue. */
const MAIL_SERVER_AWAY_MS = 2 * 60_000;
const REDIS_AWAY_MS = 30_000;

/** The mail server is tried so often even when there is nothing to send. */
const MAIL_SERVER_CHECK_MS = 5 * 60_000;

/** This is room for some dozens of résumés, so an operator has time to act before the api refuses them. */
const FREE_BYTES_ALERT = 512 * 1024 * 1024;

/**
 * Checks every 10 s how deliveries are doing: sets the gauges that metrics and health checks show, and raises alerts.
 *
 * Only the worker watches Redis: without Redis it delivers nothing. An api that alone cannot reach Redis does no harm,
 * since the worker finds in the database what it accepted.
 */
@Injectable()
export class DeliveryMonitor implements OnApplicationBootstrap {
  private readonly log = new Logger('Monitor');
  private readonly placeholders: readonly string[];
  private backlog: Backlog | undefined;
  private redisAwaySince: number | undefined;
  /** The submissions whose alert is being posted. */
  private readonly firing = new Set<string>();

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly submissions: SubmissionsRepository,
    private readonly storage: StorageHealth,
    private readonly queue: DeliveryQueue,
    private readonly breakers: Breakers,
    private readonly deliveries: DeliveryService,
    private readonly alerts: AlertsService,
    private readonly health: HealthService,
  ) {
    this.placeholders = placeholdersIn(settings);
    health.register('settings', () => degradedBy(this.placeholders));
    health.register('redis', async () => {
      const cause = await queue.check();
      return cause === undefined ? { status: 'ok' } : { status: 'down', cause };
    });
    health.register('mail server', () => resultOf(breakers.mailServer));
    health.register('virus scanner', () => resultOf(breakers.scanner));
    health.register('deliveries', () => this.deliveryResult());
  }

  onApplicationBootstrap(): void {
    for (const cause of this.placeholders) this.log.warn({ event: 'setting to mend', cause });
    void this.checkMailServer();
  }

  /** Tries to log in to the mail server, so that a fault shows before the first visitor meets it. */
  @Interval(MAIL_SERVER_CHECK_MS)
  async checkMailServer(): Promise<void> {
    await this.breakers.mailServer.check();
  }

  /** Runs all checks once. It never rejects: what cannot be checked is itself reported. */
  @Cron('*/10 * * * * *', { waitForCompletion: true })
  async check(now = Date.now()): Promise<void> {
    const { mailServer } = this.breakers;
    const mailAwayMs = now - (mailServer.awaySince ?? now);
    const isRefused = mailServer.failure?.isRejection === true;
    const free = this.storage.freeBytes;
    // Without Redis there are no figures; those from before the outage would be wrong.
    const jobs = await this.queue.counts().catch(() => undefined);
    if (!jobs) deliveryMetrics.jobs.reset();
    for (const [state, count] of Object.entries(jobs ?? {})) deliveryMetrics.jobs.set({ state }, count);
    this.redisAwaySince = jobs ? undefined : (this.redisAwaySince ?? now);
    this.alerts.update('redis-away', now - (this.redisAwaySince ?? now) >= REDIS_AWAY_MS, now);
    this.alerts.update('mail-server-away', isRefused || mailAwayMs > MAIL_SERVER_AWAY_MS, now);
    this.alerts.update('inbox-refuses', [...this.deliveries.refused], now);
    this.alerts.update('task-stalled', this.health.stalledTasks, now);
    this.alerts.update('disk-nearly-full', free !== undefined && free < FREE_BYTES_ALERT, now);
    this.alerts.update('storage-unavailable', this.storage.cause !== undefined, now);
    await this.checkSubmissions(now).catch(() => this.forgetFigures());
  }

  private async checkSubmissions(now: number): Promise<void> {
    const backlog = (this.backlog = await this.submissions.counts());
    for (const state of ['pending', 'failed', 'quarantined'] as const)
      deliveryMetrics.submissions.set({ state }, backlog[state]);
    deliveryMetrics.oldestPendingSeconds.set(backlog.oldestPendingMs / 1_000);
    const overdue = await this.submissions.pendingLongerThan(OVERDUE_MS);
    deliveryMetrics.overdue.set(overdue.length);
    this.alerts.update('submission-overdue', overdue, now);
    const due = await this.submissions.alertsDue();
    for (const state of ['failed', 'quarantined'] as const) void this.fireDue(state, due);
  }

  /**
   * Raises an alert that the database has marked as due. The mark is cleared once the webhook has the alert, so a crash
   * in between repeats the alert and never loses it.
   */
  private async fireDue(
    kind: 'failed' | 'quarantined',
    due: readonly Pick<Submission, 'id' | 'state'>[],
  ): Promise<void> {
    const ids = due.filter(({ id, state }) => state === kind && !this.firing.has(id)).map(({ id }) => id);
    if (ids.length === 0) return;
    for (const id of ids) this.firing.add(id);
    try {
      if (await this.alerts.fire(`submission-${kind}`, ids)) await this.submissions.alertRaised(ids);
    } catch {
      // The database is away: the alert is raised again once it is back.
    } finally {
      for (const id of ids) this.firing.delete(id);
    }
  }

  /** Figures from before an outage of the database would be wrong. */
  private forgetFigures(): void {
    this.backlog = undefined;
    deliveryMetrics.submissions.reset();
    deliveryMetrics.oldestPendingSeconds.remove();
    deliveryMetrics.overdue.remove();
  }

  /** The health of deliveries. Alerts only degrade it: the worker does its work, and an operator has to act. */
  private deliveryResult(): CheckResult {
    const causes = this.alerts.activeKinds.map((kind) => kind.replaceAll('-', ' '));
    return degradedBy(this.backlog?.failed ? [...causes, `${this.backlog.failed} failed`] : causes);
  }
}

function degradedBy(causes: readonly string[]): CheckResult {
  return causes.length > 0 ? { status: 'degraded', cause: causes.join(', ') } : { status: 'ok' };
}

function resultOf({ awaySince, failure }: CircuitBreaker): CheckResult {
  if (awaySince === undefined) return { status: 'ok' };
  const why = failure ? `: ${failure.reason}` : '';
  return { status: 'down', cause: `away since ${new Date(awaySince).toISOString()}${why}` };
}
