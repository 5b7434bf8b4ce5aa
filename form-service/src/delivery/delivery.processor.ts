import { setTimeout as pause } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { UnrecoverableError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { SETTINGS, type RedisSettings } from '../config/settings.ts';
import { createRedisClient, KEY_PREFIX } from '../redis/redis-client.ts';
import { HealthService } from '../observability/health.service.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { FORM_KINDS } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Breakers } from './circuit-breaker.ts';
import { deliveryMetrics } from './delivery.metrics.ts';
import { DELIVERY_QUEUE, DeliveryQueue, type DeliveryJob } from './delivery.queue.ts';
import { DeliveryService } from './delivery.service.ts';

/**
 * The number of submissions that one worker has in hand. Each waits for Redis, the database and one of the mailer's
 * connections in turn, so this is a multiple of the connections.
 */
const CONCURRENCY = 50;

/** A job whose worker died is taken again after at most the lock's duration and two checks. */
const LOCK_MS = 8_000;
const STALLED_CHECK_MS = 3_000;

/** At shutdown the worker waits this long for the jobs in hand: a mail server may be silent for 20 s. */
const FINISH_MS = 25_000;

/**
 * Each search for what is due adds at most so many jobs, and none to a queue that has this many: what ten fast workers
 * send in a few seconds.
 */
const DUE_MAX = 2_000;

/**
 * Processes jobs while the mail server takes mails, and finishes those in hand before the process ends. Every 2 s it adds
 * to the queue what the database says is due, since Redis may be wiped at any time: new submissions whose job was lost,
 * those whose pause is over, and those whose worker died.
 */
@Injectable()
export class DeliveryProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('DeliveryProcessor');
  private readonly client: Redis;
  private worker: Worker<DeliveryJob> | undefined;

  constructor(
    @Inject(SETTINGS) settings: RedisSettings,
    private readonly delivery: DeliveryService,
    private readonly breakers: Breakers,
    private readonly submissions: SubmissionsRepository,
    private readonly queue: DeliveryQueue,
    private readonly health: HealthService,
  ) {
    health.expectTask('due submissions', 60_000);
    // The connection is opened here: BullMQ gives up for good when a connection that it opens itself is refused at
    // first.
    this.client = createRedisClient(settings, { maxRetriesPerRequest: null });
  }

  onApplicationBootstrap(): void {
    const worker = new Worker<DeliveryJob>(DELIVERY_QUEUE, (job) => this.process(job), {
      connection: this.client,
      prefix: KEY_PREFIX,
      concurrency: CONCURRENCY,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // A worker that is killed again and again must not use up the attempts of a submission.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      skipVersionCheck: true,
      // This is the pause while Redis is away; after the default of 15 s, recovery would take as long.
      runRetryDelay: 500,
    });
    worker.on('error', (error) => this.log.debug({ event: 'queue error', code: codeOf(error) }));
    worker.on('failed', (job, error) =>
      this.log.error({ event: 'delivery broke off', reference: job?.id, code: codeOf(error) }),
    );
    worker.on('stalled', (id) => this.log.warn({ event: 'job of a dead worker taken over', reference: id }));
    this.breakers.mailServer.on('open', () => void worker.pause(true));
    this.breakers.mailServer.on('close', () => worker.resume());
    this.worker = worker;
  }

  @Cron('*/2 * * * * *', { waitForCompletion: true })
  addDue(): Promise<void> {
    return this.health.runTask('due submissions', async () => {
      const { mailServer, scanner } = this.breakers;
      if (mailServer.isOpen) return;
      const forms = scanner.isOpen ? FORM_KINDS.filter((form) => form !== 'application') : FORM_KINDS;
      const ids = await this.submissions.due(forms, DUE_MAX);
      if (ids.length === 0 && mailServer.awaySince === undefined) return;
      const { wait = 0, active = 0 } = await this.queue.counts();
      // What is in hand is not due, and it may be what the server hangs on.
      if (ids.length + wait + active === 0) mailServer.succeeded();
      if (ids.length === 0 || wait >= DUE_MAX) return;
      await this.queue.addAll(ids);
      deliveryMetrics.enqueued.inc(ids.length);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    const late = pause(FINISH_MS, 'late', { ref: false });
    if ((await Promise.race([this.worker?.close(), late])) === 'late')
      this.log.warn({ event: 'ended with jobs in hand' });
    this.client.disconnect();
  }

  /** The data of a job are checked, because others may write to Redis too. */
  private async process({ data }: Job<DeliveryJob>): Promise<void> {
    if (!isSubmissionId(data?.id)) throw new UnrecoverableError('not a delivery job');
    await this.delivery.deliver(data.id);
  }
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.name;
}
