import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import { FORM_KINDS } from '../contract/forms.ts';
import { isoTime, printedOf, withAuditLog, writeCsv } from '../export/submission-table.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { deletedAt, SUBMISSION_STATES, type Submission, type SubmissionState } from '../submissions/submission.ts';
import { findByReference, withStorage, type Register, type Storage } from './storage.ts';
import { auditLine, EXIT, formatDuration, OperatorError, parseAddress, parseDuration } from './terminal.ts';

/** Choices of `--state`: a state, those that need an operator's attention, or all. */
const STATES: Readonly<Record<string, readonly SubmissionState[]>> = {
  ...Object.fromEntries(SUBMISSION_STATES.map((state) => [state, [state]])),
  open: ['pending', 'failed', 'quarantined'],
  all: SUBMISSION_STATES,
};

interface Selection {
  readonly state: string;
  /** In milliseconds. */
  readonly olderThan?: number;
  readonly email?: string;
  readonly form?: string;
}

const state = () =>
  new Option('--state <state>', 'select a state; "open" selects all that are not delivered').choices(
    Object.keys(STATES),
  );
const olderThan = () =>
  new Option('--older-than <duration>', 'select submissions received longer ago than 30s, 5m, 2h or 3d').argParser(
    parseDuration,
  );

const select = ({ search }: Storage, { state, ...rest }: Selection) =>
  search.select({ ...rest, states: STATES[state] ?? [] });

export const registerList: Register = (program, context) =>
  program
    .command('list')
    .description('list references, states and reasons, without personal data')
    .addOption(state().default('open'))
    .addOption(olderThan())
    .action(withStorage(context, list));

async function list(storage: Storage, selection: Selection): Promise<void> {
  const { terminal } = storage;
  let isEmpty = true;
  for await (const one of select(storage, selection)) {
    if (isEmpty)
      await terminal.printLine(columns('REFERENCE', 'FORM', 'STATE', 'AGE', 'ATTEMPTS', 'DELETED IN', 'WHY'));
    isEmpty = false;
    const { id, form, state, receivedAt, attempts, lastError, reasons } = one;
    const [age, end] = [Date.now() - receivedAt, endOf(one)];
    const left = end === undefined ? '' : formatDuration(end - Date.now());
    const why = {
      delivered: '',
      quarantined: reasons.join('; '),
      pending: lastError,
      failed: lastError,
    };
    await terminal.printLine(columns(id, form, state, formatDuration(age), String(attempts), left, why[state] ?? ''));
  }
  if (isEmpty) terminal.note('No submissions.');
}

export const registerShow: Register = (program, context) =>
  program
    .command('show <reference>')
    .description('show one submission with everything that the visitor sent')
    .option('--file <path>', 'only write its file: to a new file, or with - to standard output')
    .action(withStorage(context, show));

async function show(storage: Storage, reference: string, { file }: { file?: string }): Promise<void> {
  const submission = await findByReference(storage, reference);
  if (file !== undefined) return writeFile(storage, submission, file === '-' ? undefined : file);
  const printed = await withNotifications(storage, submission);
  const { fields, reasons, resume, history, notifications = [], contentDigest: _, ...rest } = printed;
  const about = resume && `${resume.name} (${resume.mediaType}, ${resume.size} bytes)`;
  const rows = Object.entries({ ...rest, reasons: reasons.join('; '), ...fields, file: about });
  for (const event of history) rows.push(['history', Object.values(event).join(' ')]);
  for (const { kind, state, since, attempts, lastError = '' } of notifications)
    rows.push(['notification', `${since} ${kind} ${state}, attempts: ${attempts} ${lastError}`.trimEnd()]);
  for (const [name, value] of rows)
    if (value) await storage.terminal.printLine(`${name.padEnd(16)}${printable(String(value))}`);
}

async function writeFile({ terminal, files }: Storage, { id, resume }: Submission, out?: string): Promise<void> {
  if (!resume) throw new OperatorError(`${id} has no file.`, EXIT.notFound);
  await terminal.writeBytes(out, async (to, options) => pipeline(await files.open(resume), to, options));
  terminal.note(`${resume.mediaType}, ${resume.size} bytes, SHA-256 ${resume.sha256}`);
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
    .option('--email <address>', 'select the submissions of one person', parseAddress)
    .addOption(new Option('--form <form>', 'select the submissions of one form').choices(FORM_KINDS))
    .action(withStorage(context, exportSubmissions));

/** Writes whole submissions as a stream, so that their number does not matter. */
async function exportSubmissions(
  storage: Storage,
  { format, ...selection }: Selection & { format: 'json' | 'csv' },
): Promise<void> {
  const { terminal, database } = storage;
  const log = (references: readonly string[]) => terminal.note(auditLine('exported', references));
  const found = withAuditLog(select(storage, selection), database.pageRows, log);
  if (format === 'csv') return writeCsv(found, terminal.stdout, { end: false });
  await terminal.printArray(map(found, (one) => withNotifications(storage, one)));
}

async function* map<T, R>(items: AsyncIterable<T>, change: (item: T) => R | Promise<R>): AsyncGenerator<R> {
  for await (const item of items) yield await change(item);
}

/** Returns when retention deletes an undelivered submission, in milliseconds since the epoch. */
function endOf(submission: Submission): number | undefined {
  const { state } = submission;
  return state === 'failed' || state === 'quarantined' ? deletedAt(submission) : undefined;
}

function columns(...cells: string[]): string {
  const widths = [22, 11, 11, 4, 8, 10];
  const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return padded.join('  ').trimEnd();
}

/** Replaces control characters, which could control the terminal (escape injection). */
function printable(value: string): string {
  return value.replace(/\r\n?|\n/g, '\n    ').replace(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
