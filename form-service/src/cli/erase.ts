import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import { ErasureService, remainderText } from '../submissions/erasure.service.ts';
import { ErasuresRepository } from '../submissions/erasures.repository.ts';
import { findOrphans, ORPHAN_AGE_MS } from '../files/file-storage.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { SUBMISSION_STATES } from '../submissions/submission.ts';
import { LEASE_MS } from '../outbox/waits.ts';
import { withStorage, type Register, type Storage } from './storage.ts';
import { auditLine, EXIT, OperatorError, parseAddress } from './terminal.ts';

/** Maximum time that an erasure waits for a delivery. The lease of a worker that died has ended by then. */
const LEASE_WAIT_MS = LEASE_MS + 2_000;

interface EraseOptions {
  readonly email?: string;
  readonly again?: string;
  readonly orphans?: true;
  readonly yes?: true;
}

export const registerErase: Register = (program, context) =>
  program
    .command('erase')
    .description('erase submissions and files for good')
    .addOption(
      new Option('--email <address>', 'select all submissions from an address, in upper or lower case')
        .argParser(parseAddress)
        .conflicts(['again', 'orphans']),
    )
    .addOption(
      new Option(
        '--again <file>',
        'erase what a restored backup brought back; the file (- for standard input) has the ' +
          'lines about erasures that this command and the worker write',
      ).conflicts('orphans'),
    )
    .option('--orphans', 'select files that belong to no submission')
    .option('--yes', 'erase; without it, only show what')
    .action(withStorage(context, erase));

async function erase(storage: Storage, { email, again, orphans, yes }: EraseOptions): Promise<void> {
  const { search, stdin, files, terminal } = storage;
  if (again) return eraseAll(storage, erasuresIn(again === '-' ? await text(stdin) : await readFile(again, 'utf8')));
  const found: string[] = [];
  if (email) for await (const { id } of search.select({ states: SUBMISSION_STATES, email })) found.push(id);
  else if (orphans) found.push(...(await findOrphans(files, search, ORPHAN_AGE_MS)).orphans);
  else throw new OperatorError('Say what to erase: --email, --again or --orphans.', EXIT.usage);
  if (found.length === 0) throw new OperatorError('There is nothing to erase.', EXIT.notFound);
  if (!yes) {
    terminal.note(`To be erased: ${found.join(', ')}`);
    throw new OperatorError('Nothing was erased. Add --yes to erase these for good.', EXIT.usage);
  }
  if (email) return eraseAll(storage, [{ ids: found }]);
  for (const key of found) await files.remove(key);
  await terminal.printLine(`Files that were erased: ${found.length}.`);
}

interface Erasure {
  readonly ids: readonly string[];
  /** Time of the first erasure, in milliseconds since the epoch. Submissions received later stay. */
  readonly at?: number;
}

async function eraseAll(storage: Storage, erasures: readonly Erasure[]): Promise<void> {
  const { database, files, terminal } = storage;
  try {
    for (const { ids, at } of erasures) for (const page of database.pagesOf(ids)) await erasePage(storage, page, at);
  } finally {
    const remainder = await new ErasureService(database, new ErasuresRepository(database), files).cleanUp();
    const left = remainderText(remainder);
    if (left) terminal.note(left);
  }
}

/**
 * Erases one page. It waits for the end of a delivery before it erases the submission, because the worker would store
 * its result afterwards.
 */
async function erasePage(
  { submissions, terminal }: Storage,
  page: readonly string[],
  at: number | undefined,
): Promise<void> {
  const deadline = performance.now() + LEASE_WAIT_MS;
  for (let left = page; left.length > 0; await pause(200)) {
    const references = await submissions.erase(left, at);
    if (references.length > 0) await terminal.printLine(auditLine('erased', references, at));

    const others = left.filter((id) => !references.includes(id));
    const found = await Promise.all(others.map((id) => submissions.find(id)));
    left = others.filter((_, index) => (found[index]?.receivedAt ?? Infinity) <= (at ?? Number.MAX_VALUE));
    if (left.length === 0) return;
    if (performance.now() > deadline)
      throw new OperatorError(`Still being delivered: ${left.join(', ')}. Try again in a minute.`, EXIT.busy);
  }
}

/** Reads lines about erasures: those of this command, and those of the worker's log about erasures in the inbox. */
function erasuresIn(lines: string): Erasure[] {
  const about = lines.split('\n').filter((line) => line.includes('"event":"erased"'));
  if (about.length === 0) throw new OperatorError('The file has no lines about erasures.', EXIT.usage);
  return about.map((line) => {
    try {
      // Docker Compose writes the name of the container before each line of a log.
      const { at, time, reference, references = [reference] } = JSON.parse(line.slice(line.indexOf('{')));
      const erased = Date.parse(at ?? time);
      if (!Number.isNaN(erased) && references.every(isSubmissionId)) return { ids: references, at: erased };
    } catch {
      // The line is incomplete.
    }
    throw new OperatorError('A line about an erasure is damaged, so nothing was erased.', EXIT.usage);
  });
}
