import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { JobsOptions, Queue } from 'bullmq';
import { SETTINGS, type RedisSettings } from '../config/settings.ts';
import { openQueue, type OpenQueue } from '../redis/open-queue.ts';
import { checkRedis } from '../redis/redis.health.ts';

/** Name of the queue that api and worker share. */
export const DELIVERY_QUEUE = 'delivery';

/** All that a job holds: losing it loses nothing, and reading it tells nothing about a visitor. */
export interface DeliveryJob {
  readonly id: string;
}

/** The submission's id is the job's, so a second job for it cannot exist; a job that ended, however, is gone. */
const optionsFor = (id: string): JobsOptions => ({ jobId: id, removeOnComplete: true, removeOnFail: true });

/**
 * The producer's side of the queue between api and worker. Redis is an engine here, never a place to keep something:
 * whatever is lost, the worker enqueues again from the database.
 */
@Injectable()
export class DeliveryQueue implements OnApplicationShutdown {
  private readonly connection: OpenQueue<DeliveryJob>;
  /** BullMQ's own side, for the page about the queue. */
  readonly queue: Queue<DeliveryJob>;

  constructor(@Inject(SETTINGS) settings: RedisSettings) {
    this.connection = openQueue(DELIVERY_QUEUE, settings);
    this.queue = this.connection.queue;
  }

  /** Asks for a delivery. Never throws and never waits: a job that is lost here is added again from the database. */
  add(id: string): void {
    this.queue.add('deliver', { id }, optionsFor(id)).catch(() => undefined);
  }

  /** @throws when Redis is away */
  async addAll(ids: readonly string[]): Promise<void> {
    await this.queue.addBulk(ids.map((id) => ({ name: 'deliver', data: { id }, opts: optionsFor(id) })));
  }

  /** What is wrong with Redis, or undefined when it answers. */
  check(): Promise<string | undefined> {
    return checkRedis(this.connection.client);
  }

  /** Jobs by state. @throws when Redis is away */
  counts(): Promise<Readonly<Record<string, number>>> {
    return this.queue.getJobCounts('wait', 'active', 'failed');
  }

  /** Removes jobs that nobody is working on. @throws when Redis is away */
  async removeAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.queue.remove(id);
  }

  onApplicationShutdown(): Promise<void> {
    return this.connection.close();
  }
}
