import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { PostgresServer } from '../../test/postgres-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { SettingsError } from '../config/settings.ts';
import { Database } from './database.ts';
import { asStorageError, StorageUnavailableError } from './storage-unavailable.error.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

it('A database file that cannot be opened is a failure that can pass, and the error names the setting and no path', async () => {
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
  await until('the database to be used', () =>
    database.check().then(
      () => true,
      () => false,
    ),
  );
  await database.close();
});

it('A database that another process is just making is opened once it is made', async () => {
  const file = join(folder.path, 'submissions.db');
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE; CREATE TABLE made (id)');
  const opening = Database.open(`file:${file}`);
  await Promise.race([opening, pause(300)]);
  other.exec('COMMIT');
  other.close();
  await (await opening).close();
});

it('What is written after a statement that met a locked database is committed, and keeps nobody else from writing', async () => {
  const file = join(folder.path, 'submissions.db');
  const [one, other] = [await Database.open(`file:${file}`), await Database.open(`file:${file}`)];
  const erase = (database: Database, ...ids: string[]) =>
    database.run((db) =>
      db
        .insertInto('erasures')
        .values(ids.map((id) => ({ id, erasedAt: 0 })))
        .returning('id')
        .execute(),
    );
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

// A power cut shows it too, but not one that comes just after the log was copied into the database.
it('A commit in SQLite is on the disk when it is confirmed: its log is synced each time, and not only when it is copied', async () => {
  const database = await Database.open(`file:${join(folder.path, 'submissions.db')}`);
  const valueOf = async (name: string) =>
    database.run(async (db) => Object.values((await sql.raw(`PRAGMA ${name}`).execute(db)).rows[0] as object)[0]);
  const FULL = 2;
  const values = [await valueOf('journal_mode'), await valueOf('synchronous')];
  await database.close();
  expect(values).toEqual(['wal', FULL]);
});

it('An error in the middle of a transaction undoes all of it, and is the one that is thrown', async () => {
  const database = await Database.open(`file:${join(folder.path, 'submissions.db')}`);
  const twice = database.run((db) =>
    db.transaction().execute(async (transaction) => {
      for (let time = 0; time < 2; time++)
        await transaction.insertInto('erasures').values({ id: 'same', erasedAt: 0 }).execute();
    }),
  );
  await expect(twice).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' });
  expect(await database.run((db) => db.selectFrom('erasures').selectAll().execute())).toEqual([]);
  await database.close();
});

it('A database that a newer version has changed is refused, in words that name the setting', async () => {
  const url = `file:${folder.path}/submissions.db`;
  const database = await Database.open(url);
  await database.run((db) =>
    sql`INSERT INTO kysely_migration VALUES ('9999-of-a-time-to-come', '2099-01-01')`.execute(db),
  );
  await database.close();
  await expect(Database.open(url, () => undefined)).rejects.toThrow(SettingsError);
  await expect(Database.open(url)).rejects.toThrow('DATABASE_URL names a database that a newer version');
});

it('A file that is no database is refused, and stays as it is', async () => {
  const file = join(folder.path, 'submissions.db');
  await writeFile(file, 'this is no database '.repeat(500));
  await expect(Database.open(`file:${file}`)).rejects.toThrow('DATABASE_URL: SQLITE_NOTADB');
  expect(String(await readFile(file))).toContain('this is no database');
});

it.each([
  'SQLITE_FULL',
  'SQLITE_READONLY',
  'SQLITE_BUSY',
  '57P01',
  '08006',
  '53100',
  '25006',
  'ECONNREFUSED',
  'EAI_AGAIN',
])('The code %s means that the database cannot be used now, and is named without a value', (code) => {
  const error = asStorageError(Object.assign(new Error('a text with a value'), { code }), 'DATABASE_URL');
  expect(error).toBeInstanceOf(StorageUnavailableError);
  expect((error as Error).message).toBe(`DATABASE_URL: ${code}`);
});

it.each(['SQLITE_ERROR', 'SQLITE_CONSTRAINT', '42P01', 'ERR_INVALID_ARG_TYPE', undefined])(
  'The code %s is a bug of ours and stays what it is',
  (code) => {
    const bug = Object.assign(new Error('a bug'), { code });
    expect(asStorageError(bug, 'DATABASE_URL')).toBe(bug);
  },
);

const postgresMissing = PostgresServer.missing();

(postgresMissing ? it.skip : it).each(['synchronous_commit', 'fsync'])(
  'A PostgreSQL server with %s=off is refused, because it forgets what it confirmed',
  async (setting) => {
    const server = await PostgresServer.start(`${setting}=off`);
    try {
      await expect(Database.open(await server.createDatabase())).rejects.toThrow(
        `DATABASE_URL names a server with ${setting}=off`,
      );
    } finally {
      await server.stop();
    }
  },
);

(postgresMissing ? it.skip : it)('A PostgreSQL server that can only be read is unwell', async () => {
  const server = await PostgresServer.start();
  try {
    const url = await server.createDatabase();
    await (await Database.open(url)).close();
    const database = await Database.open(`${url}?options=-c%20default_transaction_read_only%3Don`);
    await expect(database.check()).rejects.toThrow('DATABASE_URL: the server is read-only');
    await database.close();
  } finally {
    await server.stop();
  }
});
