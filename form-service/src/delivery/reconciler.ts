import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SubmissionStore } from '../storage/submission-store.ts';
import { Backlog } from './backlog.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { Sweeper } from './sweeper.ts';

const SWEEP = 'reconcile';

/**
 * Gives every pending submission a live job. It is why Redis may lose anything at any time: what was accepted and never
 * enqueued, wiped, or left behind by a job that ended wrongly is found in the store and enqueued again.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap {
  private readonly log = new Logger('Reconciler');

  constructor(
    @Inject(SubmissionStore) private readonly store: Pick<SubmissionStore, 'lookEveryMs'>,
    @Inject(Backlog) private readonly backlog: Backlog,
    @Inject(DeliveryQueue) private readonly queue: DeliveryQueue,
    @Inject(Sweeper) private readonly sweeper: Sweeper,
    @Inject(DeliveryMetrics) private readonly metrics: DeliveryMetrics,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeper.start({ name: SWEEP, everyMs: this.store.lookEveryMs, share: 0.05, run: () => this.reconcile() });
    this.queue.onConnected(() => this.sweeper.hurry(SWEEP));
  }

  /** One look at store and queue. @throws when either is away */
  async reconcile(): Promise<void> {
    const { pending, failed, quarantined } = await this.backlog.view();
    this.metrics.submissions.set({ state: 'pending' }, pending.size);
    this.metrics.submissions.set({ state: 'failed' }, failed.length);
    this.metrics.submissions.set({ state: 'quarantined' }, quarantined.length);
    if (pending.size > 0) await this.enqueueOrphans([...pending.keys()]);
  }

  /** A submission that is delivered between the two looks gets a job that finds nothing to do. */
  private async enqueueOrphans(pending: readonly string[]): Promise<void> {
    const { live, finished } = await this.queue.overview();
    const orphans = pending.filter((id) => !live.has(id));
    for (const id of orphans) {
      if (finished.has(id)) await this.queue.remove(id);
      this.queue.enqueue(id);
    }
    if (orphans.length === 0) return;
    this.metrics.reenqueued.inc(orphans.length);
    this.log.log({ event: 're-enqueued', count: orphans.length });
  }
}
