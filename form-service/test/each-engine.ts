import { afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import { Database } from '../src/database/database.ts';
import { PostgresServer } from './postgres-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Context of the tests on one engine. */
export interface Engine {
  /** Skips if the engine is not installed. */
  readonly it: typeof it | typeof it.skip;
  /** Shared server of this run; undefined for SQLite. Do not stop it. */
  readonly server: PostgresServer | undefined;
  /** Temporary folder of this test. */
  readonly folder: string;
  /** URL of this test's empty database. */
  readonly url: string;
  /** Opens this test's database like a separate process. It is closed after the test. */
  open(): Promise<Database>;
}

const missing = PostgresServer.missing();

/** Runs tests on SQLite, and on PostgreSQL if it is installed. @param title has `%s` for the engine */
export function describeEachEngine(title: string, tests: (engine: Engine) => void): void {
  if (missing) process.stderr.write(`SKIPPED: ${title.replace('%s', 'PostgreSQL')}, because ${missing}\n`);
  describe.each(['SQLite', 'PostgreSQL'])(title, (name) => {
    const isPostgres = name === 'PostgreSQL';
    let server: PostgresServer | undefined;
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let url = '';
    const opened: Database[] = [];

    beforeAll(async () => {
      if (!isPostgres || missing) return;
      server = await PostgresServer.shared();
      url = await server.createDatabase();
    });
    beforeEach(async () => {
      folder = await temporaryFolder();
      if (server) await PostgresServer.empty(url);
      else url = `file:${folder.path}/submissions.db`;
    });
    tests({
      it: isPostgres && missing ? it.skip : it,
      get server() {
        return server;
      },
      get folder() {
        return folder.path;
      },
      get url() {
        return url;
      },
      open: async () => {
        const database = await Database.open(url);
        opened.push(database);
        return database;
      },
    });
    // Registered last, because the hooks of the tests may still use the database.
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((database) => database.close()));
      await folder.remove();
    });
  });
}
