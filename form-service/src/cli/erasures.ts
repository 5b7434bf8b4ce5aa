import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import { ErasureService, remainderText } from '../submissions/erasure.service.ts';
import { ErasuresRepository } from '../submissions/erasures.repository.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { SUBMISSION_STATES } from '../submissions/submission.ts';
import { LEASE_MS } from '../outbox/waits.ts';
import { withStorage, type Register, type Storage } from './storage.ts';
import { EXIT, operatorName, OperatorError, parseAddress } from './terminal.ts';

/** Maximum time that an erasure waits for a delivery. The lease of a worker that died has ended by then. */
const LEASE_WAIT_MS = LEASE_MS + 2_000;

export const registerErase: Register = (program, context) =>
  program
    .command('erase')
    .description('erase the rows and files of all submissions from an address')
    .option('--email <address>', 'select the address; upper and lower case are equal', parseAddress)
    .option('--yes', 'erase; without it, only show the references')
    .addOption(
      new Option(
        '--again <file>',
        'erase what a restored backup brought back; the file (- for standard input) has the output of erasures',
      ).conflicts('email'),
    )
    .action(withStorage(context, erase));

/** Erases all submissions from an address (right to erasure), or what was erased and came back with a restore. */
async function erase(
  storage: Storage,
  { email, again, yes }: { email?: string; again?: string; yes?: true },
): Promise<void> {
  if (again) {
    const proofs = again === '-' ? await text(storage.stdin) : await readFile(again, 'utf8');
    const lines = proofs.split('\n').filter((line) => line.trim() !== '');
    return eraseAll(storage, lines.map(parseProof));
  }
  if (!email)
    throw new OperatorError('The command needs an address or a file. Name one with --email or --again.', EXIT.usage);
  const ids: string[] = [];
  for await (const { id } of storage.search.select({ states: SUBMISSION_STATES, email })) ids.push(id);
  if (ids.length === 0)
    throw new OperatorError('No submission was sent from this address. Check its spelling.', EXIT.notFound);
  if (!yes) {
    storage.terminal.note(`To be erased: ${ids.join(', ')}`);
    throw new OperatorError('Nothing was erased. Add --yes to erase these submissions for good.', EXIT.usage);
  }
  await eraseAll(storage, [{ ids }]);
}

export const registerErasures: Register = (program, context) =>
  program
    .command('erasures')
    .description('print references and times of all erasures, including those of the inbox')
    .action(withStorage(context, printErasures));

/** Prints the proofs of all erasures by time. */
async function printErasures({ database, terminal }: Storage): Promise<void> {
  const byTime = new Map<number, string[]>();
  for await (const { id, erasedAt } of new ErasuresRepository(database).tombstones())
    byTime.set(erasedAt, [...(byTime.get(erasedAt) ?? []), id]);
  for (const at of [...byTime.keys()].toSorted((one, other) => one - other))
    for (const page of database.pagesOf(byTime.get(at) ?? [])) await terminal.printLine(proofLine(page, at));
}

interface Erasure {
  readonly ids: readonly string[];
  /** Time of the first erasure, in milliseconds since the epoch. Submissions received later stay. */
  readonly at?: number;
}

async function eraseAll(storage: Storage, erasures: readonly Erasure[]): Promise<void> {
  const { database, files, terminal } = storage;
  const erasure = new ErasureService(database, new ErasuresRepository(database), files);
  const total = erasures.reduce((sum, { ids }) => sum + ids.length, 0);
  let done = 0;
  try {
    for (const { ids, at } of erasures)
      for (const page of database.pagesOf(ids)) {
        terminal.progress(`${done} of ${total} submissions erased`);
        await erasePage(storage, page, at);
        done += page.length;
      }
  } finally {
    terminal.endProgress();
    terminal.progress('Removing files and copies of the erased text');
    const text = remainderText(await erasure.cleanUp());
    if (text) terminal.note(text);
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
    if (references.length > 0) await terminal.printLine(proofLine(references, at ?? Date.now(), operatorName()));

    const others = left.filter((id) => !references.includes(id));
    const found = await Promise.all(others.map((id) => submissions.find(id)));
    left = others.filter((_, index) => (found[index]?.receivedAt ?? Infinity) <= (at ?? Number.MAX_VALUE));
    if (left.length === 0) return;
    if (performance.now() > deadline)
      throw new OperatorError(
        `Submissions are still being delivered: ${left.join(', ')}. Try again in a minute.`,
        EXIT.busy,
      );
  }
}

/** Formats proofs of erasures, which `erase --again` reads. */
function proofLine(references: readonly string[], at: number, by?: string): string {
  return JSON.stringify({ event: 'erased', at: new Date(at), by, count: references.length, references });
}

function parseProof(line: string): Erasure {
  try {
    const { event, at, references: ids } = JSON.parse(line) as { event: unknown; at: string; references: string[] };
    const time = Date.parse(at);
    if (event === 'erased' && !Number.isNaN(time) && ids.every(isSubmissionId)) return { ids, at: time };
  } catch {
    // The line is not JSON.
  }
  throw new OperatorError(
    'A line of the file is not a proof of an erasure, so nothing was erased. Use the output of submissions erasures.',
    EXIT.usage,
  );
}
