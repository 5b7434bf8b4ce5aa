import { buffer } from 'node:stream/consumers';
import { createTarPacker } from 'modern-tar';
import { MIGRATIONS } from '../database/database.ts';
import { noteArchive, noteBackup } from '../database/properties.ts';
import type { SubmissionFile } from '../database/schema.ts';
import { refuseUnmarkedFiles } from '../submissions/installation.service.ts';
import { DamagedStoredFileError, isMissing } from '../files/file-storage.ts';
import { digestOf, MANIFEST, RESUMES, SINGLE_TABLES, type Manifest } from './archive.ts';
import { withStorage, type Register, type Storage } from './storage.ts';
import { EXIT, OperatorError } from './terminal.ts';

export const registerBackup: Register = (program, context) =>
  program
    .command('backup')
    .description('write an archive of all submissions to standard output; the service keeps running')
    .option('--done', 'only record that the latest archive is stored elsewhere')
    .action(withStorage(context, backup));

/**
 * Writes an archive of all submissions to standard output, while the service runs. With `done` it records that the latest
 * archive is stored elsewhere, which only the script that copied it can know.
 *
 * @throws OperatorError with the code `incomplete` if the archive is written without files that the storage does not
 * have, or has damaged. If a file cannot be read for any other reason, the command fails without a backup.
 */
async function backup(storage: Storage, { done }: { done?: true }): Promise<void> {
  const { terminal, database, search, files } = storage;
  if (done) {
    if (!(await noteBackup(database)))
      throw new OperatorError('No archive has been written yet. Run submissions backup first.', EXIT.failure);
    return;
  }
  const begunAt = new Date();
  await refuseUnmarkedFiles(search, files);
  const { readable, controller } = createTarPacker();
  const members: Record<string, Manifest['members'][string]> = {};
  const counts = { submissions: 0, files: 0, filesMissing: 0 };
  const write = async () => {
    for await (const [name, content] of membersOf(storage, counts)) {
      members[name] = digestOf(content);
      await add(name, content);
    }
    const migration = Object.keys(MIGRATIONS).at(-1) ?? '';
    const manifest: Manifest = { createdAt: new Date().toISOString(), migration, counts, members };
    await add(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 1)));
    controller.finalize();
  };
  /** Resolves when the stream accepts the next member (back pressure). */
  const add = async (name: string, content: Buffer) => {
    const member = controller.add({ name, size: content.length, mode: 0o600 }).getWriter();
    await member.write(content);
    await member.close();
  };
  const writing = write().catch((error: Error) => {
    controller.error(error);
    throw error;
  });
  await Promise.all([terminal.writeBytes(readable), writing]);
  await noteArchive(database, begunAt, counts.filesMissing);
  if (counts.filesMissing > 0)
    throw new OperatorError(
      `Files that the backup lacks, because the storage does: ${counts.filesMissing}. See docs/operations.md#files-are-missing.`,
      EXIT.incomplete,
    );
}

/**
 * Yields all members but the manifest, and counts them. Submissions are in the order of their ids, each page followed by
 * its files. One that changes meanwhile is in its old or its new state. Its file was stored before its row, so the file is
 * there. The erasures are read last, so that a restore leaves out submissions that were erased during the backup.
 */
async function* membersOf(
  storage: Storage,
  counts: { -readonly [name in keyof Manifest['counts']]: number },
): AsyncGenerator<readonly [name: string, content: Buffer]> {
  const { database, submissions, search, terminal } = storage;
  let page = 0;
  for await (const rows of search.rows()) {
    yield [`submissions/${String(++page).padStart(6, '0')}.jsonl`, linesOf(rows)];
    counts.submissions += rows.length;
    for (const { id, resume } of rows) {
      if (!resume) continue;
      const content = await contentOf(storage, id, resume);
      if (typeof content !== 'string') {
        yield [RESUMES + resume.key, content];
        counts.files += 1;
      } else if ((await submissions.find(id))?.resume?.key === resume.key) {
        // Retention and erasures delete the row before the file. The file of a deleted row is not missing.
        terminal.note(`The file of ${id} is left out, because ${content}.`);
        counts.filesMissing += 1;
      }
    }
  }
  for (const table of SINGLE_TABLES)
    yield [`${table}.jsonl`, linesOf(await database.run((db) => db.selectFrom(table).selectAll().execute()))];
}

/**
 * Reads the file of a submission.
 *
 * @returns its bytes, or why the storage will never have them
 * @throws Error if the file cannot be read for any other reason
 */
async function contentOf({ files }: Storage, id: string, resume: SubmissionFile): Promise<Buffer | string> {
  try {
    return await buffer(await files.open(resume));
  } catch (error) {
    if (isMissing(error)) return 'the storage has no such file';
    if (error instanceof DamagedStoredFileError) return 'the stored file is damaged';
    const { message } = error as Error;
    throw new Error(`The file of ${id} cannot be read (${message}). No backup was made.`, { cause: error });
  }
}

/** Formats one row per line, without leases: the workers that hold them will not exist after a restore. */
function linesOf(rows: readonly object[]): Buffer {
  const none = undefined;
  const withoutLease = { leaseToken: none, leaseUntil: none, alertToken: none, alertUntil: none };
  return Buffer.from(rows.map((row) => `${JSON.stringify({ ...row, ...withoutLease })}\n`).join(''));
}
