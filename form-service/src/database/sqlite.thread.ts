import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** A request to the thread: one statement with the values of its parameters. */
export interface SqliteRequest {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The thread's reply. */
export type SqliteReply =
  | { readonly rows: readonly unknown[]; readonly changes: number }
  | { readonly error: { readonly message: string; readonly code: string } };

/** This many compiled statements are kept. Our queries have few shapes, but for the lengths of lists of ids. */
const STATEMENTS_MAX = 200;

/** A statement waits so long for another process that holds the lock. */
const BUSY_TIMEOUT_MS = 5_000;
const LOOK_AGAIN_MS = 20;

const BUSY = 5;

/** SQLite's names for its primary result codes; `node:sqlite` has the numbers alone. */
const CODES = new Map([
  [3, 'SQLITE_PERM'],
  [BUSY, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [15, 'SQLITE_PROTOCOL'],
  [19, 'SQLITE_CONSTRAINT'],
  [26, 'SQLITE_NOTADB'],
]);

const primaryCode = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

let database: DatabaseSync | undefined;
const statements = new Map<string, StatementSync>();

/** FULL syncs the write-ahead log at each commit, so what was committed survives a power cut. */
function open(): DatabaseSync {
  const opened = new DatabaseSync((workerData as { path: string }).path, { timeout: BUSY_TIMEOUT_MS });
  useLog(opened);
  opened.exec('PRAGMA synchronous=FULL; PRAGMA secure_delete=ON');
  return opened;
}

/** Where another process is just making the same database SQLite says "locked" at once, and does not wait as it does else. */
function useLog(opened: DatabaseSync): void {
  for (const deadline = Date.now() + BUSY_TIMEOUT_MS; ;) {
    try {
      return opened.exec('PRAGMA journal_mode=WAL');
    } catch (error) {
      if (primaryCode(error) !== BUSY || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
    }
  }
}

function prepared(sql: string): StatementSync {
  let statement = statements.get(sql);
  if (!statement) {
    database ??= open();
    if (statements.size >= STATEMENTS_MAX) statements.clear();
    statements.set(sql, (statement = database.prepare(sql)));
  }
  return statement;
}

function run({ sql, parameters }: SqliteRequest): SqliteReply {
  // Some errors, such as a full disk, have already ended the transaction that should be rolled back.
  if (sql === 'ROLLBACK' && !database?.isTransaction) return { rows: [], changes: 0 };
  try {
    const statement = prepared(sql);
    const values = parameters as SQLInputValue[];
    if (statement.columns().length > 0) return { rows: statement.all(...values), changes: 0 };
    return { rows: [], changes: Number(statement.run(...values).changes) };
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string };
    return { error: { message, code: CODES.get(primaryCode(error)) ?? code } };
  }
}

parentPort?.on('message', (request: SqliteRequest | 'close') => {
  if (request !== 'close') return parentPort?.postMessage(run(request));
  database?.close();
  parentPort?.close();
});
