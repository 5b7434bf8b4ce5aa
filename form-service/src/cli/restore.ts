import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql, type Transaction } from 'kysely';
import { MIGRATIONS, type Database } from '../database/database.ts';
import { moveStateFromProperties } from '../database/migrations/0003-inbox-and-erasures.ts';
import { addSearchTexts } from '../database/migrations/0006-search-texts.ts';
import {
  NOTIFICATIONS,
  type ErasuresTable,
  type NotificationsTable,
  type ResumeFile,
  type Schema,
  type SubmissionRow,
} from '../database/schema.ts';
import { installationId } from '../submissions/installation.service.ts';
import { DamagedResumeError, isMissing, isResumeKey, submissionIdOf } from '../submissions/resume-files.ts';
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
import type { Operation } from './queries.ts';
import { EXIT, OperatorError } from './terminal.ts';

/** Tables whose rows the archive replaces. Notifications are deleted with their submissions (cascade). */
const REPLACED = ['submissions', 'properties', 'digests', 'lastRuns'] as const;

interface RestoreOptions {
  /** Path of the archive; by default standard input. */
  readonly in?: string;
  /** Whether to replace existing submissions. Those in its table of erasures stay erased. */
  readonly replace?: boolean;
}

/** `restore`: fills an empty database and an empty folder or bucket from an archive, with exclusive access. */
export function restore(operation: Operation, options: RestoreOptions): Promise<void> {
  return exclusively(operation.database, async () => {
    if (options.in) return restoreFrom(operation, options.in, options);
    const { files, stdin, terminal } = operation;
    // The archive is read twice, first only to check it, so standard input is copied to a file.
    const path = await files.createUploadPath();
    try {
      terminal.progress('Reading the archive');
      await pipeline(stdin, createWriteStream(path));
      await restoreFrom(operation, path, options);
    } finally {
      await files.discard(path);
    }
  });
}

async function restoreFrom(operation: Operation, path: string, { replace }: RestoreOptions): Promise<void> {
  const { database, files, terminal } = operation;
  terminal.progress('Checking the archive');
  const { manifest, erasures } = await checkedArchive(createReadStream(path));
  refuseForeign(manifest);
  const present = new Set<string>();
  for await (const { key } of files.list()) present.add(key);
  if (replace) erasures.push(...(await database.run((db) => db.selectFrom('erasures').selectAll().execute())));
  else await refuseUnlessEmpty(operation, [...present], manifest);
  const erasedAt = latestErasures(erasures);
  /** Résumés of restored submissions that are not found yet, by file key. */
  const missing = new Map<string, ResumeFile>();
  /** Keys of files that the archive has damaged. */
  const damaged = new Set<string>();
  const isStored = async (resume: ResumeFile) => present.has(resume.key) && isIntact(operation, resume);
  let [count, fileCount] = [0, 0];

  await database.run((db) =>
    db.transaction().execute(async (transaction) => {
      // An api that has no connection at this moment waits for this lock when it reconnects.
      if (database.engine === 'postgres')
        await sql`LOCK TABLE submissions, ${sql.table(NOTIFICATIONS)}, erasures, properties, digests, last_runs`.execute(
          transaction,
        );
      for (const table of REPLACED) await transaction.deleteFrom(table).execute();
      for await (const part of partsOf(membersOf(createReadStream(path)), erasedAt)) {
        if (part.table) await insertRows(database, transaction, part.table, part.rows);
        if (part.table === 'submissions') {
          for (const { resume } of part.rows) if (resume) missing.set(resume.key, resume);
          count += part.rows.length;
        }
        const resume = part.key === undefined ? undefined : missing.get(part.key);
        if (part.key !== undefined && resume) {
          if (await isStored(resume)) missing.delete(part.key);
          else if (isContentOf(resume, part.content)) {
            await storeFile(operation, part.key, part.content);
            missing.delete(part.key);
          } else damaged.add(part.key);
          fileCount += Number(!missing.has(part.key));
        }
        terminal.progress(`${count} submissions, ${fileCount} files`);
      }
      // Archives of version 0.3 have digests, backups and acknowledgements in `properties`.
      await moveStateFromProperties(transaction as Transaction<unknown>);
      // Those of version 0.4 have rows of 0.3 without search text, if nobody has searched since.
      await addSearchTexts(transaction as Transaction<unknown>);
    }),
  );
  // The storage can have a file that the archive lacks, or has damaged.
  for (const resume of missing.values()) if (await isStored(resume)) fileCount += Number(missing.delete(resume.key));
  await files.mark(await installationId(database));
  await removeUnnamed(operation, [...present]);
  terminal.note(`Restored: ${count} submissions, ${fileCount} files.`);
  for (const key of missing.keys()) {
    const fault = damaged.has(key) || present.has(key) ? 'damaged' : 'missing';
    terminal.note(`The résumé of ${submissionIdOf(key)} is ${fault}.`);
  }
}

/** A part of an archive: rows of a table, or a résumé. */
type Part = { readonly key?: undefined } & (
  | { readonly table: 'submissions'; readonly rows: readonly SubmissionRow[] }
  | { readonly table: Exclude<keyof Schema, 'submissions'>; readonly rows: readonly object[] }
);
interface ResumePart {
  readonly table?: undefined;
  readonly key: string;
  readonly content: Buffer;
}

/** Reads the parts of an archive without erased submissions. */
async function* partsOf(
  members: AsyncIterable<Member>,
  erasedAt: ReadonlyMap<string, number>,
): AsyncGenerator<Part | ResumePart> {
  /** Ids of the latest page of submissions. A page of its notifications follows it. */
  let page: ReadonlySet<string> = new Set();
  for await (const member of members) {
    const table = tableOf(member);
    if (table === 'submissions') {
      const all = readLines<SubmissionRow>(member);
      const rows = all.filter(({ id, receivedAt }) => (erasedAt.get(id) ?? -1) < receivedAt);
      page = new Set(rows.map(({ id }) => id));
      yield { table, rows };
    } else if (table === NOTIFICATIONS) {
      const all = readLines<NotificationsTable>(member);
      yield { table, rows: all.filter(({ submissionId }) => page.has(submissionId)) };
    } else if (table) yield { table, rows: readLines<object>(member) };
    else yield { key: member.name.slice(RESUMES.length), content: member.content };
  }
}

/** Returns the time of each submission's latest erasure. A submission that came again can be erased again. */
function latestErasures(erasures: readonly ErasuresTable[]): ReadonlyMap<string, number> {
  return new Map(
    erasures.toSorted((one, other) => one.erasedAt - other.erasedAt).map(({ id, erasedAt }) => [id, erasedAt]),
  );
}

/** Removes files that no submission in the database names. */
async function removeUnnamed({ files, search }: Operation, keys: readonly string[]): Promise<void> {
  const named = await search.resumeKeys(keys.map(submissionIdOf));
  for (const key of keys) if (!named.has(key)) await files.remove(key);
}

function refuse(why: string): never {
  throw new OperatorError(`${why} Nothing was changed.`, EXIT.failure);
}

function refuseForeign({ migration, members }: Manifest): void {
  if (!(migration in MIGRATIONS)) refuse('The archive is from a newer version. Restore it with that version.');
  const keys = Object.keys(members).filter((name) => name.startsWith(RESUMES));
  if (!keys.every((name) => isResumeKey(name.slice(RESUMES.length))))
    refuse('The file is not an archive of submissions. Use an output of submissions backup.');
}

/** Rejects a database or storage that is not empty. Files of this archive are allowed, so that a restore can be repeated. */
async function refuseUnlessEmpty({ search }: Operation, keys: string[], { members }: Manifest): Promise<void> {
  if (await search.oldestAt())
    refuse('The database in DATABASE_URL is not empty. Add --replace to replace its content.');
  if (!keys.every((key) => members[RESUMES + key]))
    refuse('The storage in RESUMES_URL is not empty. Add --replace to replace its content.');
}

/** Whether a file of an archive is the one that arrived. An archive of version 0.4 can have a damaged file. */
function isContentOf({ size, sha256 }: ResumeFile, content: Buffer): boolean {
  return isDeepStrictEqual(digestOf(content), { size, sha256 });
}

/** Whether the storage has a file as it arrived. */
async function isIntact({ files }: Operation, resume: ResumeFile): Promise<boolean> {
  try {
    await files.check(resume);
    return true;
  } catch (error) {
    if (error instanceof DamagedResumeError || isMissing(error)) return false;
    throw error;
  }
}

async function storeFile({ files }: Operation, key: string, content: Buffer): Promise<void> {
  const upload = await files.createUploadPath();
  try {
    await writeFile(upload, content);
    await files.store(upload, key);
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
