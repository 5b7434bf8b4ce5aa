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

/** The thread's file is TypeScript where this one is, since Node.js runs both. */
const THREAD = new URL(import.meta.url.replace(/[^/]*(\.[jt]s)$/, 'sqlite.thread$1'));

/**
 * The Kysely dialect for SQLite in a thread of its own. A commit waits for the disk, and a locked database for another
 * process; neither may hold up the event loop that answers visitors (docs/decisions/0021-database.md has the figures).
 */
export function sqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteThread(path),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite rolls back DDL too, which Kysely does not assume by default. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * The caller's end of the channel to the thread, which is the one connection too: Kysely gives it to one statement or
 * transaction at a time. The thread replies in the order of the requests.
 */
class SqliteThread implements Driver, DatabaseConnection {
  private worker: Worker | undefined;
  private readonly waiting: ((reply: SqliteReply) => void)[] = [];

  constructor(private readonly path: string) {}

  async init(): Promise<void> {
    this.worker = new Worker(THREAD, { workerData: { path: this.path } });
    this.worker.on('message', (reply: SqliteReply) => this.waiting.shift()?.(reply));
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this;
  }

  async releaseConnection(): Promise<void> {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const reply = await new Promise<SqliteReply>((resolve, reject) => {
      if (!this.worker) return reject(new Error('the database is closed'));
      this.waiting.push(resolve);
      this.worker.postMessage({ sql, parameters } satisfies SqliteRequest);
    });
    if ('error' in reply) throw Object.assign(new Error(reply.error.message), { code: reply.error.code });
    return { rows: reply.rows as Row[], numAffectedRows: BigInt(reply.changes) };
  }

  streamQuery(): never {
    throw new Error('SQLite rows are read in pages');
  }

  /** IMMEDIATE takes the write lock at once, so two processes that migrate do so one after the other. */
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
    if (!this.worker) return;
    const ended = once(this.worker, 'exit');
    this.worker.postMessage('close');
    this.worker = undefined;
    await ended;
  }
}
