import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'libsql';

/** What the thread is asked: one statement, with the values of its parameters. */
export interface SqliteRequest {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What it answers. An error keeps SQLite's own code, such as `SQLITE_FULL`. */
export type SqliteReply =
  | { readonly id: number; readonly rows: readonly unknown[]; readonly changes: number }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string } };

/** Statements kept compiled; the shapes of our queries are few, those of a batch at most its size. */
const STATEMENTS_MAX = 200;

const { path } = workerData as { path: string };
let database: Sqlite.Database | undefined;
const statements = new Map<string, Sqlite.Statement>();

function open(): Sqlite.Database {
  const opened = new Sqlite(path);
  // FULL syncs the write-ahead log at each commit: what was committed survives a power cut.
  for (const pragma of ['busy_timeout=5000', 'journal_mode=WAL', 'synchronous=FULL', 'secure_delete=ON']) {
    opened.prepare(`PRAGMA ${pragma}`).all();
  }
  return opened;
}

function prepared(sql: string): Sqlite.Statement {
  let statement = statements.get(sql);
  if (!statement) {
    database ??= open();
    statement = database.prepare(sql);
    if (statements.size >= STATEMENTS_MAX) statements.clear();
    statements.set(sql, statement);
  }
  return statement;
}

function close(): void {
  statements.clear();
  database?.close();
  database = undefined;
}

/**
 * After an error the connection is opened anew. libsql does not reset a statement that met a locked database, and as long
 * as one is left half done SQLite commits nothing that comes after it, although it says so. It also makes a disk that is
 * mended usable without a restart.
 */
function run({ id, sql, parameters }: SqliteRequest): SqliteReply {
  // What is to be rolled back went with the connection.
  if (sql === 'ROLLBACK' && !database?.inTransaction) return { id, rows: [], changes: 0 };
  try {
    const statement = prepared(sql);
    if (statement.reader) return { id, rows: statement.all(...parameters), changes: 0 };
    return { id, rows: [], changes: statement.run(...parameters).changes };
  } catch (error) {
    close();
    const { message, code = '' } = error as Error & { code?: string };
    // To a file that cannot be opened libsql gives no code.
    return { id, error: { message, code: message.startsWith('ConnectionFailed') ? 'SQLITE_CANTOPEN' : code } };
  }
}

parentPort?.on('message', (request: SqliteRequest | 'close') => {
  if (request === 'close') {
    close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(run(request));
  }
});
