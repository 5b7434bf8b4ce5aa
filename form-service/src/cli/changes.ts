import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { findOrphans, ORPHAN_AGE_MS } from '../delivery/retention.service.ts';
import { FollowUpsRepository } from '../follow-ups/follow-ups.repository.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { SUBMISSION_STATES, type Submission, type SubmissionState } from '../submissions/submission.ts';
import { LEASE_MS, PAGE } from '../submissions/submissions.repository.ts';
import { findByReference, type Operation } from './queries.ts';
import { EXIT, OperatorError } from './terminal.ts';

/** An erasure waits this long for a delivery; the lease of a worker that died has ended by then. */
const LEASE_WAIT_MS = LEASE_MS + 2_000;

/** Who releases and sends again, in the history. */
const BY = 'an operator';

interface ResendOptions {
  readonly allFailed?: boolean;
  /** Also those that were delivered: a mail server can accept a mail and lose it. */
  readonly again?: boolean;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

/**
 * `resend`: makes submissions pending, with no attempts counted, and posts to the webhook that were given up. The worker
 * finds them within seconds.
 */
export async function resend(
  operation: Operation,
  reference: string | undefined,
  options: ResendOptions,
): Promise<void> {
  const { allFailed, again, since, until } = options;
  const isComplete =
    (since === undefined || again) && (until === undefined || since !== undefined) && !(allFailed && again);
  if (!isComplete || [reference, allFailed, since].filter((one) => one !== undefined).length !== 1) {
    throw new OperatorError('Name one reference, or say --all-failed, or --again --since with a time.', EXIT.usage);
  }
  const from: SubmissionState[] = again ? ['failed', 'delivered'] : ['failed'];
  if (reference) return requeueOne(operation, reference, from, 'will be sent again');
  const ids: string[] = [];
  for await (const one of operation.submissions.select({
    states: from,
    stateFrom: since,
    stateUntil: until ?? Date.now(),
  })) {
    ids.push(one.id);
  }
  const followUps = new FollowUpsRepository(operation.database);
  let count = 0;
  let posts = allFailed ? await followUps.renewPosts() : 0;
  for (const page of pagesOf(ids)) {
    count += (await operation.submissions.requeue(page, from, { by: BY })).length;
    posts += await followUps.renewPosts(page);
  }
  await operation.terminal.printLine(`${count} ${count === 1 ? 'submission' : 'submissions'} will be sent again.`);
  if (posts > 0) operation.terminal.note(`Posts to the webhook that will be made again: ${posts}.`);
}

/** `release`: sends a quarantined submission, which is not quarantined a second time. */
export async function release(operation: Operation, reference: string): Promise<void> {
  await requeueOne(operation, reference, ['quarantined'], 'is released and will be sent');
}

interface EraseOptions {
  readonly email?: string;
  /** A file with what `erase` printed; `-` is standard input. */
  readonly again?: string;
  readonly yes?: boolean;
}

/**
 * `erase`: erases row and file of everything that came from an address (the right of erasure); or, with `--again`, what
 * was erased after a backup was made and has come back with it.
 */
export async function erase(operation: Operation, { email, again, yes }: EraseOptions): Promise<void> {
  if (again && !email) {
    const proofs = again === '-' ? await text(operation.stdin) : await readFile(again, 'utf8');
    const lines = proofs.split('\n').filter((line) => line.trim() !== '');
    return eraseAll(operation, lines.map(parseProof));
  }
  if (!email || again) throw new OperatorError('Name an address by --email, or a file by --again.', EXIT.usage);
  const ids: string[] = [];
  for await (const { id } of operation.submissions.select({ states: SUBMISSION_STATES, email })) ids.push(id);
  if (ids.length === 0) throw new OperatorError('Nothing was sent from this address.', EXIT.notFound);
  if (!yes) {
    operation.terminal.note(`To be erased: ${ids.join(', ')}`);
    throw new OperatorError('Nothing was erased. Add --yes to erase these submissions for good.', EXIT.usage);
  }
  await eraseAll(operation, [{ ids }]);
}

/** `orphans`: lists, and with `--yes` deletes, the files that the hourly clean-up would, and those that are too many for it. */
export async function orphans({ files, submissions, terminal }: Operation, { yes }: { yes?: boolean }): Promise<void> {
  const found = await findOrphans(files, submissions, ORPHAN_AGE_MS);
  for (const key of found.orphans) {
    if (yes) await files.remove(key);
    await terminal.printLine(key);
  }
  terminal.note(
    `${found.orphans.length} of ${found.total} files belong to no submission${yes ? ', and are deleted' : ''}.`,
  );
}

interface Erasure {
  readonly ids: readonly string[];
  /** The time of the first erasure, in milliseconds since the epoch; what was received later stays. */
  readonly at?: number;
}

async function eraseAll(operation: Operation, erasures: readonly Erasure[]): Promise<void> {
  try {
    for (const { ids, at } of erasures) for (const page of pagesOf(ids)) await erasePage(operation, page, at);
  } finally {
    if (!(await operation.database.removeCopies()))
      operation.terminal.note('Copies may be left in the files of the database: erase something again later.');
  }
}

/**
 * Erases one page. A submission that a worker is delivering is erased when the delivery has ended, so that it does not
 * come back.
 */
async function erasePage(operation: Operation, page: readonly string[], at: number | undefined): Promise<void> {
  const { submissions, terminal } = operation;
  const deadline = Date.now() + LEASE_WAIT_MS;
  for (let left = page; left.length > 0; await pause(200)) {
    const erased = await submissions.erase(left, at);
    for (const one of erased) await removeFile(operation, one);
    const references = erased.map(({ id }) => id);
    const time = new Date(at ?? Date.now()).toISOString();
    const proof = { event: 'erased', at: time, count: references.length, references };
    if (erased.length > 0) await terminal.printLine(JSON.stringify(proof));

    const others = left.filter((id) => !references.includes(id));
    const found = await Promise.all(others.map((id) => submissions.find(id)));
    left = others.filter((_, index) => (found[index]?.receivedAt ?? Infinity) <= (at ?? Number.MAX_VALUE));
    if (left.length === 0) return;
    if (Date.now() > deadline)
      throw new OperatorError(`${left.join(', ')}: being delivered just now; try again in a minute.`, EXIT.busy);
  }
}

/** A file that cannot be removed now is one without a submission, which the hourly clean-up of the worker removes. */
async function removeFile({ files, terminal }: Operation, { id, resume }: Submission): Promise<void> {
  try {
    if (resume) await files.remove(resume.key);
  } catch (error) {
    if (!(error instanceof StorageUnavailableError)) throw error;
    terminal.note(`The file of ${id} could not be removed (${error.message}); the worker does it in a week.`);
  }
}

async function requeueOne(
  operation: Operation,
  reference: string,
  from: readonly SubmissionState[],
  what: string,
): Promise<void> {
  const { id, state } = await findByReference(operation, reference);
  const released = from.includes('quarantined');
  const followUps = released && operation.settings.SUBMISSION_WEBHOOK_URL ? (['webhook'] as const) : [];
  const requeued = await operation.submissions.requeue([id], from, { released, by: BY, followUps });
  const posts = released ? 0 : await new FollowUpsRepository(operation.database).renewPosts([id]);
  if (requeued.length + posts === 0)
    throw new OperatorError(`${id} is ${state}, not ${from.join(' or ')}.`, EXIT.wrongState);
  if (requeued.length > 0) await operation.terminal.printLine(`${id} ${what}.`);
  if (posts > 0) await operation.terminal.printLine(`${id} will be posted to the webhook again.`);
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
    'A line of the file is no proof of an erasure, as erase prints it. Nothing was erased.',
    EXIT.usage,
  );
}

function pagesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, page) => ids.slice(page * PAGE, (page + 1) * PAGE));
}
