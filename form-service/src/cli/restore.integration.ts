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

  const settings = () => ({ DATABASE_URL: engine.url, RESUMES_URL: `file:${folder.path}/resumes` });

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
    const before = await contents();
    // No lease is restored.
    expect(await submissions.acquire(shared)).toBeDefined();
    await database.close();
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
  });

  engine.itOnce('leaves out erased submissions, and keeps those sent again later', async () => {
    const { database, submissions } = await stores();
    const erased = await storeEnquiry({ submissions }, {}, { notifications: ['webhook'] });
    const sentAgain = await storeEnquiry({ submissions });
    const later = Date.now() + 60_000;
    const tombstones = [
      // The result does not depend on their order.
      { id: erased, erasedAt: later },
      { id: erased, erasedAt: 1 },
      { id: sentAgain, erasedAt: 1 },
      { id: sentAgain, erasedAt: 2 },
    ];
    await database.run((db) => db.insertInto('erasures').values(tombstones).execute());
    const { out } = await run(settings(), ['backup']);
    await database.close();
    expect(await run(settings(), ['restore', '--replace'], [out])).toMatchObject({ code: 0 });
    expect((await contents()).submissions.map(({ id }) => id)).toEqual([sentAgain]);
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
      expect((await fetch(`${api.url}/health/ready`)).status).toBe(503);
      finish();
      expect(await restoring).toMatchObject({ code: 0, words: 'Restored: 1 submissions, 1 files.\n' });
      await until('the api to use the database', async () => (await fetch(`${api.url}/health/ready`)).ok);
    } finally {
      finish();
      storing.mockRestore();
      await api.end('SIGKILL');
    }
    expect((await contents()).submissions.map(({ id }) => id)).toEqual([kept]);
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
