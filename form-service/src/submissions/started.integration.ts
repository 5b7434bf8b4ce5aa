import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger, type INestApplication, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { ApiModule } from '../api.module.ts';
import { readSettings, SETTINGS } from '../settings/settings.ts';
import { Database } from '../database/database.ts';
import { WorkerModule } from '../worker.module.ts';
import { StorageHealth } from '../health/storage-health.service.ts';

/** Nothing listens there: a start needs neither Redis nor mail server nor scanner. */
const OUTSIDE = {
  REDIS_URL: 'redis://127.0.0.1:1',
  SMTP_URL: 'smtp://127.0.0.1:1',
  CLAMD_URL: 'tcp://127.0.0.1:1',
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: INestApplication | undefined;

beforeEach(async () => {
  Logger.overrideLogger(false);
  folder = await temporaryFolder();
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  await folder.remove();
});

async function start(module: Type, environment: Record<string, string>): Promise<void> {
  const settings = readSettings({ ...OUTSIDE, ...environment });
  const building = Test.createTestingModule({ imports: [module] })
    .overrideProvider(SETTINGS)
    .useValue(settings);
  service = (await building.compile()).createNestApplication({ bodyParser: false, logger: false });
  await service.listen(0, '127.0.0.1');
}

async function ask(path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${await service?.getUrl()}${path}`);
  return { status: response.status, body: await response.json() };
}

const started = async () => (await ask('/health/started')).status === 200;

async function expectAliveNotStarted(cause: string): Promise<void> {
  expect((await ask('/health/live')).status).toBe(200);
  expect(await ask('/health/started')).toEqual({
    status: 503,
    body: {
      ready: false,
      version: expect.any(String),
      checks: { storage: { status: 'down', cause: expect.stringMatching(cause) } },
    },
  });
}

/** Runs the periodic check now. */
async function checkAgain(): Promise<void> {
  const storage = service?.get(StorageHealth, { strict: false });
  await storage?.check();
  await storage?.confirm();
}

describe.each([
  ['worker', WorkerModule],
  ['api', ApiModule],
])('/health/started of the %s', (name, module) => {
  it('is 200 although Redis, mail server and scanner are unavailable, and stays so', async () => {
    await start(module, { DATABASE_URL: `file:${folder.path}/submissions.db` });
    expect(await ask('/health/started')).toEqual({
      status: 200,
      body: { ready: true, version: expect.any(String), checks: { storage: { status: 'ok' } } },
    });
    if (name === 'worker') expect((await ask('/health/ready')).status).toBe(503);
    await service?.get(Database, { strict: false }).close();
    await checkAgain();
    expect((await ask('/health/ready')).status).toBe(503);
    expect(await started()).toBe(true);
  });

  it('is 503 with the cause > the database cannot be opened, until it can', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    await start(module, { DATABASE_URL: `file:${file}/submissions.db` });
    await expectAliveNotStarted('^DATABASE_URL: ENOTDIR|^DATABASE_URL: EEXIST');
    await rm(file);
    await until('the start', () => checkAgain().then(started));
  });
});
