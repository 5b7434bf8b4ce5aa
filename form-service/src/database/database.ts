import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect, sql, type RawBuilder } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import pg from 'pg';
import { SettingsError } from '../config/settings.ts';
import * as submissions from './migrations/0001-submissions.ts';
import * as historyAndFollowUps from './migrations/0002-history-and-follow-ups.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite.dialect.ts';
import { asStorageError, StorageUnavailableError, withStorageErrors } from './storage-unavailable.error.ts';

/**
 * Connections that a process opens to PostgreSQL; three carry far more than one process can send. The server itself
 * ends a statement that takes too long, so what is reported as not stored is not stored later; the client gives up
 * later still, on a server that does not answer at all.
 */
const POOL = {
  max: 3,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  query_timeout: 15_000,
  keepAlive: true,
};

/** The columns that hold JSON. Any other text stays a text, whatever it looks like. */
const JSON_COLUMN = /^\$\[\d+\]\."(?:fields|resume|reasons)"$/;

/** All migrations, in the order of their names. A released one is never changed: the next one changes its result. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-submissions': submissions,
  '0002-history-and-follow-ups': historyAndFollowUps,
};

/** `file:///var/x` and `file:/var/x` are absolute, `file:x` starts at the working directory. */
export function filePath(url: string): string {
  return url.startsWith('file:/') ? fileURLToPath(url) : resolve(url.slice('file:'.length));
}

/**
 * The connection to the database that `DATABASE_URL` names: SQLite in a file, or PostgreSQL. A database that cannot be
 * opened at the start is opened by the first use that succeeds; until then {@link run} throws.
 */
export class Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Path of the SQLite database's file; undefined for PostgreSQL. */
  readonly file: string | undefined;
  private readonly kysely: Kysely<Schema>;
  private prepared: Promise<void> | undefined;
  /** The reason why this process must not use the database at all. */
  private refusal: StorageUnavailableError | undefined;

  private constructor(url: string) {
    this.engine = url.startsWith('file:') ? 'sqlite' : 'postgres';
    this.file = this.engine === 'sqlite' ? filePath(url) : undefined;
    const shouldParse = (_value: string, path: string) => JSON_COLUMN.test(path);
    this.kysely = new Kysely({
      dialect: this.file ? sqliteDialect(this.file) : postgresDialect(url),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true }), new ParseJSONResultsPlugin({ shouldParse })],
    });
  }

  /**
   * Opens the database and runs the pending migrations.
   *
   * @param onUnavailable lets a long-lived process start without its database, and is told why; without it the error is
   * thrown
   * @throws SettingsError when only an operator can mend it: a database of a newer version, or commits that are not
   * durable
   * @throws StorageUnavailableError without `onUnavailable`
   */
  static async open(url: string, onUnavailable?: (error: StorageUnavailableError) => void): Promise<Database> {
    const database = new Database(url);
    try {
      await database.prepare();
    } catch (error) {
      const known = error instanceof SettingsError ? error : asStorageError(error, 'DATABASE_URL');
      if (!(known instanceof StorageUnavailableError) || !onUnavailable) {
        await database.close();
        throw known;
      }
      onUnavailable(known);
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
    if (this.refusal) throw this.refusal;
    return withStorageErrors('DATABASE_URL', async () => {
      await this.prepare();
      return work(this.kysely);
    });
  }

  /** Checks that the database can be written, without writing: it takes SQLite's write lock and releases it. */
  async check(): Promise<void> {
    const readOnly = sql<{ value: boolean }>`
      SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS value`;
    await this.run((kysely) =>
      kysely.transaction().execute(async (transaction) => {
        if (this.engine === 'sqlite') return;
        const { rows } = await readOnly.execute(transaction);
        if (rows[0]?.value) throw new StorageUnavailableError('DATABASE_URL: the server is read-only');
      }),
    );
  }

  /**
   * Writes the file of SQLite anew and empties its log, so that no copy of what was deleted is left. `secure_delete`
   * overwrites what is deleted, but not the copies that stay in the gaps of a page when its rows are spread over others.
   * Others wait for it, a second for some ten thousand submissions.
   *
   * @returns false when a copy may be left, since somebody else reads, or there is no room
   */
  async removeCopies(): Promise<boolean> {
    if (!this.file) return true;
    // The new file is first written there, for which the temporary folder may be too small.
    process.env.SQLITE_TMPDIR ??= dirname(this.file);
    try {
      await this.run((kysely) => sql`VACUUM`.execute(kysely));
      const { rows } = await this.run((kysely) =>
        sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(kysely),
      );
      return !rows[0]?.busy;
    } catch (error) {
      if (error instanceof StorageUnavailableError) return false;
      throw error;
    }
  }

  /** From now on every use throws this reason. */
  refuse(reason: StorageUnavailableError): void {
    this.refusal = reason;
  }

  async close(): Promise<void> {
    this.refuse(new StorageUnavailableError('DATABASE_URL: closed'));
    await this.kysely.destroy();
  }

  /** Opens the database, once; a failure is forgotten, so that the next use tries again. */
  private prepare(): Promise<void> {
    const preparing = async () => {
      if (this.file) await mkdir(dirname(this.file), { recursive: true });
      else await refuseLossyCommits(this.kysely);
      await migrate(this.kysely);
    };
    this.prepared ??= preparing().catch((error: unknown) => {
      this.prepared = undefined;
      throw error;
    });
    return this.prepared;
  }
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
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => MIGRATIONS } });
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
