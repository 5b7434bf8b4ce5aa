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
    createDriver: () => new SqliteThreadDriver(path),
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

/** Kysely gives the one connection to one statement or transaction at a time. */
class SqliteThreadDriver implements Driver {
  private thread: SqliteThread | undefined;

  constructor(private readonly path: string) {}

  async init(): Promise<void> {
    this.thread = new SqliteThread(this.path);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.thread) throw new Error('the database is closed');
    return this.thread;
  }

  async releaseConnection(): Promise<void> {}

  /** IMMEDIATE takes the write lock at once, so two processes that migrate do so one after the other. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('COMMIT'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('ROLLBACK'));
  }

  async destroy(): Promise<void> {
    await this.thread?.close();
    this.thread = undefined;
  }
}

/** The caller's end of the channel to the thread. */
class SqliteThread implements DatabaseConnection {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, (reply: SqliteReply) => void>();
  private requests = 0;

  constructor(path: string) {
    this.worker = new Worker(THREAD, { workerData: { path } });
    this.worker.on('message', (reply: SqliteReply) => {
      this.waiting.get(reply.id)?.(reply);
      this.waiting.delete(reply.id);
    });
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const id = ++this.requests;
    const reply = await new Promise<SqliteReply>((resolve) => {
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, sql, parameters } satisfies SqliteRequest);
    });
    if ('error' in reply) throw Object.assign(new Error(reply.error.message), { code: reply.error.code });
    return { rows: reply.rows as Row[], numAffectedRows: BigInt(reply.changes) };
  }

  streamQuery(): never {
    throw new Error('SQLite rows are read in pages');
  }

  async close(): Promise<void> {
    const ended = once(this.worker, 'exit');
    this.worker.postMessage('close');
    await ended;
  }
}
