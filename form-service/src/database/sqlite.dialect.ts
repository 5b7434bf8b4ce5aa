import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { threadFile } from '../thread-file.ts';
import type { SqliteReply, SqliteRequest } from './sqlite.thread.ts';

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

/** The one connection, which serves one statement or transaction at a time. */
class SqliteThreadDriver implements Driver {
  private thread: SqliteThread | undefined;
  private free: Promise<void> = Promise.resolve();
  private release = () => {};

  constructor(private readonly path: string) {}

  async init(): Promise<void> {
    this.thread = new SqliteThread(this.path);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.free;
    let release = () => {};
    this.free = new Promise((resolve) => (release = resolve));
    await before;
    this.release = release;
    if (!this.thread) throw new Error('the database is closed');
    return this.thread;
  }

  async releaseConnection(): Promise<void> {
    this.release();
  }

  /** IMMEDIATE takes the write lock at once, so two processes that migrate do so one after the other. */
  async beginTransaction(connection: SqliteThread): Promise<void> {
    await connection.run('BEGIN IMMEDIATE');
  }

  async commitTransaction(connection: SqliteThread): Promise<void> {
    await connection.run('COMMIT');
  }

  async rollbackTransaction(connection: SqliteThread): Promise<void> {
    await connection.run('ROLLBACK');
  }

  async destroy(): Promise<void> {
    await this.thread?.close();
    this.thread = undefined;
  }
}

const THREAD = threadFile('sqlite.thread', import.meta.url);

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
    const reply = await this.run(sql, parameters);
    return { rows: reply.rows as Row[], numAffectedRows: BigInt(reply.changes) };
  }

  streamQuery(): never {
    throw new Error('SQLite rows are read in pages');
  }

  async run(sql: string, parameters: readonly unknown[] = []): Promise<Extract<SqliteReply, { rows: unknown }>> {
    const id = ++this.requests;
    const reply = await new Promise<SqliteReply>((resolve) => {
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, sql, parameters } satisfies SqliteRequest);
    });
    if ('error' in reply) throw Object.assign(new Error(reply.error.message), { code: reply.error.code });
    return reply;
  }

  async close(): Promise<void> {
    const ended = once(this.worker, 'exit');
    this.worker.postMessage('close');
    await ended;
  }
}
