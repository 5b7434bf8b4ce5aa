import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { JobsOptions, Queue } from 'bullmq';
import { SETTINGS, type RedisSettings } from '../config/settings.ts';
import { openQueue, type OpenQueue } from '../redis/open-queue.ts';
import { checkRedis } from '../redis/redis-client.ts';

/** The name of the queue that api and worker share. */
export const DELIVERY_QUEUE = 'delivery';

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
  private readonly connection: OpenQueue<DeliveryJob>;
  private readonly queue: Queue<DeliveryJob>;
  private readonly added: string[] = [];

  constructor(@Inject(SETTINGS) settings: RedisSettings) {
    this.connection = openQueue(DELIVERY_QUEUE, settings);
    this.queue = this.connection.queue;
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
    return checkRedis(this.connection.client);
  }

  /** The numbers of jobs by state. @throws when Redis is away */
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
