import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { describeEachEngine } from '../../test/each-engine.ts';
import { storeApplication, storeEnquiry, type Stores } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { ErasureService } from './erasure.service.ts';
import { HandlingRepository } from './handling.repository.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

describeEachEngine('ErasureService > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let stores: Stores;
  let erasure: ErasureService;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    database = await engine.open();
    const files = await openFileStorage({ DATABASE_URL: engine.url, RESUMES_URL: `file:${engine.folder}/resumes` });
    stores = { submissions: new SubmissionsRepository(database), files };
    erasure = new ErasureService(database, files);
  });

  const erase = async (ids: readonly string[]) => {
    const erased = await stores.submissions.erase(ids);
    return { erased, isComplete: await erasure.cleanUp() };
  };

  const tombstones = async () => {
    const rows = await database.run((db) => db.selectFrom('erasures').select('id').orderBy('id').execute());
    return rows.map(({ id }) => id);
  };
  const keyOf = async (id: string) => (await stores.submissions.find(id))?.resume?.key ?? '';

  it('removes row and file, and reports no remainder', async () => {
    const application = await storeApplication(stores, randomBytes(100));
    const key = await keyOf(application);
    const ids = [application, await storeEnquiry(stores)].toSorted();
    const result = await erase(ids);
    expect({ ...result, erased: result.erased.toSorted() }).toEqual({ erased: ids, isComplete: true });
    await expect(stores.files.open({ key, size: 0, sha256: '' })).rejects.toThrow('ENOENT');
    expect(await tombstones()).toEqual(ids);
    expect(await erasure.backlog()).toEqual({ count: 0, since: null });
  });

  it('retries files that cannot be removed, and reports them > erased again before', async () => {
    const remove = jest.spyOn(stores.files, 'remove');
    remove.mockRejectedValue(new StorageUnavailableError('RESUMES_URL: ECONNREFUSED'));
    const first = await storeApplication(stores, randomBytes(100));
    const keys = [await keyOf(first)];
    expect(await erase([first])).toEqual({ erased: [first], isComplete: false });
    expect(await erasure.backlog()).toEqual({ count: 1, since: expect.any(Number) });
    // The same idempotency key leads to the same reference.
    expect(await storeApplication(stores, randomBytes(100), { id: first })).toBe(first);
    keys.push(await keyOf(first));
    expect((await erase([first])).isComplete).toBe(false);
    remove.mockRestore();
    expect(await erasure.cleanUp()).toBe(true);
    for (const key of keys) await expect(stores.files.open({ key, size: 0, sha256: '' })).rejects.toThrow('ENOENT');
    expect((await erasure.backlog()).count).toBe(0);
  });

  it('makes few requests > the storage is unavailable', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => storeApplication(stores, randomBytes(10))));
    const remove = jest.spyOn(stores.files, 'remove');
    remove.mockRejectedValue(new StorageUnavailableError('RESUMES_URL: ECONNREFUSED'));
    expect((await erase(ids)).isComplete).toBe(false);
    expect(remove).toHaveBeenCalledTimes(3);
    remove.mockRestore();
    expect(await erasure.cleanUp()).toBe(true);
  });

  it('leaves the rest of another erasure > its file cannot be removed, or it began meanwhile', async () => {
    const [kept, removed] = [
      await storeApplication(stores, randomBytes(100)),
      await storeApplication(stores, randomBytes(100)),
    ];
    const [key, later] = [await keyOf(kept), await storeEnquiry(stores)];
    const { files } = stores;
    const remove = jest.spyOn(files, 'remove');
    remove.mockImplementation(async (one) => {
      if (one === key) throw new StorageUnavailableError('RESUMES_URL: ECONNREFUSED');
    });
    jest.spyOn(database, 'removeCopies').mockImplementationOnce(async () => {
      await stores.submissions.erase([later]);
      return undefined;
    });
    expect(await erase([kept, removed])).toMatchObject({ isComplete: false });
    const rest = await database.run((db) => db.selectFrom('erasureCleanUps').select(['id', 'fileKey']).execute());
    expect(new Set(rest)).toEqual(
      new Set([
        { id: key, fileKey: key },
        { id: later, fileKey: null },
      ]),
    );
  });

  it('retries the removal of copies, and reports them > a reader holds the log', async () => {
    if (!database.file) return;
    const id = await storeEnquiry(stores, { message: 'a text that must go '.repeat(1_000) });
    const handling = new HandlingRepository(database);
    await handling.label({ id, labels: '' }, 'a label that must go', true, 'a user who must go');
    await handling.take(id, 'a user who must go');
    const files = [database.file, `${database.file}-wal`];
    const contents = async () => String(await Promise.all(files.map((file) => readFile(file, 'latin1'))));
    expect(await contents()).toContain('must go');
    const reader = new DatabaseSync(database.file);
    reader.exec('BEGIN; SELECT count(*) FROM submissions');
    expect((await erase([id])).isComplete).toBe(false);
    expect((await erasure.backlog()).count).toBe(1);
    reader.close();
    expect(await erasure.cleanUp()).toBe(true);
    expect(await contents()).not.toContain('must go');
    // Without VACUUM pages would keep copies.
    expect(await database.rows(sql`PRAGMA freelist_count`)).toEqual([{ freelistCount: 0 }]);
    expect((await erasure.backlog()).count).toBe(0);
  });
});
