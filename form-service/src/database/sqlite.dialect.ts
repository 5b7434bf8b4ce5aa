import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { SqliteReply, SqliteRequest } from './sqlite.thread.ts';

/** File of the thread: TypeScript or JavaScript, like this file. */
const THREAD = new URL(import.meta.url.replace(/[^/]*(\.[jt]s)$/, 'sqlite.thread$1'));

/**
 * Kysely dialect for SQLite in a worker thread. Commits wait for the disk and locks for other processes; neither may block
 * the event loop that serves visitors (figures: docs/decisions/database.md).
 */
export function sqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteThread(path),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite rolls back DDL as well, which Kysely does not assume by default. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Channel to the thread, and at the same time the only connection: Kysely gives it to one statement or transaction at a
 * time. The thread replies in the order of the requests.
 */
class SqliteThread implements Driver, DatabaseConnection {
  private worker: Worker | undefined;
  private readonly waiting: { resolve: (reply: SqliteReply) => void; reject: (error: Error) => void }[] = [];

  constructor(private readonly path: string) {}

  async init(): Promise<void> {
    // With the environment Node.js reads NODE_OPTIONS again, in which scripts/run.mjs hides experimental warnings.
    this.worker = new Worker(THREAD, { workerData: { path: this.path }, env: process.env });
    this.worker.on('message', (reply: SqliteReply) => this.waiting.shift()?.resolve(reply));
    this.worker.on('exit', () => {
      this.worker = undefined;
      for (const { reject } of this.waiting.splice(0)) reject(ended());
    });
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this;
  }

  async releaseConnection(): Promise<void> {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const reply = await new Promise<SqliteReply>((resolve, reject) => {
      if (!this.worker) return reject(ended());
      // Throws for a value that cannot be cloned. No reply follows, so `waiting` must not grow before.
      this.worker.postMessage({ sql, parameters } satisfies SqliteRequest);
      this.waiting.push({ resolve, reject });
    });
    if ('error' in reply) throw Object.assign(new Error(reply.error.message), { code: reply.error.code });
    return { rows: reply.rows as Row[], numAffectedRows: BigInt(reply.changes) };
  }

  streamQuery(): never {
    throw new Error('SQLite rows are read in pages');
  }

  /** IMMEDIATE takes the write lock at once, so processes that start together migrate one after the other. */
  async beginTransaction(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }

  async commitTransaction(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('COMMIT'));
  }

  async rollbackTransaction(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('ROLLBACK'));
  }

  async destroy(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    this.worker = undefined;
    const exited = once(worker, 'exit');
    worker.postMessage('close');
    await exited;
  }
}

/** Returns an error that callers report as unavailable storage. */
function ended(): Error {
  return Object.assign(new Error('The thread of the database has ended.'), { code: 'SQLITE_CANTOPEN' });
}
