import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { UnrecoverableError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { SETTINGS, type RedisSettings } from '../settings/settings.ts';
import { Log } from '../observability/log.ts';
import { createRedisClient, KEY_PREFIX } from '../redis/redis-client.ts';
import { endsWithin, REDIS_MS } from '../outbox/leases.ts';
import { isSubmissionId } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { DELIVERY_QUEUE, DeliveryQueue, type DeliveryJob } from './delivery.queue.ts';
import { deliveryMetrics, DeliveryService } from './delivery.service.ts';
import { MAIL_CONNECTIONS } from '../mail/mailer.service.ts';

/** A job of a dead worker is taken over after at most the lock's duration and two checks. */
const LOCK_MS = 8_000;
const STALLED_CHECK_MS = 3_000;

/**
 * Processes jobs, and finishes active ones before the process ends. Redis may be wiped at any time, so submissions that
 * are due in the database are added to the queue every 2 s: those whose job was lost, whose wait is over, or whose worker
 * died.
 */
@Injectable()
export class DeliveryProcessor implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly log = new Log('DeliveryProcessor');
  private readonly client: Redis;
  private worker: Worker<DeliveryJob> | undefined;
  /** Back pressure: maximum number of jobs that are added. Ten fast workers send this number in a few seconds. */
  dueMax = 2_000;

  constructor(
    @Inject(SETTINGS) settings: RedisSettings,
    private readonly delivery: DeliveryService,
    private readonly submissions: SubmissionsRepository,
    private readonly queue: DeliveryQueue,
  ) {
    // BullMQ gives up if a connection that it opens itself is refused at first, so the connection is opened here.
    this.client = createRedisClient(settings, { connectionName: 'worker', maxRetriesPerRequest: null });
  }

  onApplicationBootstrap(): void {
    const worker = new Worker<DeliveryJob>(DELIVERY_QUEUE, (job) => this.process(job), {
      connection: this.client,
      prefix: KEY_PREFIX,
      concurrency: MAIL_CONNECTIONS,
      // Without the option, BullMQ ignores the pause that `DeliveryQueue.pause` sets for all workers.
      limiter: { max: Number.MAX_SAFE_INTEGER, duration: 1_000 },
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // A worker that is killed again and again must not use up the attempts of a submission.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      skipVersionCheck: true,
      // Pause while Redis is unavailable. With the default of 15 s, recovery would take as long.
      runRetryDelay: 500,
    });
    worker.on('error', (error) => this.log.debug({ event: 'queue error', code: codeOf(error) }));
    worker.on('failed', (job, error) =>
      this.log.error({ event: 'delivery job failed', reference: job?.id, code: codeOf(error) }),
    );
    worker.on('stalled', (id) => this.log.warn({ event: 'job of a dead worker taken over', reference: id }));
    this.worker = worker;
  }

  /** Adds the submissions that are due to the queue, unless half of them wait there. So a paused queue costs nothing. */
  async addDue(): Promise<void> {
    const ids = await this.submissions.due(this.dueMax);
    if (ids.length === 0) return;
    const { wait = 0 } = await this.queue.counts();
    if (2 * wait >= ids.length) return;
    await this.queue.addAll(ids);
    deliveryMetrics.enqueued.inc(ids.length);
  }

  onModuleDestroy(): void {
    void this.worker?.pause(true);
  }

  /** All results are in the database now. BullMQ's own `close()` waits for Redis, which needs to learn nothing. */
  async onApplicationShutdown(): Promise<void> {
    const isConnected = this.client.status === 'ready';
    await endsWithin(REDIS_MS, this.worker?.close(!isConnected));
    this.client.disconnect();
  }

  /** Checks the data of the job, because other programs may write to Redis. */
  private async process({ data }: Job<DeliveryJob>): Promise<void> {
    if (!isSubmissionId(data?.id)) throw new UnrecoverableError('not a delivery job');
    await this.delivery.deliver(data.id);
  }
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.name;
}
