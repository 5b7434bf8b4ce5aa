import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, type JobsOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { SETTINGS, type RedisSettings } from '../config/settings.ts';
import { checkRedis, createRedisClient, failingFast, KEY_PREFIX } from '../redis/redis-client.ts';

/** The name of the queue that api and worker share. */
export const DELIVERY_QUEUE = 'delivery';

const TIMEOUT_MS = 5_000;

/** The data of a job. Losing it loses nothing, and reading it tells nothing about a visitor. */
export interface DeliveryJob {
  readonly id: string;
}

/**
 * The job has the submission's id, so there is at most one job for it. A job is removed when it ends, so the id can be
 * used again.
 */
const optionsFor = (id: string): JobsOptions => ({ jobId: id, removeOnComplete: true, removeOnFail: true });

/**
 * The producer's side of the queue between api and worker. Redis stores nothing that counts: whatever is lost there,
 * the worker adds again from the database.
 */
@Injectable()
export class DeliveryQueue implements OnApplicationShutdown {
  private readonly client: Redis;
  private readonly queue: Queue<DeliveryJob>;
  private readonly added: string[] = [];

  constructor(@Inject(SETTINGS) settings: RedisSettings) {
    this.client = createRedisClient(settings, failingFast(TIMEOUT_MS));
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
   * Adds a job, with all others that are added in this turn of the event loop: those of one INSERT. It never throws and
   * never waits: a job that is lost here is added again from the database.
   */
  add(id: string): void {
    if (this.added.push(id) > 1) return;
    setImmediate(() => void this.addAll(this.added.splice(0)).catch(() => undefined));
  }

  /** @throws when Redis is away */
  async addAll(ids: readonly string[]): Promise<void> {
    await this.queue.addBulk(ids.map((id) => ({ name: 'deliver', data: { id }, opts: optionsFor(id) })));
  }

  /** The fault of Redis, or undefined when it answers. */
  check(): Promise<string | undefined> {
    return checkRedis(this.client);
  }

  /** The numbers of jobs by state. @throws when Redis is away */
  counts(): Promise<Readonly<Record<string, number>>> {
    return this.queue.getJobCounts('wait', 'active', 'failed');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
    this.client.disconnect();
  }
}
