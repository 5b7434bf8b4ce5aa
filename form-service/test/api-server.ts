import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiModule } from '../src/api.module.ts';
import { readSettings, SETTINGS, type Settings } from '../src/settings/settings.ts';
import { Database } from '../src/database/database.ts';
import { configureHttpServer } from '../src/start.ts';
import { ClientLimits } from '../src/http/client-limits.ts';
import { FileStorage } from '../src/files/file-storage.ts';
import { SubmissionsRepository } from '../src/submissions/submissions.repository.ts';
import { SubmissionSearchRepository } from '../src/submissions/submission-search.repository.ts';
import { clearStores } from './submissions.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** The api on a real socket, with its own database. */
export class ApiServer {
  private constructor(
    readonly url: string,
    /** Folder of its database and files. */
    readonly folder: string,
    readonly app: NestExpressApplication,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  static async start(redisUrl: string, settings: Partial<Settings> = {}): Promise<ApiServer> {
    const folder = await temporaryFolder();
    const all = {
      ...readSettings({
        REDIS_URL: redisUrl,
        DATABASE_URL: `file:${folder.path}/submissions.db`,
        RATE_LIMIT_PER_MINUTE: '1000000',
      }),
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

  get files(): FileStorage {
    return this.app.get(FileStorage);
  }

  get database(): Database {
    return this.app.get(Database);
  }

  /** Resolves when the api is connected to Redis. */
  async seesRedis(): Promise<void> {
    await until('the connection to Redis', async () => {
      const report = (await (await fetch(`${this.url}/health/ready`)).json()) as {
        checks: { redis: { status: string } };
      };
      return report.checks.redis.status === 'ok';
    });
  }

  /**
   * Resolves when the api is connected to Redis, and extends its command timeout. Otherwise the api would count in
   * memory on a busy machine, which breaks tests of shared counters.
   */
  async countsInRedis(): Promise<void> {
    await this.seesRedis();
    this.app.get(ClientLimits, { strict: false }).redis.options.commandTimeout = 120_000;
  }

  post(path: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { method: 'POST', body, headers });
  }

  postJson(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.post(path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
  }

  async pendingIds(): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of new SubmissionSearchRepository(this.database).select({ states: ['pending'] }))
      ids.push(id);
    return ids;
  }

  /** Deletes what the requests of a test have stored, so that the next test can use this api. */
  async clear(): Promise<void> {
    await clearStores(this.database, this.files);
    await rm(join(this.folder, 'resumes/incoming'), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.removeFolder();
  }
}
