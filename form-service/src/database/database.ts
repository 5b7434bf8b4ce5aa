import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Kysely, Migrator, PostgresDialect, sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { SettingsError } from '../config/settings.ts';
import { MIGRATIONS } from './migrations/migrations.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite.dialect.ts';
import { asStorageError, StorageUnavailableError } from './storage-unavailable.error.ts';

/** A database that could not be opened is tried again after this pause. */
const RETRY_MS = 1_000;

/** Connections that a process opens to PostgreSQL; three carry far more than one process can send. */
const POOL = { max: 3, connectionTimeoutMillis: 5_000, query_timeout: 15_000, keepAlive: true };

/** `file:///var/x` and `file:/var/x` are absolute, `file:x` starts at the working directory. */
export function filePath(url: string): string {
  return url.startsWith('file:/') ? fileURLToPath(url) : resolve(url.slice('file:'.length));
}

/**
 * The connection to the database that `DATABASE_URL` names: SQLite in a file, or PostgreSQL. A database that is away at
 * the start is tried until it can be opened. While it is away, at the start or later, {@link run} throws.
 */
export class Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Path of the SQLite database's file; undefined for PostgreSQL. */
  readonly file: string | undefined;
  private readonly kysely: Kysely<Schema>;
  private readonly closing = new AbortController();
  /** The error because of which the database cannot be used yet. */
  private unavailable: StorageUnavailableError | undefined = new StorageUnavailableError('DATABASE_URL: not open yet');

  private constructor(url: string) {
    this.engine = url.startsWith('file:') ? 'sqlite' : 'postgres';
    this.file = this.engine === 'sqlite' ? filePath(url) : undefined;
    this.kysely = new Kysely({ dialect: this.file ? sqliteDialect(this.file) : postgresDialect(url) });
  }

  /**
   * Opens the database and runs the pending migrations.
   *
   * @param onUnavailable lets a long-lived process retry, and is called with each error; without it the error is thrown
   * @throws SettingsError when only an operator can mend it: a database of a newer version, or commits that are not
   * durable
   * @throws StorageUnavailableError without `onUnavailable`
   */
  static async open(url: string, onUnavailable?: (error: StorageUnavailableError) => void): Promise<Database> {
    const database = new Database(url);
    try {
      await database.prepare();
    } catch (error) {
      if (!(error instanceof StorageUnavailableError) || !onUnavailable) {
        await database.close();
        throw error;
      }
      onUnavailable(error);
      void database.prepareUntilDone(onUnavailable);
    }
    return database;
  }

  /** The time by the database's clock, in milliseconds since the epoch. Several machines agree on it. */
  get now(): RawBuilder<number> {
    return this.engine === 'sqlite'
      ? sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
      : sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`;
  }

  /** The time by the database's clock so many milliseconds from now. */
  fromNow(ms: number): RawBuilder<number> {
    return sql<number>`${this.now} + ${ms}`;
  }

  /** @throws StorageUnavailableError when the database is away, full, locked or damaged; any other error is a bug */
  async run<T>(work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T> {
    if (this.unavailable) throw this.unavailable;
    try {
      return await work(this.kysely);
    } catch (error) {
      throw asStorageError(error, 'DATABASE_URL');
    }
  }

  /** Checks that the database can be written, without writing: it takes the write lock and releases it. */
  async check(): Promise<void> {
    await this.run((kysely) => kysely.transaction().execute((transaction) => sql`SELECT 1`.execute(transaction)));
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.unavailable = new StorageUnavailableError('DATABASE_URL: closed');
    await this.kysely.destroy();
  }

  private async prepare(): Promise<void> {
    try {
      if (this.file) await createPrivateFile(this.file);
      else await refuseLossyCommits(this.kysely);
      await migrate(this.kysely);
      this.unavailable = undefined;
    } catch (error) {
      this.unavailable = asUnavailable(error);
      throw asStorageError(error, 'DATABASE_URL');
    }
  }

  private async prepareUntilDone(onUnavailable: (error: StorageUnavailableError) => void): Promise<void> {
    while (this.unavailable && !this.closing.signal.aborted) {
      await pause(RETRY_MS, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
      if (this.closing.signal.aborted) return;
      await this.prepare().catch((error: unknown) => onUnavailable(asUnavailable(error)));
    }
  }
}

/** SQLite would create a file that others can read. Its log files get the mode of this file. */
async function createPrivateFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await (await open(path, 'a', 0o600)).close();
}

function asUnavailable(error: unknown): StorageUnavailableError {
  const known = asStorageError(error, 'DATABASE_URL');
  if (known instanceof StorageUnavailableError) return known;
  return new StorageUnavailableError((error as Error).message, { cause: error });
}

function postgresDialect(connectionString: string): PostgresDialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString, types, ...POOL });
  // The pool replaces a connection that breaks while idle; a statement that meets a broken one reports the error.
  pool.on('error', () => undefined);
  // One that breaks between two statements of a transaction is nobody's yet, and its event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new PostgresDialect({ pool });
}

async function migrate(kysely: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) {
    throw new SettingsError(['DATABASE_URL names a database that a newer version of this service has changed']);
  }
  if (error) throw error;
}

/** @throws SettingsError for a server that confirms commits before it has written them */
async function refuseLossyCommits(kysely: Kysely<Schema>): Promise<void> {
  const settings = ['synchronous_commit', 'fsync'] as const;
  for (const name of settings) {
    const { rows } = await sql<{ value: string }>`SELECT current_setting(${name}) AS value`.execute(kysely);
    if (rows[0]?.value === 'off')
      throw new SettingsError([`DATABASE_URL names a server with ${name}=off: it forgets what it confirmed`]);
  }
}
