import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { Database } from './database.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

it('A database file that cannot be opened is trouble that can pass, and names the setting and no path', async () => {
  const file = join(folder.path, 'submissions.db');
  await mkdir(file);
  await expect(Database.open(`file:${file}`)).rejects.toMatchObject({
    name: 'StorageUnavailableError',
    message: expect.stringMatching(/^DATABASE_URL: [A-Z_]+$/),
  });
});

it('A process that could not open the database at its start uses it as soon as it can be opened', async () => {
  const file = join(folder.path, 'submissions.db');
  await mkdir(file);
  const database = await Database.open(`file:${file}`, () => undefined);
  await rm(file, { recursive: true });
  await until('the database to be used', () => database.check().then(() => true, () => false));
  await database.close();
});

it('What is written after a statement that met a locked database is committed, and keeps nobody else from writing', async () => {
  const file = join(folder.path, 'submissions.db');
  const [one, other] = [await Database.open(`file:${file}`), await Database.open(`file:${file}`)];
  const erase = (database: Database, ...ids: string[]) =>
    database.run((db) => db.insertInto('erasures').values(ids.map((id) => ({ id, erased_at: 0 }))).returning('id').execute());
  await other.run((db) =>
    db.transaction().execute(async () => {
      await expect(erase(one, 'while locked')).rejects.toMatchObject({ message: 'DATABASE_URL: SQLITE_BUSY' });
    }),
  );
  await erase(one, 'another', 'statement');
  await erase(other, 'by the other');
  const found = await other.run((db) => db.selectFrom('erasures').select('id').orderBy('id').execute());
  expect(found.map(({ id }) => id)).toEqual(['another', 'by the other', 'statement']);
  await Promise.all([one.close(), other.close()]);
});

it('An error in the middle of a transaction undoes all of it, and is the one that is thrown', async () => {
  const database = await Database.open(`file:${join(folder.path, 'submissions.db')}`);
  const twice = database.run((db) =>
    db.transaction().execute(async (transaction) => {
      for (let time = 0; time < 2; time++) await transaction.insertInto('erasures').values({ id: 'same', erased_at: 0 }).execute();
    }),
  );
  await expect(twice).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  expect(await database.run((db) => db.selectFrom('erasures').selectAll().execute())).toEqual([]);
  await database.close();
});
