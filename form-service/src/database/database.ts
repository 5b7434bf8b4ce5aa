import { mkdir, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, sql, type RawBuilder } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration';
import { SettingsError } from '../settings/settings.ts';
import * as baseline from './migrations/0001-baseline.ts';
import { acquireMigrationLock, postgresDialect } from './postgres.dialect.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite.dialect.ts';
import { asStorageError, StorageUnavailableError, withStorageErrors } from './storage-unavailable.error.ts';

/** Free disk space that VACUUM leaves for new submissions. */
const VACUUM_SPARE_BYTES = 64 * 1024 * 1024;

/** Maximum wait for another process that runs a checkpoint, and the pause between two tries. */
const CHECKPOINT_WAIT_MS = 10_000;
const CHECKPOINT_RETRY_MS = 50;

/** Columns with JSON. Text in other columns is not parsed, even if it looks like JSON. */
const JSON_COLUMN = /^\$\[\d+\]\."(?:fields|resume|reasons)"$/;

/** All migrations, in the order of their names. A released migration is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = { '0001-baseline': baseline };

/** `file:///var/x` and `file:/var/x` are absolute, `file:x` starts at the working directory. */
export function filePath(url: string): string {
  return url.startsWith('file:/') ? fileURLToPath(url) : resolve(url.slice('file:'.length));
}

/**
 * Connection to the database that `DATABASE_URL` names: SQLite in a file, or PostgreSQL. If the database cannot be opened
 * at start, each use tries again; until then {@link run} throws.
 */
export class Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Path of the SQLite file; undefined for PostgreSQL. */
  readonly file: string | undefined;
  /** Number of rows that one statement of a long read or a clean-up takes. */
  pageRows = 500;
  private readonly kysely: Kysely<Schema>;
  private prepared: Promise<void> | undefined;
  /** Reason why this process must not use the database. */
  private refusal: StorageUnavailableError | undefined;

  private constructor(url: string) {
    this.engine = url.startsWith('file:') ? 'sqlite' : 'postgres';
    this.file = this.engine === 'sqlite' ? filePath(url) : undefined;
    // VACUUM writes a copy of the database, for which /tmp may be too small. SQLite reads this variable once, before the
    // first database is opened.
    if (this.file) process.env.SQLITE_TMPDIR ??= dirname(this.file);
    const shouldParse = (_value: string, path: string) => JSON_COLUMN.test(path);
    this.kysely = new Kysely({
      dialect: this.file ? sqliteDialect(this.file) : postgresDialect(url),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true }), new ParseJSONResultsPlugin({ shouldParse })],
    });
  }

  /**
   * Opens the database and runs the pending migrations.
   *
   * @param onUnavailable lets a process start without its database, and receives the error, which is thrown otherwise.
   * @throws SettingsError if only an operator can fix it: a database of a newer version, or commits that are not durable.
   * @throws StorageUnavailableError without `onUnavailable`.
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

  /** Time of the database's clock in milliseconds since the epoch, which is the same for all machines. */
  get now(): RawBuilder<number> {
    return this.engine === 'sqlite'
      ? sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
      : sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`;
  }

  /** Time of the database's clock a number of milliseconds from now. */
  fromNow(ms: number): RawBuilder<number> {
    return sql<number>`${this.now} + ${ms}`;
  }

  /**
   * Whether the time in a column has passed or is NULL: the rule of leases and pauses. A time beyond `maxMs` was
   * written by a clock that has jumped since, and counts as passed.
   *
   * @param maxMs longest lease or pause.
   */
  isOver(column: string, maxMs: number): RawBuilder<boolean> {
    const time = sql.ref(column);
    return sql<boolean>`(${time} IS NULL OR ${time} <= ${this.now} OR ${time} > ${this.fromNow(maxMs)})`;
  }

  /** @throws StorageUnavailableError if the database is unavailable, full, locked or damaged; other errors are bugs */
  async run<T>(work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T> {
    if (this.refusal) throw this.refusal;
    return withStorageErrors('DATABASE_URL', async () => {
      await this.prepare();
      return work(this.kysely);
    });
  }

  /** Runs one statement and returns its rows. */
  async rows<Row>(statement: RawBuilder<unknown>): Promise<Row[]> {
    const { rows } = await this.run((kysely) => statement.execute(kysely));
    return rows as Row[];
  }

  /** Runs one statement and returns the column `id` of its rows. */
  async ids(statement: RawBuilder<unknown>): Promise<string[]> {
    const rows = await this.rows<{ id: string }>(statement);
    return rows.map(({ id }) => id);
  }

  /** Splits values into pages, each for one statement. */
  pagesOf<T>(values: readonly T[]): T[][] {
    const size = this.pageRows;
    return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size));
  }

  /** Reads page by page, at least one (keyset pagination). @param read returns the page that follows a row */
  async *readPages<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
    for (let page: Row[] | undefined; page === undefined || page.length === this.pageRows;) {
      page = await read(page?.at(-1));
      yield page;
    }
  }

  /** Table function that returns the elements of a JSON array as rows with a column `value`. */
  get jsonElements(): RawBuilder<unknown> {
    return sql.raw(this.engine === 'sqlite' ? 'json_each' : 'json_array_elements');
  }

  /**
   * Checks that the database can be written. SQLite opens a file without write permission and begins transactions on it;
   * only a write fails, so this one is rolled back. PostgreSQL locks a row, which it also rejects where it rejects writes.
   * A row that another process has locked is skipped.
   */
  async check(): Promise<void> {
    if (this.engine === 'postgres') {
      await this.rows(sql`SELECT name FROM properties WHERE name = 'installation' FOR UPDATE SKIP LOCKED`);
      return;
    }
    await this.run(async (kysely) => {
      const transaction = await kysely.startTransaction().execute();
      try {
        await sql`UPDATE properties SET value = value WHERE name = 'installation'`.execute(transaction);
      } finally {
        await transaction.rollback().execute();
      }
    });
  }

  /**
   * Rewrites the SQLite file (VACUUM) and empties its log, so that no copy of deleted rows remains. `secure_delete`
   * overwrites deleted rows, but not the copies that a page keeps after a split. PostgreSQL has its own VACUUM.
   *
   * Writers wait about a second for ten thousand submissions. The log is also emptied first, because VACUUM would be
   * useless while a reader holds it.
   *
   * @returns why copies may remain; undefined if none remain
   */
  async removeCopies(): Promise<string | undefined> {
    if (!this.file) return undefined;
    try {
      if (!(await this.emptyLog())) return 'another process reads the database';
      const { size } = await stat(this.file);
      const { bavail, bsize } = await statfs(dirname(this.file));
      const needed = 2 * size + VACUUM_SPARE_BYTES;
      if (bavail * bsize < needed) return `VACUUM needs ${Math.ceil(needed / 2 ** 20)} MiB of free disk space`;
      await this.run((kysely) => sql`VACUUM`.execute(kysely));
      return (await this.emptyLog()) ? undefined : 'another process reads the database';
    } catch (error) {
      if (error instanceof StorageUnavailableError) return error.message;
      throw error;
    }
  }

  /** Makes every further use throw this reason. */
  refuse(reason: StorageUnavailableError): void {
    this.refusal = reason;
  }

  async close(): Promise<void> {
    this.refuse(new StorageUnavailableError('DATABASE_URL: closed'));
    await this.kysely.destroy();
  }

  /**
   * Copies the log into the database file and truncates it (checkpoint). Retries while another process does the same.
   *
   * @returns false if a reader still needs the log
   */
  private async emptyLog(): Promise<boolean> {
    const checkpoint = sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`;
    for (const deadline = performance.now() + CHECKPOINT_WAIT_MS; ; await pause(CHECKPOINT_RETRY_MS)) {
      const { rows } = await this.run((kysely) => checkpoint.execute(kysely));
      if (!rows[0]?.busy) return true;
      if (performance.now() > deadline) return false;
    }
  }

  /** Opens the database once. After a failure the next use tries again. */
  private prepare(): Promise<void> {
    const preparing = async () => {
      if (this.file) await mkdir(dirname(this.file), { recursive: true });
      if (this.file) return migrate(this.kysely);
      return this.kysely.transaction().execute(async (transaction) => {
        await acquireMigrationLock(transaction);
        await migrate(transaction);
      });
    };
    this.prepared ??= preparing().catch((error: unknown) => {
      this.prepared = undefined;
      throw error;
    });
    return this.prepared;
  }
}

function migratorOf(kysely: Kysely<Schema>): Migrator {
  return new Migrator({ db: kysely, provider: { getMigrations: async () => MIGRATIONS } });
}

async function migrate(kysely: Kysely<Schema>): Promise<void> {
  await refuseNewer(kysely);
  const { error } = await migratorOf(kysely).migrateToLatest();
  if (error) throw error;
}

/** @throws SettingsError if a newer version has changed the database */
async function refuseNewer(kysely: Kysely<Schema>): Promise<void> {
  const migrations = await migratorOf(kysely).getMigrations();
  if (migrations.every(({ executedAt }) => !executedAt)) return;
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(kysely);
  if (rows.every(({ name }) => name in MIGRATIONS)) return;
  throw new SettingsError(['DATABASE_URL names a database that a newer version of this service has changed']);
}
