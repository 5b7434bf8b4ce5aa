import { callbackify } from 'node:util';
import { PostgresAdapter, PostgresDialect, sql, type Kysely, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { SettingsError } from '../settings/settings.ts';
import type { Schema } from './schema.ts';
import { asConnectionError, StorageUnavailableError } from './storage-unavailable.error.ts';

/**
 * Connection pool for PostgreSQL. Three connections carry more than one process can send. The server ends slow statements
 * itself, so nothing is stored after it was reported as not stored. The client's longer timeout is for a server that does
 * not respond at all. A session keeps settings from its beginning, so each connection ends after some minutes.
 */
export const POOL = {
  max: 3,
  /** The C library waits 5 s for a silent name server before it asks the next one. */
  connectionTimeoutMillis: 10_000,
  statement_timeout: 10_000,
  query_timeout: 15_000,
  keepAlive: true,
  maxLifetimeSeconds: 300,
};

/**
 * Codes that mean "connect again": the connection broke, the server shuts down or starts, or it is read-only. After a
 * failover, an open connection can still lead to the previous primary.
 */
const CONNECT_AGAIN = /^(?:08...|25006|57P0[1-3])$/;

/** Code of a statement in a transaction that an earlier one has failed. */
const TRANSACTION_FAILED = '25P02';

/** Kysely dialect for PostgreSQL, with large integers as numbers. */
export function postgresDialect(connectionString: string, limits: Partial<typeof POOL> = {}): PostgresDialect {
  return new PooledDialect({ pool: new VerifiedPool(connectionString, { ...POOL, ...limits }) });
}

class PooledDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new PooledAdapter();
  }
}

/** Advisory lock of migrations. Each process acquires it when it opens the database. */
export const MIGRATION_LOCK = sql.lit('3853314791062309107');

export async function acquireMigrationLock(transaction: Kysely<Schema>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
}

/** Leaves the migration lock to {@link acquireMigrationLock}, which ends with the transaction of all migrations. */
class PooledAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/**
 * Pool whose connections lead to a server that can be written. A new connection is verified, and one that turns out to
 * lead elsewhere leaves the pool, so that the next use connects again.
 */
class VerifiedPool implements PostgresPool {
  private readonly pool: pg.Pool;
  /** Connections whose socket broke. Their statements fail with errors of sockets and TLS, or without a code. */
  private readonly broken = new WeakSet<pg.ClientBase>();

  constructor(
    connectionString: string,
    readonly options: typeof POOL,
  ) {
    const types = new pg.TypeOverrides();
    types.setTypeParser(pg.types.builtins.INT8, Number);
    const verify = callbackify((client: pg.PoolClient) => this.verify(client));
    this.pool = new pg.Pool({ connectionString, types, verify, ...options });
    // The pool replaces idle connections that break; a statement on a broken connection reports the error itself.
    this.pool.on('error', () => undefined);
    // A connection that breaks between two statements of a transaction emits an event that would end the process.
    this.pool.on('connect', (client) => client.on('error', () => this.broken.add(client)));
  }

  /** @throws StorageUnavailableError for everything that goes wrong, and SettingsError for a server that loses commits or text */
  async connect(): Promise<PostgresPoolClient> {
    try {
      return this.observed(await this.pool.connect());
    } catch (error) {
      throw asConnectionError(error);
    }
  }

  async end(): Promise<void> {
    await this.pool.end();
  }

  /**
   * Verifies that the server can be written, confirms only durable commits, stores UTF-8 and ends slow statements.
   *
   * @throws SettingsError for a server or database that does not, except for one that is read-only
   */
  private async verify(client: pg.PoolClient): Promise<void> {
    const { rows } = await client.query<Session>(`
      SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
        current_setting('synchronous_commit') AS synchronous_commit, current_setting('fsync') AS fsync,
        current_setting('server_encoding') AS encoding,
        setting <> '0' AND (source = 'client' OR CAST(setting AS integer) < ${this.options.query_timeout}) AS "isTimed"
      FROM pg_settings WHERE name = 'statement_timeout'`);
    const [session] = rows as [Session];
    if (session.isReadOnly) throw new StorageUnavailableError('DATABASE_URL: the server is read-only');
    for (const name of ['synchronous_commit', 'fsync'] as const)
      if (session[name] === 'off')
        throw new SettingsError([`DATABASE_URL names a server with ${name}=off: it forgets what it confirmed`]);
    // SQL_ASCII compares bytes, and would show submissions to the wrong mailbox. Others cannot store all text.
    if (session.encoding !== 'UTF8')
      throw new SettingsError([
        `DATABASE_URL names a database with the encoding ${session.encoding}. Create one with UTF8, and restore a backup into it`,
      ]);
    if (!session.isTimed)
      throw new SettingsError([
        'DATABASE_URL leads to a pooler that drops statement_timeout. Connect to the server itself',
      ]);
  }

  /** Returns a connection that is destroyed at its release if its server or its transaction cannot be trusted. */
  private observed(client: pg.PoolClient): PostgresPoolClient {
    let mustConnectAgain = false;
    let firstError: unknown;
    const query = async (text: string, values: unknown[]): Promise<pg.QueryResult> => {
      try {
        return await client.query(text, values);
      } catch (error) {
        // A failed transaction rejects all that follows, and Kysely's migrator reports only the last error.
        if ((error as pg.DatabaseError).code === TRANSACTION_FAILED && firstError !== undefined) throw firstError;
        firstError = error;
        mustConnectAgain ||= !(error instanceof pg.DatabaseError) || CONNECT_AGAIN.test(error.code ?? '');
        throw this.broken.has(client) ? asConnectionError(error) : error;
      }
    };
    const release = (mustDestroy = false) =>
      client.release(mustDestroy || mustConnectAgain || client.getTransactionStatus() !== 'I');
    // Without the overload for cursors, which read rows as a stream.
    return { query, release } as unknown as PostgresPoolClient;
  }
}

/** Settings of a session. */
interface Session {
  readonly isReadOnly: boolean;
  readonly synchronous_commit: string;
  readonly fsync: string;
  readonly encoding: string;
  /** Whether the server ends a statement before the client gives it up. */
  readonly isTimed: boolean;
}
