import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'libsql';

/** A request to the thread: one statement with the values of its parameters. */
export interface SqliteRequest {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The thread's reply. An error keeps SQLite's own code, such as `SQLITE_FULL`. */
export type SqliteReply =
  | { readonly id: number; readonly rows: readonly unknown[]; readonly changes: number }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string } };

/**
 * This many compiled statements are kept. Our queries have few shapes, and an INSERT has one for each size of a batch.
 */
const STATEMENTS_MAX = 200;

const { path } = workerData as { path: string };
let database: Sqlite.Database | undefined;
const statements = new Map<string, Sqlite.Statement>();

function open(): Sqlite.Database {
  const opened = new Sqlite(path);
  // FULL syncs the write-ahead log at each commit, so what was committed survives a power cut.
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
 * Opens the connection anew after an error. libsql does not reset a statement that met a locked database, and as long
 * as such a statement is half done, SQLite reports later commits as done without writing them. The new connection also
 * makes a disk that was mended usable without a restart.
 */
function run({ id, sql, parameters }: SqliteRequest): SqliteReply {
  // The transaction that should be rolled back ended with its connection.
  if (sql === 'ROLLBACK' && !database?.inTransaction) return { id, rows: [], changes: 0 };
  try {
    const statement = prepared(sql);
    if (statement.reader) return { id, rows: statement.all(...parameters), changes: 0 };
    return { id, rows: [], changes: statement.run(...parameters).changes };
  } catch (error) {
    close();
    const { message, code = '' } = error as Error & { code?: string };
    // libsql gives no code for a file that cannot be opened.
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
