import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Request to the thread: one statement with its parameters. */
export interface SqliteRequest {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Reply of the thread. */
export type SqliteReply =
  | { readonly rows: readonly unknown[]; readonly changes: number }
  | { readonly error: { readonly message: string; readonly code: string } };

/** Maximum number of cached statements. Only the lengths of id lists make many variants. */
const STATEMENTS_MAX = 200;

/** Maximum wait for another process that holds the lock, and the pause between two tries. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 20;

const BUSY = 5;
const READONLY = 8;
const CANTOPEN = 14;

/** Names of SQLite's primary result codes; `node:sqlite` only has the numbers. */
const CODES = new Map([
  [3, 'SQLITE_PERM'],
  [BUSY, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [READONLY, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [CANTOPEN, 'SQLITE_CANTOPEN'],
  [15, 'SQLITE_PROTOCOL'],
  [19, 'SQLITE_CONSTRAINT'],
  [26, 'SQLITE_NOTADB'],
]);

const primaryCode = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

const { path } = workerData as { path: string };
let database: DatabaseSync | undefined;
let wasOpen = false;
const statements = new Map<string, StatementSync>();

/** Opens the database. FULL syncs the write-ahead log at each commit, so commits survive a power cut. */
function open(): DatabaseSync {
  // A file that has disappeared must not be replaced by an empty database.
  if (wasOpen && !existsSync(path)) throw Object.assign(new Error('the file is gone'), { errcode: CANTOPEN });
  const opened = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    useLog(opened);
    opened.exec('PRAGMA synchronous=FULL; PRAGMA secure_delete=ON');
  } catch (error) {
    opened.close();
    throw error;
  }
  wasOpen = true;
  return opened;
}

/** Closes the connection. The next statement opens a new one. */
function close(): void {
  statements.clear();
  database?.close();
  database = undefined;
}

/** Enables WAL with retries: SQLite does not apply its busy timeout while another process creates the database. */
function useLog(opened: DatabaseSync): void {
  for (const deadline = Date.now() + BUSY_TIMEOUT_MS; ;) {
    try {
      return opened.exec('PRAGMA journal_mode=WAL');
    } catch (error) {
      if (primaryCode(error) !== BUSY || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS);
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
  // Some errors, such as a full disk, have already ended the transaction.
  if (sql === 'ROLLBACK' && !database?.isTransaction) return { rows: [], changes: 0 };
  try {
    const statement = prepared(sql);
    const values = parameters as SQLInputValue[];
    if (statement.columns().length > 0) return { rows: statement.all(...values), changes: 0 };
    return { rows: [], changes: Number(statement.run(...values).changes) };
  } catch (error) {
    // A connection to a read-only file stays read-only after the file is repaired.
    if (primaryCode(error) === READONLY) close();
    const { message, code = '' } = error as Error & { code?: string };
    return { error: { message, code: CODES.get(primaryCode(error)) ?? code } };
  }
}

parentPort?.on('message', (request: SqliteRequest | 'close') => {
  if (request !== 'close') return parentPort?.postMessage(run(request));
  close();
  parentPort?.close();
});
