import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { Database, MIGRATIONS } from '../database/database.ts';
import { FolderResumeFiles } from '../submissions/resume-files.ts';
import { SUBMISSION_STATES } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import type { Operation } from './queries.ts';
import { EXIT, OperatorError } from './terminal.ts';

/** The archive's members: a copy of the database, and a folder with the files of résumés. */
const DATABASE = 'submissions.db';
const FILES = 'resumes';

/** The prefix of folders with copies of visitors' data. */
const COPY = 'copy-';

/** A copy that is older than this was left behind by a backup that was killed. */
const LEFT_OVER_MS = 86_400_000;

/** tar's exit code when files changed or went while it read them, which is usual for a folder in use. */
const CHANGED_MEANWHILE = 1;

/** `backup`: writes an archive of all submissions to standard output or to a new file, while everything runs. */
export async function backup({ database, files, terminal }: Operation, { out }: { out?: string }): Promise<void> {
  const folder = dirname(fileOf(database));
  terminal.refuseBytes(out);
  const to = out ? createWriteStream(out, { flags: 'wx', mode: 0o600, flush: true }) : terminal.stdout;
  if (out) await once(to, 'open');
  try {
    await inCopyFolder(folder, LEFT_OVER_MS, async (copy) => {
      await database.run((db) => sql`VACUUM INTO ${join(copy, DATABASE)}`.execute(db));
      // The files come after the database: each file that a row of the copy names was there before the row was.
      const root =
        files instanceof FolderResumeFiles && (await stat(files.root).catch(() => undefined)) ? files.root : undefined;
      const options = [
        '--warning=no-file-changed',
        '--warning=no-file-removed',
        '--exclude=./incoming',
        `--exclude=./${COPY}*`,
      ];
      const members = [
        '--directory',
        copy,
        DATABASE,
        ...(root ? [`--transform=s,^\\.,${FILES},`, '--directory', root, '.'] : []),
      ];
      const tar = spawn('tar', ['--create', '--gzip', ...options, ...members], { stdio: ['ignore', 'pipe', 'ignore'] });
      const [code] = await Promise.all([exitOf(tar), pipeline(tar.stdout, to, { end: false })]);
      if (code > CHANGED_MEANWHILE)
        throw new OperatorError(`tar could not read the submissions (exit code ${code}).`, EXIT.failure);
    });
    if (out) await finished(to.end());
  } catch (error) {
    if (out) await rm(out);
    throw error;
  }
  if (!(files instanceof FolderResumeFiles))
    terminal.note('The archive holds the database only: the files of résumés are in the bucket.');
}

/**
 * `restore`: fills an empty database from an archive, or with `--replace` one that has submissions. All rows change in
 * one transaction, so an interruption leaves either the old rows or the new ones.
 */
export async function restore(
  operation: Operation,
  stdin: Readable,
  options: { in?: string; replace?: boolean },
): Promise<void> {
  const { database, files, terminal } = operation;
  const file = fileOf(database);
  await lockExclusively(database);
  const [held] = await countByState(database);
  if (held && !options.replace)
    throw new OperatorError(`${file} is not empty. Add --replace to put the archive in its place.`, EXIT.failure);
  const root = files instanceof FolderResumeFiles ? files.root : dirname(file);
  await mkdir(root, { recursive: true, mode: 0o700 });
  // The database is locked, so every copy that is there was left behind.
  await inCopyFolder(root, 0, async (copy) => {
    const archive = join(copy, DATABASE);
    await unpack(options.in ? createReadStream(options.in) : stdin, copy);
    await checkArchive(database, archive);
    await prepareArchive(database, archive, (key) => moveFile(join(copy, FILES, key), join(root, key)));
    await promisify(execFile)('sync', ['--file-system', root]);
    await replaceRows(database, archive);
  });
  const counts = await countByState(database);
  terminal.note(`Restored: ${counts.map(({ state, count }) => `${count} ${state}`).join(', ') || 'no submissions'}.`);
  await noteMissingFiles(operation);
}

/**
 * Provides a folder for copies of visitors' data. It is removed when the command ends, unless the command is killed.
 */
async function inCopyFolder(parent: string, leftOverMs: number, work: (path: string) => Promise<void>): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(COPY) || Date.now() - (await stat(join(parent, name))).mtimeMs < leftOverMs) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
  const path = await mkdtemp(join(parent, COPY));
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    await work(path);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** @throws OperatorError for PostgreSQL */
function fileOf({ file }: Database): string {
  if (file) return file;
  throw new OperatorError(
    'Submissions are in PostgreSQL: keep copies with pg_dump (docs/operations.md).',
    EXIT.failure,
  );
}

/**
 * Takes the database for this command alone: leaving the write-ahead log needs that, and nobody can open the database
 * until the command ends.
 */
async function lockExclusively(database: Database): Promise<void> {
  await database.run((db) => sql`PRAGMA locking_mode = EXCLUSIVE`.execute(db));
  await database
    .run((db) => sql`PRAGMA journal_mode = DELETE`.execute(db))
    .catch((error: Error) => {
      if (!error.message.includes('SQLITE_BUSY')) throw error;
      throw new OperatorError('The database is in use: stop the api, the worker and other commands first.', EXIT.busy);
    });
}

/** @throws OperatorError for anything but a complete database of this version or an earlier one */
async function checkArchive(database: Database, archive: string): Promise<void> {
  const migrations = await database
    .run(async (db) => {
      await sql`ATTACH ${archive} AS archive`.execute(db);
      const { rows: found } = await sql<{ name: string }>`SELECT name FROM archive.kysely_migration`.execute(db);
      const { rows: faults } = await sql<{ integrityCheck: string }>`PRAGMA archive.integrity_check`.execute(db);
      await sql`DETACH archive`.execute(db);
      return faults[0]?.integrityCheck === 'ok' ? found : [];
    })
    .catch(() => []);
  if (migrations.length === 0) throw new OperatorError('This is no whole archive of submissions.', EXIT.failure);
  if (migrations.some(({ name }) => !(name in MIGRATIONS)))
    throw new OperatorError('The archive is of a newer version of this service.', EXIT.failure);
}

/** Migrates the archive's database, applies later erasures to it, and puts the files in place. */
async function prepareArchive(
  database: Database,
  archive: string,
  place: (key: string) => Promise<void>,
): Promise<void> {
  const erasures = await database.run((db) => db.selectFrom('erasures').selectAll().execute());
  const copy = await Database.open(`file:${archive}`);
  try {
    // The workers that held these leases when the backup was made are gone.
    await copy.run((db) => db.updateTable('submissions').set({ leaseToken: null, leaseUntil: null }).execute());
    const submissions = new SubmissionsRepository(copy);
    for (const time of new Set(erasures.map(({ erasedAt }) => erasedAt))) {
      await submissions.erase(
        erasures.filter(({ erasedAt }) => erasedAt === time).map(({ id }) => id),
        time,
      );
    }
    for await (const one of submissions.select({ states: SUBMISSION_STATES }))
      if (one.form === 'application') await place(one.resume.key);
  } finally {
    await copy.close();
  }
}

async function replaceRows(database: Database, archive: string): Promise<void> {
  await database.run(async (db) => {
    await sql`ATTACH ${archive} AS archive`.execute(db);
    await db.transaction().execute(async (transaction) => {
      await sql`DELETE FROM main.submissions`.execute(transaction);
      await sql`INSERT INTO main.submissions SELECT * FROM archive.submissions`.execute(transaction);
      await sql`INSERT OR IGNORE INTO main.erasures SELECT * FROM archive.erasures`.execute(transaction);
    });
    await sql`DETACH archive`.execute(db);
  });
}

function countByState(database: Database) {
  return database.run((db) =>
    db
      .selectFrom('submissions')
      .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute(),
  );
}

async function noteMissingFiles({ submissions, files, terminal }: Operation): Promise<void> {
  const present = new Set<string>();
  for await (const { key } of files.list()) present.add(key);
  for await (const one of submissions.select({ states: SUBMISSION_STATES })) {
    if (one.form === 'application' && !present.has(one.resume.key))
      terminal.note(`The résumé of ${one.id} is missing.`);
  }
}

/** A file that is missing in the archive may be in place already: a file never changes under its key. */
async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function unpack(from: Readable, folder: string): Promise<void> {
  const tar = spawn('tar', ['--extract', '--gzip', '--no-same-owner', '--directory', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // tar may close its input early; its exit code says why.
  const [code] = await Promise.all([exitOf(tar), pipeline(from, tar.stdin).catch(() => undefined)]);
  if (code !== 0) throw new OperatorError('This is no whole archive of submissions.', EXIT.failure);
}

async function exitOf(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 128;
}
