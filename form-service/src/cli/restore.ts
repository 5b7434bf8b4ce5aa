import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import { Database, MIGRATIONS } from '../database/database.ts';
import type { ErasuresTable, NotificationsTable, Schema, SubmissionRow } from '../database/schema.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { installationId } from '../submissions/installation.service.ts';
import { isFileKey, submissionIdOf } from '../files/file-storage.ts';
import { checkedArchive, membersOf, readLines, RESUMES, type Manifest } from './archive.ts';
import { withStorage, type Register, type Storage } from './storage.ts';
import { EXIT, OperatorError } from './terminal.ts';

/** Tables whose rows the archive replaces. Notifications are deleted with their submissions (cascade). */
const REPLACED = ['submissions', 'properties', 'digests', 'lastRuns'] as const;

export const registerRestore: Register = (program, context) =>
  program
    .command('restore')
    .description('fill an empty database and storage from an archive on standard input; stop api and worker first')
    .option('--replace', 'replace existing submissions and files; erased submissions stay erased')
    .action(withStorage(context, restore, (url) => Database.open(url)));

/** The archive is read twice, first only to check it, so standard input is copied to a file. */
async function restore(storage: Storage, { replace }: { replace?: true }): Promise<void> {
  const { database, files, stdin } = storage;
  await (database.engine === 'sqlite' ? lockFile(database) : database.run(refuseOtherClients));
  const path = await files.createUploadPath();
  try {
    await pipeline(stdin, createWriteStream(path));
    await restoreFrom(storage, path, replace);
  } finally {
    await files.discard(path);
  }
}

const inUse = () =>
  new OperatorError('The database is in use. Stop the api, the worker and other commands, then try again.', EXIT.busy);

/** Locks the SQLite file until the command closes the database. @throws OperatorError if another process uses it */
async function lockFile(database: Database): Promise<void> {
  try {
    await database.run((db) => sql`PRAGMA locking_mode = EXCLUSIVE`.execute(db));
    await database.run((db) => sql`PRAGMA journal_mode = DELETE`.execute(db));
  } catch (error) {
    throw error instanceof StorageUnavailableError && error.reason === 'SQLITE_BUSY' ? inUse() : error;
  }
}

/** @throws OperatorError if PostgreSQL has another client in this database. One that has just ended is seen for a moment */
async function refuseOtherClients(db: Kysely<Schema>): Promise<void> {
  for (let tries = 20; tries > 0; tries--) {
    const { rows } = await sql<{ others: number }>`SELECT count(*) AS others FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`.execute(db);
    if (rows[0]?.others === 0) return;
    await pause(100);
  }
  throw inUse();
}

/** Locks all tables of PostgreSQL until the end of the transaction. An api that starts meanwhile waits. */
async function lockTables(transaction: Transaction<Schema>): Promise<void> {
  await refuseOtherClients(transaction);
  // Storing a file can take longer than the limit between two statements.
  await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
  await sql`LOCK TABLE submissions, notifications, erasures, properties, digests, last_runs`.execute(transaction);
}

async function restoreFrom(storage: Storage, path: string, replace = false): Promise<void> {
  const { database, terminal, files } = storage;
  const { manifest, erasures } = await checkedArchive(createReadStream(path));
  refuseForeign(manifest);
  const present = new Set<string>();
  for await (const { key } of files.list()) present.add(key);
  if (replace) erasures.push(...(await database.run((db) => db.selectFrom('erasures').selectAll().execute())));
  else await refuseUnlessEmpty(storage, [...present], manifest);
  const erasedAt = latestErasures(erasures);
  /** Ids of restored submissions, and keys of their files. */
  const [ids, named] = [new Set<string>(), new Set<string>()];
  const isKept = (row: Row) =>
    row.submissionId ? ids.has(row.submissionId) : !row.receivedAt || (erasedAt.get(row.id) ?? -1) < row.receivedAt;
  await database.run((db) =>
    db.transaction().execute(async (transaction) => {
      if (database.engine === 'postgres') await lockTables(transaction);
      for (const table of REPLACED) await transaction.deleteFrom(table).execute();
      for await (const member of membersOf(createReadStream(path))) {
        const { name, content, table } = member;
        const rows = table ? readLines<Row>(member).filter(isKept) : [];
        if (table) await insertRows(database, transaction, table, rows);
        for (const { id, resume } of table === 'submissions' ? rows : []) {
          ids.add(id);
          if (resume) named.add(resume.key);
        }
        const key = name.slice(RESUMES.length);
        if (name.startsWith(RESUMES) && named.has(key)) {
          await files.write(key, content);
          present.add(key);
        }
      }
    }),
  );
  await files.mark(await installationId(database));
  // A crash before this leaves files without a submission, which retention removes.
  for (const key of present) if (!named.has(key)) await files.remove(key);
  const missing = [...named].filter((key) => !present.has(key));
  terminal.note(`Restored: ${ids.size} submissions, ${named.size - missing.length} files.`);
  for (const key of missing) terminal.note(`The file of ${submissionIdOf(key)} is missing.`);
}

/** Row of any table. Only submissions have a time of receipt and a file, and only notifications a submission. */
type Row = Pick<SubmissionRow, 'id'> &
  Partial<Pick<SubmissionRow, 'receivedAt' | 'resume'> & Pick<NotificationsTable, 'submissionId'>>;

/** Returns the time of each submission's latest erasure. A submission that came again can be erased again. */
function latestErasures(erasures: readonly ErasuresTable[]): ReadonlyMap<string, number> {
  return new Map(
    erasures.toSorted((one, other) => one.erasedAt - other.erasedAt).map(({ id, erasedAt }) => [id, erasedAt]),
  );
}

function refuse(why: string): never {
  throw new OperatorError(`${why} Nothing was changed.`, EXIT.failure);
}

function refuseForeign({ migration, members }: Manifest): void {
  if (!(migration in MIGRATIONS)) refuse('The archive is from another version. Restore it with that version.');
  const keys = Object.keys(members).filter((name) => name.startsWith(RESUMES));
  if (!keys.every((name) => isFileKey(name.slice(RESUMES.length))))
    refuse('The file is not an archive of submissions. Use an output of submissions backup.');
}

/** Rejects a database or storage that is not empty. Files of this archive are allowed, so that a restore can be repeated. */
async function refuseUnlessEmpty({ search }: Storage, keys: string[], { members }: Manifest): Promise<void> {
  if (await search.oldestAt())
    refuse('The database in DATABASE_URL is not empty. Add --replace to replace its content.');
  if (!keys.every((key) => members[RESUMES + key]))
    refuse('The storage in RESUMES_URL is not empty. Add --replace to replace its content.');
}

/** Inserts rows in pages, because databases limit the parameters of a statement. Keeps existing rows. */
async function insertRows(
  database: Database,
  transaction: Transaction<Schema>,
  table: keyof Schema,
  rows: readonly object[],
): Promise<void> {
  const text = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  const values = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, text(value)])),
  );
  for (const page of database.pagesOf(values)) {
    const insert = transaction.insertInto(table).values(page as never[]);
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
  }
}
