import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiModule } from '../src/api.module.ts';
import { readSettings, SETTINGS, type Settings } from '../src/config/env.ts';
import { SubmissionStore } from '../src/storage/submission-store.ts';
import { configureHttpServer } from '../src/submissions/http/http-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The api on a real socket, with a store of its own. */
export class ApiServer {
  private constructor(
    readonly url: string,
    /** The store's folder. */
    readonly folder: string,
    readonly store: SubmissionStore,
    private readonly app: NestExpressApplication,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  static async start(redisUrl: string, settings: Partial<Settings> = {}): Promise<ApiServer> {
    const folder = await temporaryFolder();
    const all = {
      ...readSettings({ INSTANCE: 'api', REDIS_URL: redisUrl, STORAGE_URL: `file:${folder.path}`, RATE_LIMIT_PER_MINUTE: '1000000' }),
      ...settings,
    };
    const building = Test.createTestingModule({ imports: [ApiModule] }).overrideProvider(SETTINGS).useValue(all);
    const app = (await building.compile()).createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttpServer(app);
    await app.listen(0, '127.0.0.1');
    return new ApiServer((await app.getUrl()).replace('[::1]', '127.0.0.1'), folder.path, app.get(SubmissionStore), app, folder.remove);
  }

  post(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { method: 'POST', body, headers });
  }

  postJson(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.post(path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
  }

  async pendingIds(): Promise<string[]> {
    const ids: string[] = [];
    for await (const id of this.store.ids('pending')) ids.push(id);
    return ids;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.removeFolder();
  }
}
