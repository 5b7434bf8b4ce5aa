import { Test } from '@nestjs/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { readSettings, SETTINGS, type Settings } from '../src/config/settings.ts';
import { Database } from '../src/database/database.ts';
import { openResumeFiles, type ResumeFiles } from '../src/submissions/resume-files.ts';
import { SubmissionsRepository } from '../src/submissions/submissions.repository.ts';
import { WorkerModule } from '../src/worker.module.ts';
import { MailServer } from './mail-server.ts';
import { RedisServer } from './redis-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Parts {
  readonly redis?: RedisServer;
  readonly mail?: MailServer;
  readonly settings?: Partial<Settings>;
}

/** Database, Redis and mail server of one test, with as many workers as it starts. The database here is the api's side. */
export class DeliveryStack {
  private readonly workers = new Set<INestApplicationContext>();

  private constructor(
    readonly redis: RedisServer,
    readonly mail: MailServer,
    readonly database: Database,
    readonly submissions: SubmissionsRepository,
    readonly files: ResumeFiles,
    readonly settings: Settings,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  static async start({ redis, mail, settings }: Parts = {}): Promise<DeliveryStack> {
    const [redisServer, mailServer, folder] = await Promise.all([
      redis ?? RedisServer.start(),
      mail ?? MailServer.start(),
      temporaryFolder(),
    ]);
    const all = {
      ...readSettings({
        INSTANCE: 'test',
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
      await openResumeFiles(all),
      all,
      folder.remove,
    );
  }

  /** Variables for a worker in a process of its own. */
  get environment(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.settings)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    );
  }

  async startWorker(): Promise<INestApplicationContext> {
    const building = Test.createTestingModule({ imports: [WorkerModule] })
      .overrideProvider(SETTINGS)
      .useValue(this.settings);
    const worker = (await building.compile()).createNestApplication({ logger: false });
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

  async close(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.close()));
    await this.database.close();
    await Promise.all([this.redis.stop(), this.mail.stop(), this.removeFolder()]);
  }
}
