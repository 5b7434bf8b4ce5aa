import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/env.ts';
import { SubmissionStore } from '../storage/submission-store.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { Sweeper } from './sweeper.ts';

const DAY_MS = 24 * 60 * 60_000;
const EVERY_MS = 60 * 60_000;

/** Records looked at without a break; the store says how long one lasts. */
const STEP = 50;

/** Deletes submissions `RETENTION_DAYS` after their delivery. What is failed or quarantined stays until dealt with. */
@Injectable()
export class Retention implements OnApplicationBootstrap {
  private readonly log = new Logger('Retention');

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'RETENTION_DAYS'>,
    @Inject(SubmissionStore) private readonly store: SubmissionStore,
    @Inject(Sweeper) private readonly sweeper: Sweeper,
    @Inject(DeliveryMetrics) private readonly metrics: DeliveryMetrics,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeper.start({ name: 'retention', everyMs: EVERY_MS, share: 0.05, run: (signal) => this.run(signal) });
  }

  /** One walk over what may be old enough; ends early, and goes on next time, when the signal says so. */
  async run(signal: AbortSignal, now = Date.now()): Promise<void> {
    const before = now - this.settings.RETENTION_DAYS * DAY_MS;
    let looked = 0;
    let deleted = 0;
    let start = performance.now();
    for await (const id of this.store.deliveredBefore(before)) {
      if (signal.aborted) break;
      if (await this.deleteIfOlder(id, before)) deleted++;
      if (++looked % STEP > 0) continue;
      await pause((performance.now() - start) * this.store.restFactor, undefined, { signal }).catch(() => undefined);
      start = performance.now();
    }
    this.metrics.retentionDeleted.inc(deleted);
    this.log.log({ event: 'retention', looked, deleted });
  }

  private async deleteIfOlder(id: string, before: number): Promise<boolean> {
    const found = await this.store.find(id);
    if (found?.state !== 'delivered') return false;
    const { delivery, receivedAt } = found.submission;
    if (Date.parse(delivery.deliveredAt ?? receivedAt) >= before) return false;
    await this.store.remove(id, 'delivered');
    return true;
  }
}
