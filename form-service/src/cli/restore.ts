import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { sql, type Transaction } from 'kysely';
import { MIGRATIONS, type Database } from '../database/database.ts';
import type { FollowUpsTable, Schema, SubmissionRow } from '../database/schema.ts';
import { installationId } from '../submissions/installation.service.ts';
import { isResumeKey } from '../submissions/resume-files.ts';
import { checkedArchive, membersOf, readLines, RESUMES, tableOf, type Manifest, type Member } from './archive.ts';
import type { Operation } from './queries.ts';
import { EXIT, OperatorError } from './terminal.ts';

interface RestoreOptions {
  /** A file, in place of standard input. */
  readonly in?: string;
  /** In the place of what is there; what is known as erased there stays erased. */
  readonly replace?: boolean;
}

/** `restore`: fills an empty database and an empty folder or bucket from an archive, while nothing else uses them. */
export async function restore(operation: Operation, options: RestoreOptions): Promise<void> {
  const { database, files, stdin, terminal } = operation;
  await lockExclusively(database);
  if (options.in) return restoreFrom(operation, options.in, options);
  // It is read twice, first to check it.
  const path = await files.createUploadPath();
  try {
    terminal.progress('Reading the archive');
    await pipeline(stdin, createWriteStream(path));
    await restoreFrom(operation, path, options);
  } finally {
    await files.discard(path);
  }
}

async function restoreFrom(operation: Operation, path: string, { replace }: RestoreOptions): Promise<void> {
  const { database, files, terminal } = operation;
  terminal.progress('Checking the archive');
  const { manifest, erasures } = await checkedArchive(createReadStream(path));
  refuseForeign(manifest);
  const present = new Set<string>();
  for await (const { key } of files.list()) present.add(key);
  if (replace) erasures.push(...(await database.run((db) => db.selectFrom('erasures').selectAll().execute())));
  else await refuseUnlessEmpty(database, [...present], manifest);
  const erasedAt = new Map(erasures.map((erasure) => [erasure.id, erasure.erasedAt]));
  /** The résumés of the submissions that are restored, with their references. */
  const wanted = new Map<string, string>();
  /** The last page of submissions, which their follow-ups come after. */
  let page: ReadonlySet<string> = new Set();
  let [count, fileCount] = [0, 0];

  const rowsOf = (table: keyof Schema, member: Member): readonly object[] => {
    if (table === 'followUps')
      return readLines<FollowUpsTable>(member).filter(({ submissionId }) => page.has(submissionId));
    if (table !== 'submissions') return readLines<object>(member);
    const all = readLines<SubmissionRow>(member);
    const rows = all.filter(({ id, receivedAt }) => (erasedAt.get(id) ?? -1) < receivedAt);
    page = new Set(rows.map(({ id }) => id));
    for (const { id, resume } of rows) if (resume) wanted.set(resume.key, id);
    count += rows.length;
    return rows;
  };

  await database.run((db) =>
    db.transaction().execute(async (transaction) => {
      for (const table of ['submissions', 'properties'] as const) await transaction.deleteFrom(table).execute();
      for await (const member of membersOf(createReadStream(path))) {
        const table = tableOf(member);
        const key = member.name.slice(RESUMES.length);
        if (table) await insertRows(transaction, table, rowsOf(table, member));
        else if (wanted.delete(key)) {
          if (!present.has(key)) await storeFile(operation, key, member);
          fileCount += 1;
        }
        terminal.progress(`${count} submissions, ${fileCount} files`);
      }
    }),
  );
  await files.mark(await installationId(database));
  for (const key of present) if (!manifest.members[RESUMES + key]) await files.remove(key);
  terminal.note(`Restored: ${count} submissions, ${fileCount} files.`);
  for (const id of wanted.values()) terminal.note(`The résumé of ${id} is missing.`);
}

function refuse(why: string): never {
  throw new OperatorError(`${why} Nothing was changed.`, EXIT.failure);
}

function refuseForeign({ migration, members }: Manifest): void {
  if (!(migration in MIGRATIONS)) refuse('The archive is of a newer version of this service.');
  const keys = Object.keys(members).filter((name) => name.startsWith(RESUMES));
  if (!keys.every((name) => isResumeKey(name.slice(RESUMES.length)))) refuse('This is no archive of submissions.');
}

/** Files of this very archive may be there: a restore that was interrupted left them, and can be repeated. */
async function refuseUnlessEmpty(database: Database, keys: string[], { members }: Manifest): Promise<void> {
  const held = await database.run((db) => db.selectFrom('submissions').select('id').limit(1).executeTakeFirst());
  if (held) refuse('DATABASE_URL names a database that is not empty: add --replace to put the archive in its place.');
  if (!keys.every((key) => members[RESUMES + key]))
    refuse('RESUMES_URL names a place that is not empty: add --replace to put the archive in its place.');
}

async function storeFile({ files }: Operation, key: string, { content }: Member): Promise<void> {
  const upload = await files.createUploadPath();
  try {
    await writeFile(upload, content);
    await files.store(upload, key);
  } finally {
    await files.discard(upload);
  }
}

/** What is there already stays: some erasures may be known on both sides. */
async function insertRows(
  transaction: Transaction<Schema>,
  table: keyof Schema,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const text = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  const values = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, text(value)])),
  );
  const insert = transaction.insertInto(table).values(values as never[]);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

/** @throws OperatorError when anything else uses the database; SQLite's nobody can open until the command ends */
async function lockExclusively(database: Database): Promise<void> {
  const busy = new OperatorError(
    'The database is in use: stop the api, the worker and other commands first.',
    EXIT.busy,
  );
  if (database.engine === 'postgres') {
    const { rows } = await database.run((db) =>
      sql<{ others: number }>`SELECT count(*) AS others FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`.execute(db),
    );
    if ((rows[0]?.others ?? 0) > 0) throw busy;
    return;
  }
  await database.run((db) => sql`PRAGMA locking_mode = EXCLUSIVE`.execute(db));
  await database
    .run((db) => sql`PRAGMA journal_mode = DELETE`.execute(db))
    .catch((error: Error) => {
      throw error.message.includes('SQLITE_BUSY') ? busy : error;
    });
}
