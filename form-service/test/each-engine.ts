import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import { sql } from 'kysely';
import { Database } from '../src/database/database.ts';
import { PostgresServer } from './postgres-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Context of the tests on one engine. */
export interface Engine {
  /** Skips if the engine is not installed. */
  readonly it: typeof it | typeof it.skip;
  /** Defines a test of code without SQL of its own: on SQLite only. */
  readonly itOnce: typeof it;
  /** Shared server of this run; undefined for SQLite. Do not stop it. */
  readonly server: PostgresServer | undefined;
  /** Temporary folder of this test. */
  readonly folder: string;
  /** URL of this test's empty database. */
  readonly url: string;
  /** Returns a connection to this test's database, like that of a separate process. Do not close it. */
  open(): Promise<Database>;
}

const missing = PostgresServer.missing();

/** Takes the place of `it` and defines no test, so that nothing is reported as skipped. */
const undefinedTest = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as typeof it;

/**
 * Runs tests on SQLite, and on PostgreSQL if it is installed. Tables and connections are kept for the next test: migrations
 * and threads take longer than most tests.
 *
 * @param title has `%s` for the engine
 */
export function describeEachEngine(title: string, tests: (engine: Engine) => void): void {
  describeEngines(title, tests, false);
}

/** Like {@link describeEachEngine}, but each test has a new database without tables. */
export function describeEachEngineAnew(title: string, tests: (engine: Engine) => void): void {
  describeEngines(title, tests, true);
}

function describeEngines(title: string, tests: (engine: Engine) => void, isNew: boolean): void {
  if (missing) process.stderr.write(`SKIPPED: ${title.replace('%s', 'PostgreSQL')}, because ${missing}\n`);
  describe.each(['SQLite', 'PostgreSQL'])(title, (name) => {
    const isPostgres = name === 'PostgreSQL';
    let server: PostgresServer | undefined;
    let databaseFolder: Awaited<ReturnType<typeof temporaryFolder>>;
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let url = '';
    let testsBefore = 0;
    /** Connections of this test, and those of earlier ones. */
    const [used, free]: [Database[], Database[]] = [[], []];
    let pageRows: number | undefined;
    const open = async () => {
      const database = free.pop() ?? (await Database.open(url));
      pageRows ??= database.pageRows;
      // An earlier test may have chosen smaller pages.
      database.pageRows = pageRows;
      used.push(database);
      return database;
    };

    beforeAll(async () => {
      databaseFolder = await temporaryFolder();
      if (!isPostgres || missing) return;
      server = await PostgresServer.shared();
      url = await server.createDatabase();
    });
    beforeEach(async () => {
      folder = await temporaryFolder();
      if (isNew && server) await PostgresServer.empty(url);
      else if (!server && (isNew || testsBefore === 0)) url = `file:${databaseFolder.path}/${testsBefore}.db`;
      else if (testsBefore > 0) await deleteRows(free[0] ?? (await open()));
      free.push(...used.splice(0));
      testsBefore++;
    });
    tests({
      it: isPostgres && missing ? it.skip : it,
      itOnce: isPostgres ? undefinedTest : it,
      get server() {
        return server;
      },
      get folder() {
        return folder.path;
      },
      get url() {
        return url;
      },
      open,
    });
    // Registered last, because the hooks of the tests may still use the database.
    afterEach(async () => {
      if (isNew) await Promise.all(used.splice(0).map((database) => database.close()));
      free.push(...used.splice(0));
      await folder.remove();
    });
    afterAll(async () => {
      await Promise.all(free.splice(0).map((database) => database.close()));
      await databaseFolder.remove();
    });
  });
}

/** Deletes all rows except the id of the installation, which a migration creates. */
async function deleteRows(database: Database): Promise<void> {
  await database.run(async (db) => {
    const tables = await db.introspection.getTables();
    await db.transaction().execute(async (transaction) => {
      for (const { name } of tables)
        await sql`DELETE FROM ${sql.raw(name)} ${sql.raw(name === 'properties' ? KEEP_ID : '')}`.execute(transaction);
    });
  });
}

const KEEP_ID = `WHERE name <> 'installation'`;
