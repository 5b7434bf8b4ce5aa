import { realpathSync, statSync } from 'node:fs';
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
/** The database, its write-ahead log and the index of the log. SQLite resolves links before it names the last two. */
let files: readonly string[] = [path];
let database: DatabaseSync | undefined;
/** Identities of the {@link files}. The first one stays as long as this thread runs. */
let opened: (string | undefined)[] = [];
const statements = new Map<string, StatementSync>();

/** Opens the database. FULL syncs the write-ahead log at each commit, so commits survive a power cut. */
function open(): DatabaseSync {
  // A file that has disappeared must not be replaced by an empty database, nor by another one.
  if (opened[0] !== undefined && identityOf(path) !== opened[0]) throw moved();
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    useLog(connection);
    connection.exec('PRAGMA synchronous=FULL; PRAGMA secure_delete=ON');
    const target = realpathSync(path);
    files = [path, `${target}-wal`, `${target}-shm`];
  } catch (error) {
    connection.close();
    throw error;
  }
  opened[0] ??= identityOf(path);
  return connection;
}

/** Returns device and inode of a file; undefined if there is none. They stay the same as long as it is open. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * Rejects files that were deleted or replaced: SQLite goes on with the open ones, which no other process finds. Called
 * before a statement, so that it changes nothing, and before its reply, so that nothing counts as stored. A transaction
 * is checked at its begin and end. The original files are accepted again.
 */
function refuseMoved(): void {
  if (!database || database.isTransaction) return;
  for (const [at, file] of files.entries()) {
    const identity = identityOf(file);
    // SQLite creates the log at the first use.
    opened[at] ??= identity;
    if (opened[at] !== identity) throw moved();
  }
}

/** Returns an error with the name that SQLite gives this state where it detects it. */
function moved(): Error {
  return Object.assign(new Error('The file was deleted or replaced.'), { code: 'SQLITE_READONLY_DBMOVED' });
}

/** Closes the connection. The next statement opens a new one. */
function close(): void {
  statements.clear();
  database?.close();
  database = undefined;
  forgetLog();
}

/** The next log can be another file. */
function forgetLog(): void {
  opened = opened.slice(0, 1);
}

/** Enables WAL with retries: SQLite does not apply its busy timeout while another process creates the database. */
function useLog(connection: DatabaseSync): void {
  for (const deadline = performance.now() + BUSY_TIMEOUT_MS; ;) {
    try {
      return connection.exec('PRAGMA journal_mode=WAL');
    } catch (error) {
      if (primaryCode(error) !== BUSY || performance.now() > deadline) throw error;
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

function execute(statement: StatementSync, values: readonly SQLInputValue[]): SqliteReply {
  if (statement.columns().length > 0) return { rows: statement.all(...values), changes: 0 };
  return { rows: [], changes: Number(statement.run(...values).changes) };
}

function run({ sql, parameters }: SqliteRequest): SqliteReply {
  // Some errors, such as a full disk, have already ended the transaction.
  if (sql === 'ROLLBACK' && !database?.isTransaction) return { rows: [], changes: 0 };
  try {
    refuseMoved();
    const reply = execute(prepared(sql), parameters as SQLInputValue[]);
    // `restore` turns the log off for its exclusive use.
    if (sql.startsWith('PRAGMA journal_mode')) forgetLog();
    refuseMoved();
    return reply;
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
