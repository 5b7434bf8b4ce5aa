import { Inject, Injectable, type OnModuleDestroy, type OnApplicationBootstrap } from '@nestjs/common';
import { Canary } from '../canary/canary.ts';
import { Readiness, type ProbeResult } from '../health/readiness.ts';
import { SubmissionStore } from '../storage/submission-store.ts';
import { Alerts } from './alerts.ts';
import { Backlog } from './backlog.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { MailServerWatch } from './mail-server-watch.ts';
import { ScannerWatch } from './scanner-watch.ts';
import { Sweeper } from './sweeper.ts';
import type { OutageWatch } from './outage-watch.ts';

const EVERY_MS = 10_000;

/** A submission should be with sales or HR by then; the promise to a visitor is a day, to ourselves minutes. */
const OVERDUE_MS = 5 * 60_000;

/** Longer than a mail server takes to restart: told before the first submission is overdue. */
const MAIL_SERVER_AWAY_MS = 2 * 60_000;

/** Room for some dozens of résumés more: time for somebody to act before the api says no, in bytes. */
const FREE_BYTES_ALERT = 512 * 1024 * 1024;

const OK: ProbeResult = { status: 'ok' };

/**
 * Compares how deliveries do with how they should: raises the alerts and answers the readiness questions. Runs on a
 * timer of its own, so that it also notices sweeps that hang.
 */
@Injectable()
export class DeliveryMonitor implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(SubmissionStore) private readonly store: SubmissionStore,
    @Inject(Backlog) private readonly backlog: Backlog,
    @Inject(DeliveryQueue) private readonly queue: DeliveryQueue,
    @Inject(MailServerWatch) private readonly mailServer: MailServerWatch,
    @Inject(ScannerWatch) scanner: ScannerWatch,
    @Inject(Sweeper) private readonly sweeper: Sweeper,
    @Inject(Canary) private readonly canary: Canary,
    @Inject(DeliveryMetrics) private readonly metrics: DeliveryMetrics,
    @Inject(Alerts) private readonly alerts: Alerts,
    @Inject(Readiness) readiness: Readiness,
  ) {
    readiness.register('redis', () => this.redisStatus());
    readiness.register('mail server', () => statusOf(mailServer));
    readiness.register('virus scanner', () => statusOf(scanner));
    readiness.register('sweeps', () => this.sweepStatus());
    readiness.register('deliveries', () => this.deliveryStatus());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
    this.sweeper.start({ name: 'tidy', everyMs: 15_000, share: 0.05, run: () => this.store.sweep() });
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** One look at everything. Never rejects: what cannot be looked at is itself reported. */
  async look(now = Date.now()): Promise<void> {
    this.alerts.report('sweep-stalled', this.sweeper.stalled);
    this.alerts.report('canary-overdue', this.canary.isOverdue(now));
    const awaySince = this.mailServer.awaySince?.getTime() ?? now;
    this.alerts.report('mail-server-away', now - awaySince > MAIL_SERVER_AWAY_MS);
    try {
      const { pending } = await this.backlog.view();
      const oldest = Math.min(now, ...pending.values());
      this.metrics.oldestPendingSeconds.set((now - oldest) / 1_000);
      const overdue = [...pending].filter(([, since]) => now - since > OVERDUE_MS).map(([id]) => id);
      this.metrics.overdue.set(overdue.length);
      this.alerts.report('submission-overdue', overdue);
      const free = await this.store.freeBytes();
      this.alerts.report('disk-nearly-full', free !== undefined && free < FREE_BYTES_ALERT);
      await this.store.checkWritable();
      this.alerts.report('storage-unavailable', false);
    } catch {
      this.alerts.report('storage-unavailable', true);
    }
    // Rather no figures than those of before Redis went away.
    await this.countJobs().catch(() => this.metrics.jobs.reset());
  }

  private async countJobs(): Promise<void> {
    for (const [state, count] of Object.entries(await this.queue.counts())) this.metrics.jobs.set({ state }, count);
  }

  private async redisStatus(): Promise<ProbeResult> {
    const cause = await this.queue.trouble();
    return cause === undefined ? OK : { status: 'down', cause };
  }

  private sweepStatus(): ProbeResult & { lastRuns: Readonly<Record<string, string>> } {
    const { stalled, lastRuns } = this.sweeper;
    if (stalled.length > 0) return { status: 'down', cause: `stalled: ${stalled.join(', ')}`, lastRuns };
    return { status: 'ok', lastRuns };
  }

  /** The worker does its work; that somebody has to do theirs is no reason to take it out of service. */
  private async deliveryStatus(): Promise<ProbeResult> {
    const { failed } = await this.backlog.view();
    const causes = this.alerts.causes.map((kind) => kind.replaceAll('-', ' '));
    if (failed.length > 0) causes.push(`${failed.length} failed`);
    return causes.length > 0 ? { status: 'degraded', cause: causes.join(', ') } : OK;
  }
}

function statusOf(watch: OutageWatch): ProbeResult {
  return watch.awaySince ? { status: 'down', cause: `away since ${watch.awaySince.toISOString()}` } : OK;
}
