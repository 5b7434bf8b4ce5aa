import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { StorageSettings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import type { SubmissionRow } from '../database/schema.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import type { ResumeFiles } from '../submissions/resume-files.ts';
import { storedReason } from '../submissions/reasons.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { deletedAt, SUBMISSION_STATES, type Submission, type SubmissionState } from '../submissions/submission.ts';
import { isoTime, logged, printedOf, writeCsv } from '../export/submission-table.ts';
import type { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { checkedArchive, readLines, tableOf } from './archive.ts';
import { EXIT, formatDuration, OperatorError, type Terminal } from './terminal.ts';

/** Settings, streams and stores of a command. */
export interface Operation {
  readonly settings: StorageSettings;
  readonly stdin: Readable;
  readonly terminal: Terminal;
  readonly database: Database;
  readonly submissions: SubmissionsRepository;
  readonly search: SubmissionSearchRepository;
  readonly files: ResumeFiles;
}

/** States that need an operator's attention. */
const OPEN_STATES: readonly SubmissionState[] = ['pending', 'failed', 'quarantined'];

export const STATE_CHOICES = [...SUBMISSION_STATES, 'open', 'all'] as const;

interface SelectOptions {
  readonly state: (typeof STATE_CHOICES)[number];
  /** In milliseconds. */
  readonly olderThan?: number;
  /** Address of the person whose submissions are selected (right of access). */
  readonly email?: string;
  /** Path of an archive, or `-` for standard input. Selects what it lacks. */
  readonly changedSince?: string;
}

interface ListOptions extends SelectOptions {
  readonly json?: boolean;
  /** Maximum time to wait until there are none, in milliseconds. */
  readonly wait?: number;
}

const POLL_MS = 500;

/**
 * `list`: prints references and delivery states, without visitors' data.
 *
 * @throws OperatorError with the code `busy` if some are left after the time of `wait`
 */
export async function list(operation: Operation, { wait, json, ...choice }: ListOptions): Promise<void> {
  if (wait === undefined) return void (await printList(operation, choice, json));
  const end = Date.now() + wait;
  while (Date.now() < end && !(await select(operation, choice).next()).done) await pause(POLL_MS);
  const count = await printList(operation, choice, json);
  if (count > 0) throw new OperatorError(`${count} ${count === 1 ? 'is' : 'are'} left.`, EXIT.busy);
}

/** @returns the number of printed submissions */
async function printList(operation: Operation, choice: SelectOptions, json = false): Promise<number> {
  const { terminal } = operation;
  const found = select(operation, choice);
  let count = 0;
  if (json) {
    await terminal.printArray(map(found, (one) => ((count += 1), summaryOf(one))));
    return count;
  }
  for await (const one of found) {
    if (count++ === 0)
      await terminal.printLine(columns('REFERENCE', 'FORM', 'STATE', 'AGE', 'ATTEMPTS', 'DELETED IN', 'WHY'));
    const { id, form, state, receivedAt, attempts, lastError, reasons } = one;
    const why = {
      pending: lastError,
      delivered: '',
      failed: lastError,
      quarantined: reasons.map(storedReason).join('; '),
    }[state];
    const [age, end] = [Date.now() - receivedAt, endOf(one)];
    const left = end === undefined ? '' : formatDuration(end - Date.now());
    await terminal.printLine(columns(id, form, state, formatDuration(age), String(attempts), left, why ?? ''));
  }
  if (count === 0) terminal.note('No submissions.');
  return count;
}

/** `show`: prints one submission with the visitor's data. */
export async function show(operation: Operation, reference: string, options: { json?: boolean }): Promise<void> {
  const submission = await findByReference(operation, reference);
  const printed = await withNotifications(operation, submission);
  if (options.json) return operation.terminal.printLine(JSON.stringify(printed, null, 2));
  const { contentDigest: _, followUps: _former, fields, reasons, resume, history, ...others } = printed;
  const { notifications = [], ...rest } = others;
  const file = resume && `${resume.name} (${resume.mediaType}, ${resume.size} bytes)`;
  const rows = Object.entries({ ...rest, reasons: reasons.join('; '), ...fields, resume: file });
  for (const event of history) rows.push(['history', Object.values(event).join(' ')]);
  for (const { kind, state, since, attempts, lastError = '' } of notifications)
    rows.push(['notification', `${since} ${kind} ${state}, attempts: ${attempts} ${lastError}`.trimEnd()]);
  for (const [name, value] of rows)
    if (value) await operation.terminal.printLine(`${name.padEnd(16)}${printable(String(value))}`);
}

/** Returns a printable submission with its notifications. */
async function withNotifications({ database }: Operation, submission: Submission) {
  const notifications = await new NotificationsRepository(database).of(submission.id);
  const printed = notifications.map(({ kind, state, stateSince, attempts, lastError }) => {
    return { kind, state, since: isoTime(stateSince), attempts, ...(lastError !== null && { lastError }) };
  });
  // `followUps` is the name of version 0.4, and goes with the next version.
  return { ...printedOf(submission), ...(printed.length > 0 && { notifications: printed, followUps: printed }) };
}

/** `export`: writes whole submissions as a stream, so that their number does not matter. */
export async function exportSubmissions(
  operation: Operation,
  { format, ...choice }: SelectOptions & { format: 'json' | 'csv' },
): Promise<void> {
  const found = logged(select(operation, choice), operation.database.pageRows, (references) => {
    const line = { event: 'exported', at: new Date(), by: operatorName(), count: references.length, references };
    operation.terminal.note(JSON.stringify(line));
  });
  if (format === 'json') return operation.terminal.printArray(map(found, (one) => withNotifications(operation, one)));
  await writeCsv(found, operation.terminal.stdout, { end: false });
}

/** Returns the operating system's name of the person who runs the command. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run under an id that has no name.
    return `uid ${process.getuid?.()}`;
  }
}

/** `resume`: writes the bytes of a résumé to standard output or to a new file. */
export async function resume(operation: Operation, reference: string, { out }: { out?: string }): Promise<void> {
  const { terminal, files } = operation;
  const submission = await findByReference(operation, reference);
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

/** @throws OperatorError if there is no such submission */
export async function findByReference({ submissions }: Operation, reference: string): Promise<Submission> {
  const id = reference.trim().toUpperCase();
  const found = isSubmissionId(id) ? await submissions.find(id) : undefined;
  if (!found)
    throw new OperatorError(
      `No submission has the reference ${reference}. See submissions list --state all.`,
      EXIT.notFound,
    );
  return found;
}

async function* select(
  operation: Operation,
  { state, changedSince, ...rest }: SelectOptions,
): AsyncGenerator<Submission> {
  const archived = changedSince === undefined ? undefined : await historiesIn(operation, changedSince);
  const groups = { all: SUBMISSION_STATES, open: OPEN_STATES };
  const states = state === 'all' || state === 'open' ? groups[state] : [state];
  for await (const one of operation.search.select({ ...rest, states }))
    if (archived?.get(one.id) !== one.history) yield one;
}

/** Reads the histories of an archive by reference. Every change of a submission, such as a note, adds to its history. */
async function historiesIn({ stdin }: Operation, path: string): Promise<ReadonlyMap<string, string>> {
  const histories = new Map<string, string>();
  await checkedArchive(path === '-' ? stdin : createReadStream(path), (member) => {
    if (tableOf(member) !== 'submissions') return;
    for (const { id, history } of readLines<SubmissionRow>(member)) histories.set(id, history);
  });
  return histories;
}

async function* map<T, R>(items: AsyncIterable<T>, change: (item: T) => R | Promise<R>): AsyncGenerator<R> {
  for await (const item of items) yield await change(item);
}

function summaryOf(submission: Submission) {
  const { id: reference, form, state, since, receivedAt, ...printed } = printedOf(submission);
  const { attempts, lastError, nextAttemptAt, releasedAt, reasons } = printed;
  const end = endOf(submission);
  const deletedAfter = end === undefined ? undefined : isoTime(end);
  const times = { since, receivedAt, nextAttemptAt, releasedAt, deletedAfter };
  return { reference, form, state, ...times, attempts, lastError, reasons };
}

/** Returns when retention deletes an undelivered submission, in milliseconds since the epoch. */
function endOf(submission: Submission): number | undefined {
  const { state } = submission;
  return state === 'failed' || state === 'quarantined' ? deletedAt(submission) : undefined;
}

function columns(...cells: string[]): string {
  const widths = [22, 11, 11, 4, 8, 10];
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
}

/** Replaces control characters, which could control the terminal (escape injection). Rows of version 0.3 have CRLF. */
function printable(value: string): string {
  return value.replace(/\r\n?|\n/g, '\n    ').replace(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
