import { randomBytes } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { age, storeApplication, storeEnquiry, type Stores } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { Database } from '../database/database.ts';
import { HealthService } from '../observability/health.service.ts';
import { TaskHealth } from '../observability/task-health.service.ts';
import { FolderResumeFiles } from '../submissions/resume-files.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { DeliveryMetrics } from './delivery.metrics.ts';
import { RetentionService } from './retention.service.ts';

const DAY_MS = 86_400_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database;
let stores: Stores;
let registry: Registry;
let retention: RetentionService;

beforeEach(async () => {
  Logger.overrideLogger(false);
  folder = await temporaryFolder();
  database = await Database.open(`file:${folder.path}/submissions.db`);
  stores = {
    submissions: new SubmissionsRepository(database),
    files: new FolderResumeFiles(join(folder.path, 'resumes')),
  };
  registry = new Registry();
  const tasks = new TaskHealth(registry, new HealthService(registry));
  retention = new RetentionService(
    { RETENTION_DAYS: 30 },
    stores.submissions,
    stores.files,
    new DeliveryMetrics(registry),
    tasks,
  );
});

afterEach(async () => {
  await database.close();
  await folder.remove();
});

async function settle(id: string, state: 'delivered' | 'failed', daysAgo: number): Promise<string> {
  const lease = await stores.submissions.acquire(id);
  if (lease) await stores.submissions.settle(lease, { state, attempts: 1 });
  await age(database, id, daysAgo * DAY_MS);
  return id;
}

const stateOf = async (id: string) => (await stores.submissions.find(id))?.state;
const keys = async () => {
  const found: string[] = [];
  for await (const { key } of stores.files.list()) found.push(key);
  return found;
};

describe('Retention', () => {
  it('Retention deletes a delivered submission with its file after 30 days, an undelivered one after 90', async () => {
    const old = await settle(await storeApplication(stores, randomBytes(1_000)), 'delivered', 31);
    const young = await settle(await storeEnquiry(stores), 'delivered', 29);
    const failed = await settle(await storeEnquiry(stores), 'failed', 89);
    const abandoned = await settle(await storeEnquiry(stores), 'failed', 91);
    const spam = await storeEnquiry(stores, {}, { quarantined: true, reasons: ['honeypot filled'] });
    await age(database, spam, 91 * DAY_MS);
    const pending = await storeEnquiry(stores);
    await age(database, pending, 400 * DAY_MS);
    await retention.run();
    expect([await stateOf(old), await stateOf(abandoned), await stateOf(spam)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([await stateOf(young), await stateOf(failed), await stateOf(pending)]).toEqual([
      'delivered',
      'failed',
      'pending',
    ]);
    expect(await keys()).toEqual([]);
    expect(await registry.metrics()).toContain('kitewright_submissions_deleted_by_retention_total 3');
  });

  it('Retention removes files and uploads that no submission names, once they are an hour old', async () => {
    await storeApplication(stores, Buffer.from('named'));
    const [named = ''] = await keys();
    const orphan = async (name: string, hoursAgo: number) => {
      const path = join(folder.path, 'resumes', name);
      await writeFile(path, 'x');
      const at = new Date(Date.now() - hoursAgo * 3_600_000);
      await utimes(path, at, at);
      return name;
    };
    const shard = named.slice(0, 2);
    await orphan(`${shard}/KW-0000-0000-0000-0001.gone`, 2);
    const young = await orphan(`${shard}/KW-0000-0000-0000-0002.young`, 0.5);
    await orphan('incoming/abandoned', 2);
    const aged = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(folder.path, 'resumes', named), aged, aged);
    await retention.run();
    expect((await keys()).toSorted()).toEqual([named, young].toSorted());
  });
});
