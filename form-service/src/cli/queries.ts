import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import { FORM_KINDS, nounOf } from '../contract/forms.ts';
import type { SubmissionRow } from '../database/schema.ts';
import { isoTime, printedOf, withAuditLog, writeCsv } from '../export/submission-table.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { withArticle } from '../submissions/labels.ts';
import { deletedAt, SUBMISSION_STATES, type Submission, type SubmissionState } from '../submissions/submission.ts';
import { checkedArchive, readLines, tableOf } from './archive.ts';
import { findByReference, withStorage, type Register, type Storage } from './storage.ts';
import { EXIT, formatDuration, operatorName, OperatorError, parseAddress, parseDuration } from './terminal.ts';

/** States that need an operator's attention. */
const OPEN_STATES: readonly SubmissionState[] = ['pending', 'failed', 'quarantined'];

const STATE_CHOICES = [...SUBMISSION_STATES, 'open', 'all'] as const;

interface SelectOptions {
  readonly state: (typeof STATE_CHOICES)[number];
  /** In milliseconds. */
  readonly olderThan?: number;
  readonly email?: string;
  readonly form?: string;
  readonly changedSince?: string;
}

const POLL_MS = 500;

const json = () => new Option('--json', 'print JSON');
const state = () =>
  new Option('--state <state>', 'select a state; "open" selects all that are not delivered').choices(STATE_CHOICES);
const olderThan = () =>
  new Option('--older-than <duration>', 'select submissions received longer ago than 30s, 5m, 2h or 3d').argParser(
    parseDuration,
  );
const changedSince = () =>
  new Option(
    '--changed-since <archive>',
    'select what an archive of backup lacks: new submissions, marks and notes; - reads standard input',
  );

export const registerList: Register = (program, context) =>
  program
    .command('list')
    .description('list references, states and reasons, without personal data')
    .addOption(state().default('open'))
    .addOption(olderThan())
    .addOption(changedSince())
    .option('--wait <duration>', 'wait until there are none, for 30s, 5m, 2h or 3d at most', parseDuration)
    .addOption(json())
    .action(withStorage(context, list));

/** @throws OperatorError with the code `busy` if some are left after the time of `wait` */
async function list(
  storage: Storage,
  { wait, json, ...choice }: SelectOptions & { wait?: number; json?: true },
): Promise<void> {
  if (wait === undefined) return void (await printList(storage, choice, json));
  const end = performance.now() + wait;
  while (performance.now() < end && !(await select(storage, choice).next()).done) await pause(POLL_MS);
  const count = await printList(storage, choice, json);
  if (count > 0) throw new OperatorError(`${count} ${count === 1 ? 'is' : 'are'} left.`, EXIT.busy);
}

/** @returns the number of printed submissions */
async function printList(storage: Storage, choice: SelectOptions, json = false): Promise<number> {
  const { terminal } = storage;
  const found = select(storage, choice);
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
      quarantined: reasons.join('; '),
    }[state];
    const [age, end] = [Date.now() - receivedAt, endOf(one)];
    const left = end === undefined ? '' : formatDuration(end - Date.now());
    await terminal.printLine(columns(id, form, state, formatDuration(age), String(attempts), left, why ?? ''));
  }
  if (count === 0) terminal.note('No submissions.');
  return count;
}

export const registerShow: Register = (program, context) =>
  program
    .command('show <reference>')
    .description('show one submission with everything that the visitor sent')
    .addOption(json())
    .action(withStorage(context, show));

async function show(storage: Storage, reference: string, options: { json?: boolean }): Promise<void> {
  const submission = await findByReference(storage, reference);
  const printed = await withNotifications(storage, submission);
  if (options.json) return storage.terminal.printLine(JSON.stringify(printed, null, 2));
  const { fields, reasons, resume, history, notifications = [], ...rest } = printed;
  const file = resume && `${resume.name} (${resume.mediaType}, ${resume.size} bytes)`;
  const rows = Object.entries({
    ...rest,
    contentDigest: undefined,
    reasons: reasons.join('; '),
    ...fields,
    resume: file,
  });
  for (const event of history) rows.push(['history', Object.values(event).join(' ')]);
  for (const { kind, state, since, attempts, lastError = '' } of notifications)
    rows.push(['notification', `${since} ${kind} ${state}, attempts: ${attempts} ${lastError}`.trimEnd()]);
  for (const [name, value] of rows)
    if (value) await storage.terminal.printLine(`${name.padEnd(16)}${printable(String(value))}`);
}

/** Returns a printable submission with its notifications. */
async function withNotifications({ database }: Storage, submission: Submission) {
  const notifications = await new NotificationsRepository(database).of(submission.id);
  const printed = notifications.map(({ kind, state, stateSince, attempts, lastError }) => {
    return { kind, state, since: isoTime(stateSince), attempts, ...(lastError !== null && { lastError }) };
  });
  return { ...printedOf(submission), ...(printed.length > 0 && { notifications: printed }) };
}

export const registerExport: Register = (program, context) =>
  program
    .command('export')
    .description('write whole submissions to standard output')
    .addOption(new Option('--format <format>', 'choose the format').choices(['json', 'csv']).default('json'))
    .addOption(state().default('all'))
    .addOption(olderThan())
    .addOption(changedSince())
    .option('--email <address>', 'select the submissions of one person', parseAddress)
    .addOption(new Option('--form <form>', 'select the submissions of one form').choices(FORM_KINDS))
    .action(withStorage(context, exportSubmissions));

/** Writes whole submissions as a stream, so that their number does not matter. */
async function exportSubmissions(
  storage: Storage,
  { format, ...choice }: SelectOptions & { format: 'json' | 'csv' },
): Promise<void> {
  const { terminal } = storage;
  let count = 0;
  const selected = map(select(storage, choice), (one) => {
    // In a terminal, the submissions themselves show the progress.
    if (!terminal.stdout.isTTY) terminal.progress(`${(count += 1)} submissions`);
    return one;
  });
  const found = withAuditLog(selected, storage.database.pageRows, (references) => {
    const line = { event: 'exported', at: new Date(), by: operatorName(), count: references.length, references };
    terminal.note(JSON.stringify(line));
  });
  if (format === 'json') return terminal.printArray(map(found, (one) => withNotifications(storage, one)));
  await writeCsv(found, terminal.stdout, { end: false });
}

export const registerResume: Register = (program, context) =>
  program
    .command('resume <reference>')
    .description('write the bytes of a résumé to standard output')
    .option('--out <file>', 'write to a new file')
    .action(withStorage(context, writeResume));

async function writeResume(storage: Storage, reference: string, { out }: { out?: string }): Promise<void> {
  const { terminal, files } = storage;
  const { id, form, resume: file } = await findByReference(storage, reference);
  if (!file) throw new OperatorError(`${id} is ${withArticle(nounOf(form))} and has no résumé.`, EXIT.notFound);
  await terminal.writeBytes(out, async (to, options) => pipeline(await files.open(file), to, options));
  terminal.note(`${file.mediaType}, ${file.size} bytes, SHA-256 ${file.sha256}`);
}

async function* select(storage: Storage, { state, changedSince, ...rest }: SelectOptions): AsyncGenerator<Submission> {
  const archived = changedSince === undefined ? undefined : await historiesIn(storage, changedSince);
  const groups = { all: SUBMISSION_STATES, open: OPEN_STATES };
  const states = state === 'all' || state === 'open' ? groups[state] : [state];
  for await (const one of storage.search.select({ ...rest, states }))
    if (archived?.get(one.id) !== one.history) yield one;
}

/** Reads the histories of an archive by reference. Every change of a submission, such as a note, adds to its history. */
async function historiesIn({ stdin }: Storage, path: string): Promise<ReadonlyMap<string, string>> {
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

/** Replaces control characters, which could control the terminal (escape injection). */
function printable(value: string): string {
  return value.replace(/\r\n?|\n/g, '\n    ').replace(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
