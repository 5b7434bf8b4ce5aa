import { findOrphans, ORPHAN_AGE_MS } from '../files/file-storage.ts';
import { ErasureService } from '../submissions/erasure.service.ts';
import { SUBMISSION_STATES } from '../submissions/submission.ts';
import { emailOption, existing, withStorage, type Register, type Storage } from './storage.ts';
import { auditLine, EXIT, OperatorError } from './terminal.ts';

export const registerErase: Register = (program, context) =>
  program
    .command('erase [references...]')
    .description('erase submissions and files for good')
    .addOption(emailOption().conflicts('orphans'))
    .option('--orphans', 'select files that belong to no submission')
    .option('--yes', 'erase; without it, only show what')
    .action(withStorage(context, erase));

async function erase(
  storage: Storage,
  references: string[],
  { email, orphans, yes }: { email?: string; orphans?: true; yes?: true },
): Promise<void> {
  const { files, search, terminal } = storage;
  if ([references.length > 0, email, orphans].filter(Boolean).length !== 1)
    throw new OperatorError('Say what to erase: references, --email or --orphans.', EXIT.usage);
  const found = orphans
    ? (await findOrphans(files, search, ORPHAN_AGE_MS)).orphans
    : (await existing(storage, references)).map(({ id }) => id);
  if (email) for await (const { id } of search.select({ states: SUBMISSION_STATES, email })) found.push(id);
  if (found.length === 0) return terminal.note('There is nothing to erase.');
  if (!yes) {
    terminal.note(`To be erased: ${found.join(', ')}`);
    throw new OperatorError('Nothing was erased. Add --yes to erase these for good.', EXIT.usage);
  }
  if (!orphans) return eraseSubmissions(storage, found);
  for (const key of found) await files.remove(key);
  await terminal.printLine(`Files that were erased: ${found.length}.`);
}

/** @throws OperatorError about those that are being delivered, because the worker would store its result afterwards */
async function eraseSubmissions(storage: Storage, ids: readonly string[]): Promise<void> {
  const { database, files, submissions, terminal } = storage;
  for (const page of database.pagesOf(ids)) {
    const references = await submissions.erase(page);
    if (references.length > 0) await terminal.printLine(auditLine('erased', references));
  }
  const isComplete = await new ErasureService(database, files).cleanUp();
  if (!isComplete) terminal.note('Files or copies of the text remain for now. The worker retries every minute.');
  const left = await existing(storage, ids);
  if (left.length === 0) return;
  const still = left.map(({ id }) => id).join(', ');
  throw new OperatorError(`Still being delivered: ${still}. Try again in a minute.`, EXIT.busy);
}
