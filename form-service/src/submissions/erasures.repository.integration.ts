import { beforeEach, describe, expect } from '@jest/globals';
import { describeEachEngine } from '../../test/each-engine.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

describeEachEngine('ErasuresRepository > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;
  let erasures: ErasuresRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
    erasures = new ErasuresRepository(database);
  });

  it('erase > erases notifications and acknowledgements of this submission only', async () => {
    const [id, other] = [await storeEnquiry({ submissions }), await storeEnquiry({ submissions })];
    for (const submissionId of [id, other])
      await database.run(async (db) => {
        await db.insertInto('notifications').values({ submissionId, kind: 'webhook', stateSince: 1 }).execute();
        await db.insertInto('acknowledgements').values({ mailbox: submissionId, submissionId, sentAt: 1 }).execute();
      });
    await submissions.erase([id]);
    for (const table of ['notifications', 'acknowledgements'] as const)
      expect(await database.run((db) => db.selectFrom(table).select('submissionId').execute())).toEqual([
        { submissionId: other },
      ]);
    expect(await submissions.find(other)).toBeDefined();
  });

  describe('7 erasures, in pages of any size', () => {
    const PAGES = [1, 3, 6, 7, 8];

    it('tombstones > yields each once, also those of the same reference', async () => {
      const rows = [1, 2, 3].flatMap((at) => ['KW-1', 'KW-2'].map((id) => ({ id, erasedAt: at })));
      rows.push({ id: 'KW-3', erasedAt: 1 });
      await database.run((db) => db.insertInto('erasures').values(rows).execute());
      for (const pageRows of PAGES) {
        database.pageRows = pageRows;
        const read: object[] = [];
        for await (const one of erasures.tombstones()) read.push(one);
        const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)) || a.erasedAt - b.erasedAt);
        expect([pageRows, read]).toEqual([pageRows, sorted]);
      }
    });

    it('complete > completes these only, unless their file remains', async () => {
      const ids = ['1', '2', '3', '4', '5', '6', '7'];
      const rows = [...ids, 'foreign', 'with a file'].map((id) => ({ id, fileKey: null, since: 1 }));
      const withFile = { id: 'with a file', fileKey: 'aa/KW-1', since: 1 };
      for (const pageRows of PAGES) {
        database.pageRows = pageRows;
        await database.run((db) => db.deleteFrom('erasureCleanUps').execute());
        await database.run((db) =>
          db
            .insertInto('erasureCleanUps')
            .values([...rows.slice(0, -1), withFile])
            .execute(),
        );
        await erasures.complete([...ids, 'with a file']);
        const left = (await erasures.incomplete()).map(({ id }) => id).toSorted();
        expect([pageRows, left]).toEqual([pageRows, ['foreign', 'with a file']]);
        await erasures.fileRemoved('foreign');
        expect((await erasures.incomplete()).find(({ id }) => id === 'with a file')?.fileKey).toBe('aa/KW-1');
      }
    });
  });
});
