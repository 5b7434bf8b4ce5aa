import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, type JobsOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { SETTINGS, type RedisSettings } from '../settings/settings.ts';
import { checkRedis, createRedisClient, failFastOptions, KEY_PREFIX, withRedisErrors } from '../redis/redis-client.ts';

/** Name of the queue that api and worker share. */
export const DELIVERY_QUEUE = 'delivery';

/** Time limit for the answer to a command. */
export const QUEUE_TIMEOUT_MS = 5_000;

/** Time for which the queue pauses while the mail server cannot be used, in milliseconds. */
const PAUSE_MS = 30_000;

/** Data of a job: nothing about a visitor. */
export interface DeliveryJob {
  readonly id: string;
}

/**
 * The job's id is the submission's id, so a submission has at most one job. A job is removed when it ends, so that the id
 * can be used again.
 */
const optionsFor = (id: string): JobsOptions => ({ jobId: id, removeOnComplete: true, removeOnFail: true });

/**
 * Producer of the queue between api and worker. The database is the source of truth: the worker adds jobs that Redis
 * loses again.
 */
@Injectable()
export class DeliveryQueue implements OnApplicationShutdown {
  pauseMs = PAUSE_MS;
  private readonly client: Redis;
  private readonly queue: Queue<DeliveryJob>;
  private readonly added: string[] = [];

  constructor(@Inject(SETTINGS) settings: RedisSettings, @Optional() timeoutMs = QUEUE_TIMEOUT_MS) {
    this.client = createRedisClient(settings, { connectionName: 'queue', ...failFastOptions(timeoutMs) });
    this.queue = new Queue(DELIVERY_QUEUE, {
      connection: this.client,
      prefix: KEY_PREFIX,
      skipWaitingForReady: true,
      skipVersionCheck: true,
      skipMetasUpdate: true,
    });
    this.queue.on('error', () => undefined);
  }

  /**
   * Adds a job, in one batch with all others of this turn of the event loop (those of one INSERT). Never throws or waits:
   * the worker adds lost jobs again from the database.
   */
  add(id: string): void {
    if (this.added.push(id) > 1) return;
    setImmediate(() => void this.addAll(this.added.splice(0)).catch(() => undefined));
  }

  /** @throws RedisUnavailableError */
  async addAll(ids: readonly string[]): Promise<void> {
    const jobs = ids.map((id) => ({ name: 'deliver', data: { id }, opts: optionsFor(id) }));
    await withRedisErrors(this.client, () => this.queue.addBulk(jobs));
  }

  /** Pauses the queue for all workers. Without Redis there is nothing to pause, because no worker gets a job. */
  async pause(): Promise<void> {
    await this.queue.rateLimit(this.pauseMs).catch(() => undefined);
  }

  /** Returns the fault of Redis, or undefined if it accepts a write. */
  check(): Promise<string | undefined> {
    return checkRedis(this.client);
  }

  /** Returns the numbers of jobs by state. @throws RedisUnavailableError */
  counts(): Promise<Readonly<Record<string, number>>> {
    return withRedisErrors(this.client, () => this.queue.getJobCounts('wait', 'active', 'failed'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
    this.client.disconnect();
  }
}
