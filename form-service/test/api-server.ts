import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiModule } from '../src/api.module.ts';
import { readSettings, SETTINGS, type Settings } from '../src/config/settings.ts';
import { Database } from '../src/database/database.ts';
import { configureHttpServer } from '../src/intake/http-server.ts';
import { SharedRedis } from '../src/redis/shared-redis.service.ts';
import { ResumeFiles } from '../src/submissions/resume-files.ts';
import { SubmissionsRepository } from '../src/submissions/submissions.repository.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** The api on a real socket, with a database of its own. */
export class ApiServer {
  private constructor(
    readonly url: string,
    /** Where its database and files are. */
    readonly folder: string,
    readonly app: NestExpressApplication,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  static async start(redisUrl: string, settings: Partial<Settings> = {}): Promise<ApiServer> {
    const folder = await temporaryFolder();
    const all = {
      ...readSettings({
        INSTANCE: 'api',
        REDIS_URL: redisUrl,
        DATABASE_URL: `file:${folder.path}/submissions.db`,
        RATE_LIMIT_PER_MINUTE: '1000000',
      }),
      UPLOAD_BYTES_PER_HOUR: Number.MAX_SAFE_INTEGER,
      ...settings,
    };
    const building = Test.createTestingModule({ imports: [ApiModule] })
      .overrideProvider(SETTINGS)
      .useValue(all);
    const app = (await building.compile()).createNestApplication<NestExpressApplication>({
      bodyParser: false,
      logger: false,
    });
    configureHttpServer(app);
    await app.listen(0, '127.0.0.1');
    return new ApiServer((await app.getUrl()).replace('[::1]', '127.0.0.1'), folder.path, app, folder.remove);
  }

  get submissions(): SubmissionsRepository {
    return this.app.get(SubmissionsRepository);
  }

  get files(): ResumeFiles {
    return this.app.get(ResumeFiles);
  }

  get database(): Database {
    return this.app.get(Database);
  }

  /** Resolves when its Redis is within reach. */
  async seesRedis(): Promise<void> {
    await until('Redis within reach', async () => {
      const report = (await (await fetch(`${this.url}/health/ready`)).json()) as {
        checks: { redis: { status: string } };
      };
      return report.checks.redis.status === 'ok';
    });
  }

  /**
   * The same, and from then on it waits for each answer of Redis for as long as a busy machine can need. Otherwise it
   * soon counts for itself alone, which is right for visitors and wrong for a test of what replicas count together.
   */
  async countsInRedis(): Promise<void> {
    await this.seesRedis();
    this.app.get(SharedRedis, { strict: false }).client.options.commandTimeout = 120_000;
  }

  post(path: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { method: 'POST', body, headers });
  }

  postJson(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.post(path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
  }

  async pendingIds(): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of this.submissions.select({ states: ['pending'] })) ids.push(id);
    return ids;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.removeFolder();
  }
}

/** Erases a submission in the moment before it is next looked up, as an operator might. */
export function eraseAtNextFind({ submissions }: ApiServer): void {
  const find = submissions.find.bind(submissions);
  submissions.find = async (id) => {
    submissions.find = find;
    await submissions.erase([id]);
    return find(id);
  };
}
