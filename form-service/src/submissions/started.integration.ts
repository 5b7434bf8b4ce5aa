import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { StorageHealth } from '../health/storage-health.service.ts';

/** No server listens there: a start does not need Redis. */
const REDIS_URL = 'redis://127.0.0.1:1';

let api: ApiServer;

beforeEach(() => Logger.overrideLogger(false));
afterEach(() => api.close());

async function ask(path: string): Promise<unknown[]> {
  const response = await fetch(`${api.url}${path}`);
  return [response.status, await response.json()];
}

const started = async () => (await fetch(`${api.url}/health/started`)).ok;

/** Runs the periodic check now. */
async function checkAgain(): Promise<void> {
  const storage = api.app.get(StorageHealth, { strict: false });
  await storage.check();
  await storage.confirm();
}

describe('/health/started', () => {
  it('is 200 although Redis is unavailable, and stays so > the database fails later', async () => {
    api = await ApiServer.start(REDIS_URL);
    const checks = { storage: { status: 'ok' } };
    expect(await ask('/health/started')).toEqual([200, { ready: true, version: expect.any(String), checks }]);
    await api.database.close();
    await checkAgain();
    expect((await fetch(`${api.url}/health/ready`)).status).toBe(503);
    expect(await started()).toBe(true);
  });

  it('is 503 with the cause > the database cannot be opened, until it can', async () => {
    const folder = await temporaryFolder();
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    api = await ApiServer.start(REDIS_URL, { DATABASE_URL: `file:${file}/submissions.db` });
    expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
    const cause = expect.stringMatching('^DATABASE_URL: (?:ENOTDIR|EEXIST)');
    expect(await ask('/health/started')).toMatchObject([503, { checks: { storage: { status: 'down', cause } } }]);
    await rm(file);
    await until('the start', () => checkAgain().then(started));
    await folder.remove();
  });
});
