import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql, type Transaction } from 'kysely';
import { MIGRATIONS, type Database } from '../database/database.ts';
import {
  type ErasuresTable,
  type NotificationsTable,
  type SubmissionFile,
  type Schema,
  type SubmissionRow,
} from '../database/schema.ts';
import { installationId } from '../submissions/installation.service.ts';
import { DamagedStoredFileError, isMissing, isFileKey, submissionIdOf } from '../files/file-storage.ts';
import {
  checkedArchive,
  digestOf,
  membersOf,
  readLines,
  RESUMES,
  tableOf,
  type Manifest,
  type Member,
} from './archive.ts';
import { exclusively } from './exclusive.ts';
import { withStorage, type Register, type Storage } from './storage.ts';
import { EXIT, OperatorError } from './terminal.ts';

/** Tables whose rows the archive replaces. Notifications are deleted with their submissions (cascade). */
const REPLACED = ['submissions', 'properties', 'digests', 'lastRuns'] as const;

export const registerRestore: Register = (program, context) =>
  program
    .command('restore')
    .description(
      'fill an empty database and an empty folder or bucket from an archive on standard input; stop api and worker first',
    )
    .option('--in <file>', 'read a file')
    .option('--replace', 'replace existing submissions and files; erased submissions stay erased')
    .action(withStorage(context, restore));

function restore(storage: Storage, { in: from, replace }: { in?: string; replace?: true }): Promise<void> {
  return exclusively(storage.database, async () => {
    if (from) return restoreFrom(storage, from, replace);
    const { files, stdin, terminal } = storage;
    // The archive is read twice, first only to check it, so standard input is copied to a file.
    const path = await files.createUploadPath();
    try {
      terminal.progress('Reading the archive');
      await pipeline(stdin, createWriteStream(path));
      await restoreFrom(storage, path, replace);
    } finally {
      await files.discard(path);
    }
  });
}

async function restoreFrom(storage: Storage, path: string, replace = false): Promise<void> {
  const { database, files, terminal } = storage;
  const { manifest, erasures } = await checkedArchive(createReadStream(path), () =>
    terminal.progress('Checking the archive'),
  );
  refuseForeign(manifest);
  const present = new Set<string>();
  for await (const { key } of files.list()) present.add(key);
  if (replace) erasures.push(...(await database.run((db) => db.selectFrom('erasures').selectAll().execute())));
  else await refuseUnlessEmpty(storage, [...present], manifest);
  const erasedAt = latestErasures(erasures);
  /** Résumés of restored submissions that are not found yet, by file key. */
  const missing = new Map<string, SubmissionFile>();
  /** Keys of files that the archive has damaged. */
  const damaged = new Set<string>();
  const isStored = async (resume: SubmissionFile) => present.has(resume.key) && isIntact(storage, resume);
  let [count, fileCount] = [0, 0];
  const found = () => `${count} submissions, ${fileCount - missing.size} files`;

  await database.run((db) =>
    db.transaction().execute(async (transaction) => {
      // An api that has no connection at this moment waits for this lock when it reconnects.
      if (database.engine === 'postgres')
        await sql`LOCK TABLE submissions, notifications, erasures, properties, digests, last_runs`.execute(transaction);
      for (const table of REPLACED) await transaction.deleteFrom(table).execute();
      for await (const { name, content, table, rows } of partsOf(createReadStream(path), erasedAt)) {
        if (table) await insertRows(database, transaction, table, rows);
        if (table === 'submissions') {
          for (const { resume } of rows) if (resume) missing.set(resume.key, resume);
          count += rows.length;
          fileCount += rows.filter(({ resume }) => resume).length;
        }
        const resume = missing.get(name.slice(RESUMES.length));
        if (resume && ((await isStored(resume)) || (await storeFile(storage, resume, content))))
          missing.delete(resume.key);
        else if (resume) damaged.add(resume.key);
        terminal.progress(found());
      }
    }),
  );
  // The storage can have a file that the archive lacks, or has damaged.
  for (const resume of missing.values()) if (await isStored(resume)) missing.delete(resume.key);
  await files.mark(await installationId(database));
  await removeUnnamed(storage, [...present]);
  terminal.note(`Restored: ${found()}.`);
  for (const key of missing.keys()) {
    const fault = damaged.has(key) || present.has(key) ? 'damaged' : 'missing';
    terminal.note(`The résumé of ${submissionIdOf(key)} is ${fault}.`);
  }
}

interface Part extends Member {
  readonly table: keyof Schema | undefined;
  readonly rows: readonly SubmissionRow[];
}

/** Reads the members of an archive, with their rows except those of erased submissions. */
async function* partsOf(archive: Readable, erasedAt: ReadonlyMap<string, number>): AsyncGenerator<Part> {
  /** Ids of the latest page of submissions. A page of its notifications follows it. */
  let page: ReadonlySet<string> = new Set();
  for await (const member of membersOf(archive)) {
    const table = tableOf(member);
    let rows = table ? readLines<SubmissionRow & NotificationsTable>(member) : [];
    if (table === 'submissions') {
      rows = rows.filter(({ id, receivedAt }) => (erasedAt.get(id) ?? -1) < receivedAt);
      page = new Set(rows.map(({ id }) => id));
    }
    if (table === 'notifications') rows = rows.filter(({ submissionId }) => page.has(submissionId));
    yield { ...member, table, rows };
  }
}

/** Returns the time of each submission's latest erasure. A submission that came again can be erased again. */
function latestErasures(erasures: readonly ErasuresTable[]): ReadonlyMap<string, number> {
  return new Map(
    erasures.toSorted((one, other) => one.erasedAt - other.erasedAt).map(({ id, erasedAt }) => [id, erasedAt]),
  );
}

/** Removes files that no submission in the database names. */
async function removeUnnamed({ files, search }: Storage, keys: readonly string[]): Promise<void> {
  const named = await search.fileKeys(keys.map(submissionIdOf));
  for (const key of keys) if (!named.has(key)) await files.remove(key);
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

/** Whether the storage has a file as it arrived. */
async function isIntact({ files }: Storage, resume: SubmissionFile): Promise<boolean> {
  try {
    await files.check(resume);
    return true;
  } catch (error) {
    if (error instanceof DamagedStoredFileError || isMissing(error)) return false;
    throw error;
  }
}

/** Stores a file of an archive. Returns false if it is not as it arrived. */
async function storeFile({ files }: Storage, { key, size, sha256 }: SubmissionFile, content: Buffer): Promise<boolean> {
  if (!isDeepStrictEqual(digestOf(content), { size, sha256 })) return false;
  const upload = await files.createUploadPath();
  try {
    await writeFile(upload, content);
    await files.store(upload, key);
    return true;
  } finally {
    await files.discard(upload);
  }
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
