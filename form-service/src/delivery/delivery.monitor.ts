import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { HealthService, type CheckResult } from '../observability/health.service.ts';
import { StorageHealth } from '../observability/storage.health.ts';
import { TaskHealth } from '../observability/task-health.service.ts';
import type { Backlog } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { AlertsService, type AlertKind } from './alerts.service.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { DeliveryMetrics } from './delivery.metrics.ts';
import { DeliveryQueue } from './delivery.queue.ts';
import { MailServerBreaker } from './mail-server.breaker.ts';
import { ScannerBreaker } from './scanner.breaker.ts';

/** A submission should be with sales or HR by then. Visitors are promised a day; this limit is our own. */
const OVERDUE_MS = 5 * 60_000;

/**
 * This is longer than a mail server takes to restart, and the alert still comes before the first submission is overdue.
 */
const MAIL_SERVER_AWAY_MS = 2 * 60_000;

/** This is room for some dozens of résumés, so an operator has time to act before the api refuses them. */
const FREE_BYTES_ALERT = 512 * 1024 * 1024;

/**
 * Checks every 10 s how deliveries are doing: sets the gauges that metrics and health checks show, and raises alerts.
 */
@Injectable()
export class DeliveryMonitor {
  private backlog: Backlog | undefined;

  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly storage: StorageHealth,
    private readonly queue: DeliveryQueue,
    private readonly mailServer: MailServerBreaker,
    private readonly tasks: TaskHealth,
    private readonly metrics: DeliveryMetrics,
    private readonly alerts: AlertsService,
    scanner: ScannerBreaker,
    health: HealthService,
  ) {
    health.register('redis', async () => {
      const cause = await queue.check();
      return cause === undefined ? { status: 'ok' } : { status: 'down', cause };
    });
    health.register('mail server', () => resultOf(mailServer));
    health.register('virus scanner', () => resultOf(scanner));
    health.register('deliveries', () => this.deliveryResult());
  }

  /** Runs all checks once. It never rejects: what cannot be checked is itself reported. */
  @Cron('*/10 * * * * *', { waitForCompletion: true })
  async check(now = Date.now()): Promise<void> {
    const free = this.storage.freeBytes;
    await this.report('task-stalled', this.tasks.stalled);
    await this.report('mail-server-away', now - (this.mailServer.awaySince ?? now) > MAIL_SERVER_AWAY_MS);
    await this.report('disk-nearly-full', free !== undefined && free < FREE_BYTES_ALERT);
    await this.report('storage-unavailable', this.storage.cause !== undefined);
    await this.checkSubmissions().catch(() => (this.backlog = undefined));
    // Without Redis there are no figures; those from before the outage would be wrong.
    await this.countJobs().catch(() => this.metrics.jobs.reset());
  }

  private async checkSubmissions(): Promise<void> {
    const backlog = (this.backlog = await this.submissions.counts());
    for (const state of ['pending', 'failed', 'quarantined'] as const)
      this.metrics.submissions.set({ state }, backlog[state]);
    this.metrics.oldestPendingSeconds.set(backlog.oldestPendingMs / 1_000);
    const overdue = await this.submissions.pendingLongerThan(OVERDUE_MS);
    this.metrics.overdue.set(overdue.length);
    await this.report('submission-overdue', overdue);
    await this.raiseDue();
  }

  /**
   * Raises the alerts that the database has marked as due. The mark is cleared afterwards, so a crash in between loses
   * no alert.
   */
  private async raiseDue(): Promise<void> {
    const due = await this.submissions.alertsDue();
    for (const state of ['failed', 'quarantined'] as const) {
      const ids = due.filter((one) => one.state === state).map(({ id }) => id);
      if (ids.length === 0) continue;
      await this.alerts.raise(`submission-${state}`, ids);
      await this.submissions.alertRaised(ids);
    }
  }

  private async report(kind: AlertKind, holds: boolean | readonly string[]): Promise<void> {
    await this.alerts.report(kind, holds).catch(() => undefined);
  }

  private async countJobs(): Promise<void> {
    for (const [state, count] of Object.entries(await this.queue.counts())) this.metrics.jobs.set({ state }, count);
  }

  /** The health of deliveries. Alerts only degrade it: the worker does its work, and an operator has to act. */
  private deliveryResult(): CheckResult {
    const causes = this.alerts.causes.map((kind) => kind.replaceAll('-', ' '));
    if (this.backlog?.failed) causes.push(`${this.backlog.failed} failed`);
    return causes.length > 0 ? { status: 'degraded', cause: causes.join(', ') } : { status: 'ok' };
  }
}

function resultOf({ awaySince }: CircuitBreaker): CheckResult {
  return awaySince === undefined
    ? { status: 'ok' }
    : { status: 'down', cause: `away since ${new Date(awaySince).toISOString()}` };
}
