import { randomBytes } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { objectGatewayMissing, ObjectGateway } from '../../test/object-gateway.ts';
import { age, storeApplication, storeEnquiry, type Stores } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { Database } from '../database/database.ts';
import { HealthService } from '../observability/health.service.ts';
import { Installation } from '../submissions/installation.service.ts';
import { openResumeFiles, type ResumeFiles } from '../submissions/resume-files.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import type { AlertsService } from './alerts.service.ts';
import { RetentionService } from './retention.service.ts';

const DAY_MS = 86_400_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database;
let stores: Stores;
let retention: RetentionService;
/** Whether each run found more files without a submission than it may delete. */
let alerts: boolean[];

function retentionOf(files: ResumeFiles): RetentionService {
  return new RetentionService(
    { RETENTION_DAYS: 30 },
    stores.submissions,
    new Installation(database, files),
    files,
    { update: (_kind: string, holds: boolean) => void alerts.push(holds) } as unknown as AlertsService,
    new HealthService(),
  );
}

beforeEach(async () => {
  Logger.overrideLogger(false);
  folder = await temporaryFolder();
  database = await Database.open(`file:${folder.path}/submissions.db`);
  stores = {
    submissions: new SubmissionsRepository(database),
    files: await openResumeFiles({ DATABASE_URL: `file:${folder.path}/submissions.db` }),
  };
  alerts = [];
  retention = retentionOf(stores.files);
});

afterEach(async () => {
  await database.close();
  await folder.remove();
});

async function settle(id: string, state: 'delivered' | 'failed', daysAgo: number): Promise<string> {
  const lease = await stores.submissions.acquire(id);
  if (lease) await stores.submissions.endLease(lease, { state, attempts: 1 });
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
  });

  it('Retention removes a résumé that no submission names after a week, and an upload after an hour', async () => {
    const [named, young, old] = [await storeFile(true, 30), await storeFile(false, 6), await storeFile(false, 8)];
    const upload = await stores.files.createUploadPath();
    await writeFile(upload, 'x');
    await makeOlder(upload, 2 / 24);
    await retention.run();
    expect((await keys()).toSorted()).toEqual([named, young].toSorted());
    expect(await readdir(dirname(upload))).toEqual([]);
    expect(old).not.toBe('');
  });

  it('Retention deletes nothing that is not a résumé of ours, wherever it lies', async () => {
    const theirs = ['de/annual-report.pdf', 'aa/KW-0000-0000-0000-0001.pdf', 'contract.pdf', 'ab/backup.2026.tar'];
    for (const name of theirs) {
      const path = join(folder.path, 'resumes', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'x');
      await makeOlder(path, 400);
    }
    await storeFile(false, 8);
    await retention.run();
    const left = await readdir(join(folder.path, 'resumes'), { recursive: true });
    expect(left).toEqual(expect.arrayContaining(theirs));
    expect(await keys()).toEqual([]);
  });

  it('Retention deletes no file when more than a fifth of them belong to no submission', async () => {
    for (let count = 0; count < 15; count++) await storeFile(true, 30);
    for (let count = 0; count < 4; count++) await storeFile(false, 30);
    await retention.run();
    expect(await keys()).toHaveLength(19);
    expect(alerts).toEqual([true]);
    await storeFile(true, 30);
    await retention.run();
    expect(await keys()).toHaveLength(16);
    expect(alerts).toEqual([true, false]);
  });

  it('Retention deletes no file, and the database is used no more, when the files are another installation’s', async () => {
    await storeFile(false, 30);
    await writeFile(join(folder.path, 'resumes/installation'), 'the id of another database');
    await retention.run();
    expect(await keys()).toHaveLength(1);
    await expect(storeEnquiry(stores)).rejects.toThrow('another installation');
    await expect(stores.files.createUploadPath()).rejects.toThrow('another installation');
  });

  const gatewayIsMissing = objectGatewayMissing();
  (gatewayIsMissing ? it.skip : it)('In a bucket that others use too only an orphan of ours is deleted', async () => {
    const gateway = await ObjectGateway.start();
    try {
      const url = { RESUMES_URL: 's3://submissions?path-style' };
      const settings = { ...gateway.settings(''), ...url, DATABASE_URL: `file:${folder.path}/submissions.db` };
      const files = await openResumeFiles(settings);
      const theirs = ['pg_dump/2026-11-21.sql.gz', 'website/logo.png', 'de/annual-report.pdf'];
      const client = gateway.client();
      for (const Key of theirs) await client.send(new PutObjectCommand({ Bucket: 'submissions', Key, Body: 'x' }));
      await storeApplication({ ...stores, files }, randomBytes(100));
      const orphan = await storeApplication({ ...stores, files }, randomBytes(100));
      await database.run((db) => db.deleteFrom('submissions').where('id', '=', orphan).execute());
      await retentionOf(files).run();
      const objects = async () =>
        (await client.send(new ListObjectsV2Command({ Bucket: 'submissions' }))).Contents?.map(({ Key = '' }) => Key);
      expect(await objects()).toHaveLength(theirs.length + 3);
      await retentionOf(files).removeOrphans(0);
      expect(await objects()).toEqual(expect.arrayContaining([...theirs, 'installation']));
      expect(await objects()).toHaveLength(theirs.length + 2);
      expect((await objects())?.join()).not.toContain(orphan);
      client.destroy();
    } finally {
      await gateway.stop();
    }
  });

  /** A file of the form of ours, with a submission or without, so many days old. @returns its key */
  async function storeFile(isNamed: boolean, daysOld: number): Promise<string> {
    const before = new Set(await keys());
    const id = await storeApplication(stores, randomBytes(100));
    const key = (await keys()).find((one) => !before.has(one)) ?? '';
    if (!isNamed) await database.run((db) => db.deleteFrom('submissions').where('id', '=', id).execute());
    await makeOlder(join(folder.path, 'resumes', key), daysOld);
    return key;
  }

  async function makeOlder(path: string, days: number): Promise<void> {
    const at = new Date(Date.now() - days * DAY_MS);
    await utimes(path, at, at);
  }
});
