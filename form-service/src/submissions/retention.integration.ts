import { randomBytes } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../settings/durations.ts';
import { FORM_KINDS } from '../contract/forms.ts';
import { age, storeApplication, storeEnquiry, type Stores } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { Database } from '../database/database.ts';
import { ErasureService } from './erasure.service.ts';
import { HandlingRepository } from './handling.repository.ts';
import { Installation } from './installation.service.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import type { AlertsService } from '../alerts/alerts.service.ts';
import { RetentionService } from './retention.service.ts';
import { ACTIONS } from './submission-actions.service.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database;
let stores: Stores;
let retention: RetentionService;
/** Values of each alert, by run. */
let alerts: Record<string, boolean[]>;

function newRetention(): RetentionService {
  const { files } = stores;
  return new RetentionService(
    { RETENTION_DAYS: 30 },
    database,
    stores.submissions,
    new SubmissionSearchRepository(database),
    new Installation(database, files),
    files,
    new ErasureService(database, files),
    { update: (kind: string, holds: boolean) => alerts[kind]?.push(holds) } as unknown as AlertsService,
  );
}

beforeEach(async () => {
  Logger.overrideLogger(false);
  folder = await temporaryFolder();
  database = await Database.open(`file:${folder.path}/submissions.db`);
  stores = {
    submissions: new SubmissionsRepository(database),
    files: await openFileStorage({ DATABASE_URL: `file:${folder.path}/submissions.db` }),
  };
  alerts = { 'files-without-submission': [] };
  retention = newRetention();
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
  const aged = async (id: string, daysAgo: number) => {
    await age(database, id, daysAgo * DAY_MS);
    return id;
  };
  const held = () => storeEnquiry(stores, {}, { quarantined: true, reasons: ['honeypot filled'] });
  const spam = async (daysAgo: number) => {
    const id = await held();
    const at = Date.now() - daysAgo * DAY_MS;
    const { from } = ACTIONS.mark;
    await new HandlingRepository(database).mark([id], {
      from,
      scope: { forms: FORM_KINDS },
      as: 'spam',
      by: 'ada',
      at,
    });
    return id;
  };

  it.each<[what: string, store: () => Promise<string>, state: string | undefined]>([
    [
      'delivered, 31 days',
      async () => settle(await storeApplication(stores, randomBytes(9)), 'delivered', 31),
      undefined,
    ],
    ['delivered, 29 days', async () => settle(await storeEnquiry(stores), 'delivered', 29), 'delivered'],
    ['failed, 91 days', async () => settle(await storeEnquiry(stores), 'failed', 91), undefined],
    ['failed, 89 days', async () => settle(await storeEnquiry(stores), 'failed', 89), 'failed'],
    ['quarantined, 91 days', async () => aged(await held(), 91), undefined],
    ['pending, 400 days', async () => aged(await storeEnquiry(stores), 400), 'pending'],
    ['marked as spam, 31 days', () => spam(31), undefined],
    ['marked as spam, 29 days', () => spam(29), 'quarantined'],
  ])('deletes what is old, and its file > %s', async (_what, store, state) => {
    const id = await store();
    await retention.run();
    expect([await stateOf(id), await keys()]).toEqual([state, []]);
  });

  it('counts from the last change of state', async () => {
    const resent = await settle(await storeEnquiry(stores), 'delivered', 0);
    const quarantined = await storeEnquiry(stores, {}, { quarantined: true, reasons: ['links'] });
    for (const id of [resent, quarantined]) await age(database, id, 400 * DAY_MS, DAY_MS);
    const late = await settle(await storeEnquiry(stores), 'delivered', 0);
    await age(database, late, DAY_MS, 31 * DAY_MS);
    await retention.run();
    expect([await stateOf(resent), await stateOf(quarantined), await stateOf(late)]).toEqual([
      'delivered',
      'quarantined',
      undefined,
    ]);
  });

  it.each([3, 6, 7, 8])('deletes 7 submissions and their files > a page has %i rows', async (pageRows) => {
    database.pageRows = pageRows;
    for (let count = 0; count < 7; count++)
      await settle(await storeApplication(stores, randomBytes(10)), 'delivered', 31);
    const young = await settle(await storeApplication(stores, randomBytes(10)), 'delivered', 29);
    await retention.run();
    expect(await keys()).toEqual([expect.stringContaining(young)]);
  });

  it('deletes an orphaned résumé after a week, and an upload after an hour', async () => {
    const [named, young, old] = [await storeFile(true, 30), await storeFile(false, 6), await storeFile(false, 8)];
    const upload = await stores.files.createUploadPath();
    await writeFile(upload, 'x');
    await makeOlder(upload, 1.1 / 24);
    const recent = await stores.files.createUploadPath();
    await writeFile(recent, 'x');
    await makeOlder(recent, 0.9 / 24);
    await retention.run();
    expect((await keys()).toSorted()).toEqual([named, young].toSorted());
    expect(await readdir(dirname(upload))).toEqual([basename(recent)]);
    expect(old).not.toBe('');
  });

  it('deletes only our own résumés', async () => {
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

  it('deletes no file > more than a fifth of them are orphans', async () => {
    expect(retention.orphansMinAllowed).toBe(3);
    retention.orphansMinAllowed = 1;
    for (let count = 0; count < 7; count++) await storeFile(true, 30);
    for (let count = 0; count < 2; count++) await storeFile(false, 30);
    await retention.run();
    expect(await keys()).toHaveLength(9);
    expect(alerts['files-without-submission']).toEqual([true]);
    await storeFile(true, 30);
    await retention.run();
    expect(await keys()).toHaveLength(8);
    expect(alerts['files-without-submission']).toEqual([true, false]);
  });

  const tasks = ['run', 'completeErasures'] as const;
  it.each(tasks)('deletes no file, and stores nothing > foreign files > %s', async (task) => {
    await storeFile(false, 30);
    await writeFile(join(folder.path, 'resumes/installation'), 'the id of another database');
    await expect(retention[task]()).rejects.toThrow('another installation');
    expect(await keys()).toHaveLength(1);
    await expect(storeEnquiry(stores)).rejects.toThrow('another installation');
    await expect(stores.files.createUploadPath()).rejects.toThrow('another installation');
  });

  /** Stores a résumé of an age, with or without a submission. @returns its key */
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
