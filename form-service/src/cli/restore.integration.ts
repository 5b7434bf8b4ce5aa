import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { InsertQueryNode, ValuesNode, type KyselyPlugin } from 'kysely';
import { describeEachEngineAnew } from '../../test/each-engine.ts';
import { freePort } from '../../test/free-port.ts';
import { run } from '../../test/run-command.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { newEnquiry, storeApplication, storeEnquiry, setColumns, randomSubmissionId } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { Database } from '../database/database.ts';
import { noteArchive } from '../database/properties.ts';
import { DigestsRepository } from '../outbox/digests.repository.ts';
import { FolderStore } from '../files/folder-store.ts';
import { Installation } from '../submissions/installation.service.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';

describeEachEngineAnew('restore > %s', (engine) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  const settings = (name = 'resumes') => ({
    DATABASE_URL: engine.url,
    RESUMES_URL: `file:${join(folder.path, name)}`,
  });

  /** Opens the stores of the settings. The test closes the database. */
  async function stores() {
    const database = await Database.open(engine.url);
    const files = await openFileStorage(settings());
    await new Installation(database, files).confirm();
    return { database, files, submissions: new SubmissionsRepository(database) };
  }

  /** Reads all tables that a restore fills. */
  async function contents() {
    const database = await Database.open(engine.url);
    const found = await database.run(async (db) => ({
      submissions: await db.selectFrom('submissions').selectAll().orderBy('id').execute(),
      notifications: await db.selectFrom('notifications').selectAll().orderBy('submissionId').orderBy('kind').execute(),
      erasures: await db.selectFrom('erasures').selectAll().orderBy('id').execute(),
      digests: await db.selectFrom('digests').selectAll().execute(),
      lastRuns: await db.selectFrom('lastRuns').selectAll().execute(),
      properties: await db.selectFrom('properties').selectAll().execute(),
    }));
    await database.close();
    return found;
  }

  engine.it('restores everything > each table has several pages, of any size', async () => {
    const { database, files, submissions } = await stores();
    const notifications = ['webhook', 'acknowledgement'] as const;
    await Promise.all(Array.from({ length: 6 }, () => submissions.insert(newEnquiry({}, { notifications }))));
    const shared = await storeApplication({ submissions, files }, Buffer.alloc(2_000, 'x'));
    await setColumns(database, shared, { takenBy: 'hana', takenAt: 1, labels: '\ninvited\n', remindAt: 2 });
    for (const recipient of ['sales@firm.net', 'hr@firm.net', 'sap@firm.net', 'web@firm.net'])
      await new DigestsRepository(database).begin(recipient, 5);
    await noteArchive(database, new Date(5));
    const erasures = Array.from({ length: 7 }, (_, number) => ({ id: randomSubmissionId(), erasedAt: number }));
    await database.run((db) => db.insertInto('erasures').values(erasures).execute());
    await database.close();
    const before = await contents();
    expect(before).toMatchObject({
      submissions: { length: 7 },
      notifications: { length: 12 },
      digests: { length: 4 },
      lastRuns: { length: 1 },
    });
    const inserted = insertedRows();
    // Of 7 rows: several pages, one and a row, one, and less than one.
    for (const pageRows of [3, 6, 7, 8]) {
      const { code, out } = await run(settings(), ['backup'], [], { pageRows });
      expect(code).toBe(0);
      inserted.length = 0;
      const restored = await run(settings(), ['restore', '--replace'], [out], { pageRows: 3 });
      expect(restored).toMatchObject({ code: 0, words: 'Restored: 7 submissions, 1 files.\n' });
      expect([pageRows, await contents()]).toEqual([pageRows, before]);
      expect(Math.max(...inserted)).toBe(3);
    }
    const { out } = await run(settings(), ['backup']);
    const cleared = await Database.open(engine.url);
    for (const table of ['submissions', 'erasures'] as const) await cleared.run((db) => db.deleteFrom(table).execute());
    await cleared.close();
    expect((await run(settings(), ['restore'], [out])).code).toBe(0);
    expect(await contents()).toEqual(before);
  });

  engine.itOnce('leaves out erased submissions, and keeps those sent again later', async () => {
    const { database, submissions } = await stores();
    const enquiry = newEnquiry({}, { notifications: ['webhook'] });
    await submissions.insert(enquiry);
    const erased = enquiry.id;
    const sentAgain = await storeEnquiry({ submissions });
    const later = Date.now() + 60_000;
    const tombstones = [
      // The result does not depend on their order.
      { id: erased, erasedAt: later },
      { id: erased, erasedAt: 1 },
      { id: sentAgain, erasedAt: 1 },
      { id: sentAgain, erasedAt: 2 },
    ];
    const insert = (rows: typeof tombstones) => database.run((db) => db.insertInto('erasures').values(rows).execute());
    await insert(tombstones);
    const { out } = await run(settings(), ['backup']);
    await database.close();
    expect(await run(settings(), ['restore', '--replace'], [out])).toMatchObject({ code: 0 });
    expect((await contents()).submissions.map(({ id }) => id)).toEqual([sentAgain]);
  });

  engine.itOnce('restores no leases', async () => {
    const { database, submissions } = await stores();
    const id = await storeEnquiry({ submissions });
    expect(await submissions.acquire(id)).toBeDefined();
    const { out } = await run(settings(), ['backup']);
    await database.close();
    expect((await run(settings(), ['restore', '--replace'], [out])).code).toBe(0);
    expect((await contents()).submissions).toMatchObject([{ id, leaseToken: null, leaseUntil: null }]);
  });

  engine.it('refuses a client > it comes while the archive arrives', async () => {
    const { database, submissions } = await stores();
    await storeEnquiry({ submissions });
    const { out } = await run(settings(), ['backup']);
    await database.close();
    const { submissions: before } = await contents();
    const archive = new PassThrough();
    const restoring = run(settings(), ['restore', '--replace'], archive);
    archive.write(out.subarray(0, 1_000));
    await until('the restore to read the archive', () => archive.readableLength === 0);
    // SQLite's lock is held from the beginning. In PostgreSQL the client stays, and the restore ends.
    const client = await Database.open(engine.url).catch(({ message }: Error) => message);
    archive.end(out.subarray(1_000));
    const { code } = await restoring;
    if (typeof client !== 'string') await client.close();
    const isFile = engine.url.startsWith('file:');
    expect([code, client]).toEqual(isFile ? [0, 'DATABASE_URL: SQLITE_BUSY'] : [5, expect.anything()]);
    expect((await contents()).submissions).toEqual(before);
  });

  engine.it('keeps an api out until it ends > the api starts meanwhile', async () => {
    const { database, files, submissions } = await stores();
    const kept = await storeApplication({ submissions, files }, Buffer.from('x'));
    const { out } = await run(settings(), ['backup']);
    await database.close();

    const put = FolderStore.prototype.put;
    let finish = () => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    const storing = jest.spyOn(FolderStore.prototype, 'put').mockImplementation(async function (
      this: FolderStore,
      ...all
    ) {
      await held;
      return put.apply(this, all);
    });
    const restoring = run(settings(), ['restore', '--replace'], [out]);
    await until('the restore to store a file', () => storing.mock.calls.length > 0);
    const api = await ServiceProcess.start('api', {
      ...settings(),
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    });
    try {
      const post = () =>
        fetch(`${api.url}/api/contact`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
          body: JSON.stringify({ ...newEnquiry().fields }),
        });
      expect((await fetch(`${api.url}/health/ready`)).status).toBe(503);
      finish();
      expect(await restoring).toMatchObject({ code: 0, words: 'Restored: 1 submissions, 1 files.\n' });
      await until('the api to use the database', async () => (await fetch(`${api.url}/health/ready`)).ok);
      expect((await post()).status).toBe(202);
    } finally {
      finish();
      storing.mockRestore();
      await api.end('SIGKILL');
    }
    const { submissions: found } = await contents();
    expect(found).toHaveLength(2);
    expect(found.map(({ id }) => id)).toContain(kept);
  });
});

/** Records the number of rows of each INSERT, of all databases. */
function insertedRows(): number[] {
  const counts: number[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (InsertQueryNode.is(node) && node.values && ValuesNode.is(node.values)) counts.push(node.values.values.length);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { run: runOf } = Database.prototype;
  jest.spyOn(Database.prototype, 'run').mockImplementation(function (this: Database, work) {
    return runOf.call(this, (kysely) => work(kysely.withPlugin(recorder))) as never;
  });
  return counts;
}
