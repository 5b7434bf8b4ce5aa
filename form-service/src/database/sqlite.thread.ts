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

/** After these the connection is opened anew, so that a disk that is mended is used again without a restart. */
const BROKEN = /^SQLITE_(?:IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/;

/** What libsql says without a code when it cannot open a database: SQLite's number is the last word. */
const NOT_OPENED = /^ConnectionFailed\(.*: (\d+)"\)$/;

/** SQLite's numbers of the reasons for which a database cannot be opened. */
const CODES: Readonly<Record<string, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  26: 'SQLITE_NOTADB',
};

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

function run({ id, sql, parameters }: SqliteRequest): SqliteReply {
  try {
    const statement = prepared(sql);
    if (statement.reader) return { id, rows: statement.all(...parameters), changes: 0 };
    return { id, rows: [], changes: statement.run(...parameters).changes };
  } catch (error) {
    const { message } = error as Error;
    const code = codeOf(error as Error & { code?: string });
    if (BROKEN.test(code)) close();
    return { id, error: { message, code } };
  }
}

function codeOf({ code, message }: Error & { code?: string }): string {
  const number = NOT_OPENED.exec(message)?.[1];
  return number ? (CODES[number] ?? 'SQLITE_CANTOPEN') : (code ?? '');
}

parentPort?.on('message', (request: SqliteRequest | 'close') => {
  if (request === 'close') {
    close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(run(request));
  }
});
