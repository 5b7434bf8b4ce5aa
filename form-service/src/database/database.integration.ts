import { copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { describeEachEngineAnew } from '../../test/each-engine.ts';
import { PostgresServer } from '../../test/postgres-server.ts';
import { newEnquiry } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Database } from './database.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

// The power-cut test misses this if the cut follows a checkpoint.
it('Database > SQLite > syncs the log at each commit', async () => {
  const database = await Database.open(`file:${join(folder.path, 'submissions.db')}`);
  const valueOf = async (name: string) =>
    database.run(async (db) => Object.values((await sql.raw(`PRAGMA ${name}`).execute(db)).rows[0] as object)[0]);
  const FULL = 2;
  const values = [await valueOf('journal_mode'), await valueOf('synchronous'), await valueOf('secure_delete')];
  await database.close();
  expect(values).toEqual(['wal', FULL, 1]);
});

describe('Database > SQLite > refuses further use and stores nothing elsewhere', () => {
  const REFUSED = { name: 'StorageUnavailableError', message: 'DATABASE_URL: SQLITE_READONLY_DBMOVED' };
  const names = (file: string) => [file, `${file}-wal`, `${file}-shm`];
  let database: Database;
  const open = async (file: string) => (database = await Database.open(`file:${file}`));
  afterEach(() => database.close());
  const createOther = async (file: string) => (await Database.open(`file:${file}`)).close();

  it.each<[string, (file: string) => Promise<unknown>]>([
    ['all files are deleted', (file) => Promise.all(names(file).map((one) => rm(one)))],
    ['only the log is deleted', (file) => rm(`${file}-wal`)],
    [
      'the database is replaced by a copy',
      (file) => copyFile(file, `${file}.copy`).then(() => rename(`${file}.copy`, file)),
    ],
    [
      'the folder is replaced',
      async (file) => {
        await rename(dirname(file), `${dirname(file)}-before`);
        await createOther(file);
      },
    ],
    [
      'a link leads to another folder',
      async (file) => {
        const link = dirname(dirname(file));
        const other = `${link}-other`;
        await createOther(join(other, 'data/submissions.db'));
        await rm(link);
        await symlink(other, link);
      },
    ],
  ])('%s', async (_, change) => {
    await mkdir(join(folder.path, 'disk/data'), { recursive: true });
    await symlink(join(folder.path, 'disk'), join(folder.path, 'link'));
    const file = join(folder.path, 'link/data/submissions.db');
    await open(file);
    const submissions = new SubmissionsRepository(database);
    expect(await submissions.insert(newEnquiry())).toBe(true);
    await change(file);
    await expect(submissions.insert(newEnquiry())).rejects.toMatchObject(REFUSED);
    await expect(submissions.insert(newEnquiry({}, { notifications: ['webhook'] }))).rejects.toMatchObject(REFUSED);
    await expect(database.check()).rejects.toMatchObject(REFUSED);
  });

  it('until the original is back', async () => {
    const file = join(folder.path, 'submissions.db');
    await open(file);
    await rename(file, `${file}.before`);
    const submissions = new SubmissionsRepository(database);
    await expect(submissions.insert(newEnquiry())).rejects.toMatchObject(REFUSED);
    await rename(`${file}.before`, file);
    const enquiry = newEnquiry();
    expect(await submissions.insert(enquiry)).toBe(true);
    expect(await database.ids(sql`SELECT id FROM submissions`)).toEqual([enquiry.id]);
  });

  it('not for its own VACUUM and checkpoints', async () => {
    await open(join(folder.path, 'submissions.db'));
    const submissions = new SubmissionsRepository(database);
    await submissions.insert(newEnquiry());
    expect(await database.removeCopies()).toBeUndefined();
    expect(await submissions.insert(newEnquiry())).toBe(true);
  });
});

it('Database > SQLite > gives each statement its own reply > a value could not be cloned', async () => {
  const database = await Database.open(`file:${join(folder.path, 'submissions.db')}`);
  const bad = database.run((db) => sql`SELECT ${Symbol('bad')} AS bad`.execute(db));
  await expect(bad).rejects.toThrow('could not be cloned');
  const replies = await Promise.all([5, 6].map((number) => database.rows(sql`SELECT ${number} AS number`)));
  expect(replies).toEqual([[{ number: 5 }], [{ number: 6 }]]);
  await database.close();
});

it('Database > rolls back a transaction and throws the original error', async () => {
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

describeEachEngineAnew('Database on %s', (engine) => {
  engine.it('open > rejects a database of a newer version', async () => {
    const database = await engine.open();
    await database.run((db) =>
      sql`INSERT INTO kysely_migration VALUES ('9999-of-a-time-to-come', '2099-01-01')`.execute(db),
    );
    const ways = [Database.open, (url: string) => Database.open(url, () => undefined)];
    for (const open of ways)
      await expect(open(engine.url)).rejects.toMatchObject({
        name: 'SettingsError',
        mistakes: ['DATABASE_URL names a database that a newer version of this service has changed'],
      });
  });
});

it('Database > open > rejects a file that is no database, and leaves it unchanged', async () => {
  const file = join(folder.path, 'submissions.db');
  await writeFile(file, 'this is no database '.repeat(500));
  await expect(Database.open(`file:${file}`)).rejects.toThrow('DATABASE_URL: SQLITE_NOTADB');
  expect(String(await readFile(file))).toContain('this is no database');
});

const postgresMissing = PostgresServer.missing();

const ifPostgres = postgresMissing ? describe.skip : describe;

ifPostgres('Database > PostgreSQL', () => {
  it('open > rejects a server with synchronous_commit=off', async () => {
    const url = await (await PostgresServer.shared()).createDatabase();
    const opening = Database.open(`${url}?options=-c%20synchronous_commit%3Doff`);
    await expect(opening).rejects.toThrow('DATABASE_URL names a server with synchronous_commit=off');
  });

  it.each(['SQL_ASCII', 'LATIN1'])('open > rejects a database that is not in UTF-8 > %s', async (encoding) => {
    const server = await PostgresServer.shared();
    const name = `test_${encoding.toLowerCase()}_${process.pid}`;
    await server.run(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}'`);
    await expect(Database.open(server.url(name))).rejects.toThrow(`encoding ${encoding}`);
    await server.run(`DROP DATABASE ${name} (FORCE)`);
  });

  it('open > rejects a server with fsync=off', async () => {
    const server = await PostgresServer.start('fsync=off');
    try {
      await expect(Database.open(server.url())).rejects.toThrow('DATABASE_URL names a server with fsync=off');
    } finally {
      await server.stop();
    }
  });
});
