import { afterAll } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { readSettings, SETTINGS, type Settings } from '../src/settings/settings.ts';
import { Database } from '../src/database/database.ts';
import { DeliveryQueue } from '../src/delivery/delivery.queue.ts';
import { openFileStorage, type FileStorage } from '../src/files/file-storage.ts';
import { HealthService } from '../src/health/health.service.ts';
import { SubmissionsRepository } from '../src/submissions/submissions.repository.ts';
import { configureHttpServer } from '../src/start.ts';
import { WorkerTasks } from '../src/tasks.ts';
import { WorkerModule } from '../src/worker.module.ts';
import { MailServer } from './mail-server.ts';
import { RedisServer } from './redis-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

interface Parts {
  readonly redis?: RedisServer;
  readonly mail?: MailServer;
  readonly settings?: Partial<Settings>;
}

/** Empty Redis servers of earlier tests of this file: the start of a process takes longer than many a test. */
const idle: RedisServer[] = [];
/** Whether the hooks after all tests run, which can close a stack after this one. */
let isOver = false;

afterAll(async () => {
  isOver = true;
  await Promise.all(idle.splice(0).map((server) => server.stop()));
});

/** Keeps a server for the next test, unless the test has stopped it. */
async function keep(server: RedisServer): Promise<void> {
  if (isOver) return server.stop();
  server.signal('SIGCONT');
  const client = new Redis(server.url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // A blocked read of a worker that has ended would take a job of the next test.
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await client.flushall();
    idle.push(server);
  } catch {
    await server.stop();
  } finally {
    client.disconnect();
  }
}

/** Database, Redis, mail server and workers of one test. The test uses the database like the api. */
export class DeliveryStack {
  private readonly workers = new Set<INestApplicationContext>();

  private constructor(
    readonly redis: RedisServer,
    readonly mail: MailServer,
    readonly database: Database,
    readonly submissions: SubmissionsRepository,
    readonly files: FileStorage,
    readonly settings: Settings,
    private readonly removeFolder: () => Promise<void>,
    /** Whether the test has brought its own Redis, whose settings may differ. */
    private readonly hasOwnRedis: boolean,
  ) {}

  static async start({ redis, mail, settings }: Parts = {}): Promise<DeliveryStack> {
    const [redisServer, mailServer, folder] = await Promise.all([
      redis ?? idle.pop() ?? RedisServer.start(),
      mail ?? MailServer.start(),
      temporaryFolder(),
    ]);
    const all = {
      ...readSettings({
        REDIS_URL: redisServer.url,
        SMTP_URL: mailServer.url,
        DATABASE_URL: `file:${folder.path}/submissions.db`,
      }),
      ...settings,
    };
    const database = await Database.open(all.DATABASE_URL);
    const submissions = new SubmissionsRepository(database);
    return new DeliveryStack(
      redisServer,
      mailServer,
      database,
      submissions,
      await openFileStorage(all),
      all,
      folder.remove,
      redis !== undefined,
    );
  }

  /** Environment variables for a worker process. */
  get environment(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.settings)
        // A process of a test listens at any port.
        .filter(([name, value]) => value !== undefined && name !== 'API_URL' && name !== 'WORKER_URL')
        .map(([name, value]) => [name, String(value)]),
    );
  }

  async startWorker(): Promise<INestApplicationContext> {
    const building = Test.createTestingModule({ imports: [WorkerModule] })
      .overrideProvider(SETTINGS)
      .useValue(this.settings);
    const options = { bodyParser: false, logger: false } as const;
    const worker = (await building.compile()).createNestApplication<NestExpressApplication>(options);
    configureHttpServer(worker);
    // A slow machine must not make a check unknown.
    Object.assign(worker.get(HealthService, { strict: false }), { cacheMs: 0, timeoutMs: 20_000 });
    worker.get(DeliveryQueue, { strict: false }).pauseMs = QUEUE_PAUSE_MS;
    runTasksOften(worker);
    await worker.init();
    this.workers.add(worker);
    return worker;
  }

  async stopWorker(worker: INestApplicationContext): Promise<void> {
    this.workers.delete(worker);
    await worker.close();
  }

  async stateOf(id: string): Promise<string | undefined> {
    return (await this.submissions.find(id))?.state;
  }

  /** Resolves when all these submissions are delivered. */
  async delivered(...ids: readonly string[]): Promise<void> {
    await until(`${ids.join(', ')} delivered`, async () => {
      const delivered = await this.database.run((db) =>
        db.selectFrom('submissions').select('id').where('state', '=', 'delivered').where('id', 'in', ids).execute(),
      );
      return delivered.length === ids.length;
    });
  }

  /** Resolves when no submission is being sent or due. */
  async idle(): Promise<void> {
    await until('all submissions sent or waiting', async () => {
      const now = Date.now();
      const rows = await this.database.run((db) =>
        db.selectFrom('submissions').select(['nextAttemptAt', 'leaseToken']).where('state', '=', 'pending').execute(),
      );
      return rows.every(({ nextAttemptAt, leaseToken }) => leaseToken === null && nextAttemptAt > now);
    });
  }

  /** Lets time pass for all submissions, which then have been stored, and wait for, so much longer. */
  async pass(ms: number): Promise<void> {
    await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set((is) => ({
          stateSince: is('stateSince', '-', ms),
          receivedAt: is('receivedAt', '-', ms),
          nextAttemptAt: is('nextAttemptAt', '-', ms),
        }))
        .execute(),
    );
  }

  /** Resolves when all these submissions are delivered, after waits that end at once. */
  async deliveredAfterWaits(...ids: readonly string[]): Promise<void> {
    await until(`${ids.join(', ')} delivered`, async () => {
      await this.database.run((db) =>
        db.updateTable('submissions').set({ nextAttemptAt: 0 }).where('state', '=', 'pending').execute(),
      );
      const states = await Promise.all(ids.map((id) => this.stateOf(id)));
      return states.every((state) => state === 'delivered');
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.close()));
    await this.database.close();
    const endRedis = this.hasOwnRedis ? this.redis.stop() : keep(this.redis);
    await Promise.all([endRedis, this.mail.stop(), this.removeFolder()]);
  }
}

/** Pause of the queue while the mail server is unavailable, in place of 30 s. */
const QUEUE_PAUSE_MS = 300;

/** Factor by which periodic tasks run more often in tests: every 100 ms instead of every 2 s. */
const TASK_SPEED = 20;

/** Interval of the rarest task that runs more often. */
const FREQUENT_MS = 10_000;

/** Runs the frequent periodic tasks more often, so that tests do not wait. */
function runTasksOften(worker: INestApplicationContext): void {
  const { tasks } = worker.get(WorkerTasks);
  for (const task of tasks.filter(({ everyMs }) => everyMs <= FREQUENT_MS))
    Object.assign(task, { everyMs: task.everyMs / TASK_SPEED });
}
