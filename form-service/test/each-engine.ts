import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import { Database } from '../src/database/database.ts';
import { PostgresServer } from './postgres-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What the tests on one engine work with. */
export interface Engine {
  /** Skips where the engine is not installed. */
  readonly test: typeof it | typeof it.skip;
  /** Undefined for SQLite. */
  readonly server: PostgresServer | undefined;
  /** The URL of this test's database, which is new. */
  readonly url: string;
  /** Opens this test's database as a process of its own would; it is closed after the test. */
  open(): Promise<Database>;
}

const missing = PostgresServer.missing();

/** Runs tests on SQLite, and on PostgreSQL where that is installed. @param title has `%s` for the engine */
export function describeEachEngine(title: string, tests: (engine: Engine) => void): void {
  if (missing) process.stderr.write(`SKIPPED: ${title.replace('%s', 'PostgreSQL')}, because ${missing}\n`);
  describe.each(['SQLite', 'PostgreSQL'])(title, (name) => {
    const isPostgres = name === 'PostgreSQL';
    let server: PostgresServer | undefined;
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let url = '';
    const opened: Database[] = [];

    beforeAll(async () => {
      if (isPostgres && !missing) server = await PostgresServer.start();
    });
    beforeEach(async () => {
      folder = await temporaryFolder();
      url = server ? await server.createDatabase() : `file:${folder.path}/submissions.db`;
    });
    tests({
      test: isPostgres && missing ? it.skip : it,
      get server() {
        return server;
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
    // After the hooks of the tests, which may still use the database.
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((database) => database.close()));
      await folder.remove();
    });
    afterAll(() => server?.stop());
  });
}
