import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Worker } from 'bullmq';
import { SETTINGS } from '../config/env.ts';
import type { RedisSettings } from '../config/redis-settings.ts';
import { DELIVERY_QUEUE, type DeliveryJob } from './delivery-job.ts';
import { DeliveryProcessor } from './delivery.processor.ts';
import { createRedisClient, queuePrefix, type RedisClient } from './redis-client.ts';

/** Submissions in delivery at once. */
const CONCURRENCY = 10;

/** A job whose worker died is taken again after at most the lock's life and two checks, in milliseconds. */
const LOCK_MS = 8_000;
const STALLED_CHECK_MS = 3_000;

/** Longest wait for the jobs in hand at shutdown, in milliseconds: a mail server may be silent for 20 s. */
const FINISH_MS = 25_000;

/** The consumer's connection to Redis: takes jobs while the process runs and finishes those in hand before it ends. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('DeliveryWorker');
  private readonly client: RedisClient;
  private worker: Worker<DeliveryJob> | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: RedisSettings,
    @Inject(DeliveryProcessor) private readonly processor: DeliveryProcessor,
  ) {
    // Not lazily: BullMQ gives up for good when a connection that it opens itself is refused at first.
    this.client = createRedisClient(settings, { maxRetriesPerRequest: null });
  }

  onApplicationBootstrap(): void {
    this.worker = new Worker<DeliveryJob>(DELIVERY_QUEUE, (job, token) => this.processor.process(job, token), {
      connection: this.client,
      prefix: queuePrefix(this.settings),
      concurrency: CONCURRENCY,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // A worker that is killed again and again must not use up a submission's right to be delivered.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      skipVersionCheck: true,
      // While Redis is away; the default of 15 s would be the time to recover.
      runRetryDelay: 500,
    });
    this.worker.on('error', (error) => this.log.debug({ event: 'queue error', code: (error as NodeJS.ErrnoException).code ?? error.name }));
    this.worker.on('stalled', (id) => this.log.warn({ event: 'job of a dead worker taken over', reference: id }));
  }

  async beforeApplicationShutdown(): Promise<void> {
    const closed = await Promise.race([this.close(), pause(FINISH_MS, false, { ref: false })]);
    if (!closed) this.log.warn({ event: 'ended with jobs in hand' });
    this.client.disconnect();
  }

  private async close(): Promise<true> {
    await this.worker?.close();
    return true;
  }
}
