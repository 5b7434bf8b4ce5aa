import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue } from 'bullmq';
import { SETTINGS } from '../config/env.ts';
import type { RedisSettings } from '../config/redis-settings.ts';
import { redisTrouble } from '../health/redis.probe.ts';
import { DELIVER_JOB, DELIVERY_QUEUE, deliveryJobOptions, type DeliveryJob } from './delivery-job.ts';
import { createRedisClient, queuePrefix, type RedisClient } from './redis-client.ts';

/** Ids kept while Redis is away; past that the worker's reconciler finds them in the store. */
const WAITING_MAX = 10_000;
const BATCH = 200;
const RETRY_MS = 1_000;

/** Which submissions have a job, by what the job still needs. */
export interface JobOverview {
  /** Waiting, running or scheduled for later. */
  readonly live: ReadonlySet<string>;
  /** Done with as far as the queue knows, and in the way of a new job with the same id. */
  readonly finished: ReadonlySet<string>;
}

/**
 * The producer's side of the queue between api and worker. Redis is an engine here, never a place to keep something:
 * whatever is lost, the worker enqueues it again from the store.
 */
@Injectable()
export class DeliveryQueue implements OnApplicationShutdown {
  private readonly client: RedisClient;
  /** BullMQ's own side, for the page about the queue. */
  readonly queue: Queue<DeliveryJob>;
  private readonly waiting = new Set<string>();
  private flushing: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(@Inject(SETTINGS) settings: RedisSettings) {
    this.client = createRedisClient(settings, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 5_000,
    });
    this.queue = new Queue(DELIVERY_QUEUE, {
      connection: this.client,
      prefix: queuePrefix(settings),
      skipWaitingForReady: true,
      skipVersionCheck: true,
      skipMetasUpdate: true,
    });
    this.queue.on('error', () => undefined);
    this.client.on('ready', () => this.flush());
  }

  /** Asks for a delivery: soon, at once when Redis is there. Never throws and never waits. */
  enqueue(id: string): void {
    if (this.waiting.size < WAITING_MAX) this.waiting.add(id);
    this.flush();
  }

  get isConnected(): boolean {
    return this.client.status === 'ready';
  }

  /** What is wrong with Redis, or undefined when it answers. */
  trouble(): Promise<string | undefined> {
    return redisTrouble(this.client);
  }

  /** Calls back each time that Redis has come within reach. */
  onConnected(callback: () => void): void {
    this.client.on('ready', callback);
  }

  /** @throws when Redis is away */
  async overview(): Promise<JobOverview> {
    const [live, finished] = await Promise.all([
      this.queue.getRanges(['wait', 'active', 'delayed', 'prioritized'], 0, -1),
      this.queue.getRanges(['failed', 'completed'], 0, -1),
    ]);
    return { live: new Set(live), finished: new Set(finished) };
  }

  /** Jobs by state. @throws when Redis is away */
  async counts(): Promise<Readonly<Record<string, number>>> {
    return this.queue.getJobCounts('wait', 'active', 'delayed', 'failed');
  }

  /** Removes a job that is not being worked on; false when it is. @throws when Redis is away */
  async remove(id: string): Promise<boolean> {
    return (await this.queue.remove(id)) === 1;
  }

  /** Lets every delivery that waits for its next attempt start now. @throws when Redis is away */
  async promoteDelayed(): Promise<void> {
    await this.queue.promoteJobs();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.retry);
    await this.flushing;
    await this.queue.close();
    this.client.disconnect();
  }

  private flush(): void {
    if (this.flushing || !this.isConnected || this.waiting.size === 0) return;
    this.flushing = this.addWaiting().then(
      () => {
        this.flushing = undefined;
        this.flush();
      },
      () => {
        this.flushing = undefined;
        this.tryAgainLater();
      },
    );
  }

  /** Whatever is asked for during one round trip goes together with the next. */
  private async addWaiting(): Promise<void> {
    while (this.waiting.size > 0) {
      const ids = [...this.waiting].slice(0, BATCH);
      await this.queue.addBulk(ids.map((id) => ({ name: DELIVER_JOB, data: { id }, opts: deliveryJobOptions(id) })));
      for (const id of ids) this.waiting.delete(id);
    }
  }

  private tryAgainLater(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.flush(), RETRY_MS).unref();
  }
}
