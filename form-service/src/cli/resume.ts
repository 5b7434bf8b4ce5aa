import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { SubmissionStore } from '../storage/submission-store.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import { findByReference } from './selection.ts';
import type { Terminal } from './terminal.ts';

/** `resume`: the bytes of a résumé, to standard output or to a new file. */
export async function resume(store: SubmissionStore, terminal: Terminal, reference: string, options: { out?: string }): Promise<void> {
  const { submission } = await findByReference(store, reference);
  if (submission.form !== 'application') throw new OperatorError(`${submission.id} is an enquiry and has no résumé.`, EXIT.notFound);
  if (!options.out && terminal.stdout.isTTY) {
    throw new OperatorError('The bytes of a file do not belong on a terminal: use "> file" or --out file.', EXIT.usage);
  }
  const content = await store.openResume(submission.id);
  if (options.out) await pipeline(content, createWriteStream(options.out, { flags: 'wx', mode: 0o600 }));
  else await pipeline(content, terminal.stdout, { end: false });
  terminal.note(`${submission.resume.mediaType}, ${submission.resume.size} bytes, SHA-256 ${submission.resume.sha256}`);
}
