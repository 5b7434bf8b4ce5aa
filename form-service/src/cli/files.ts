import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findOrphans, ORPHAN_AGE_MS } from '../submissions/orphan-files.ts';
import { findByReference, withStorage, type Register, type Storage } from './storage.ts';
import { EXIT, OperatorError } from './terminal.ts';

export const registerResume: Register = (program, context) =>
  program
    .command('resume <reference>')
    .description('write the bytes of a résumé to standard output')
    .option('--out <file>', 'write to a new file')
    .action(withStorage(context, writeResume));

async function writeResume(storage: Storage, reference: string, { out }: { out?: string }): Promise<void> {
  const { terminal, files } = storage;
  const submission = await findByReference(storage, reference);
  if (submission.form !== 'application')
    throw new OperatorError(`${submission.id} is an enquiry and has no résumé.`, EXIT.notFound);
  terminal.refuseBytes(out);
  const open = () => files.open(submission.resume);
  if (out) await writeNewFile(out, open);
  else await pipeline(await open(), terminal.stdout, { end: false });
  terminal.note(`${submission.resume.mediaType}, ${submission.resume.size} bytes, SHA-256 ${submission.resume.sha256}`);
}

/** Writes a new file. Leaves none if the content fails. */
async function writeNewFile(path: string, open: () => Promise<Readable>): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx' });
  await once(file, 'open');
  try {
    await pipeline(await open(), file);
  } catch (error) {
    file.destroy();
    await rm(path);
    throw error;
  }
}

export const registerOrphans: Register = (program, context) =>
  program
    .command('orphans')
    .description('list résumé files that belong to no submission')
    .option('--yes', 'delete all of them')
    .action(withStorage(context, listOrphans));

/** Lists files without a submission, or deletes them, even more than the hourly task may delete. */
async function listOrphans({ files, submissions, terminal }: Storage, { yes }: { yes?: boolean }): Promise<void> {
  const found = await findOrphans(files, submissions, ORPHAN_AGE_MS);
  for (const key of found.orphans) {
    if (yes) await files.remove(key);
    await terminal.printLine(key);
  }
  terminal.note(
    `${found.orphans.length} of ${found.total} files belong to no submission${yes ? ' and are deleted' : ''}.`,
  );
}
