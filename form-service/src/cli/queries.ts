import { Option } from 'commander';
import { FORM_KINDS } from '../contract/forms.ts';
import { cellsOf, isoTime, withAuditLog, writeCsv } from '../export/submission-table.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import {
  deletedAt,
  historyOf,
  SUBMISSION_STATES,
  type Submission,
  type SubmissionState,
} from '../submissions/submission.ts';
import { emailOption, findByReference, withStorage, type Register, type Storage } from './storage.ts';
import { auditLine, EXIT, OperatorError } from './terminal.ts';

/** Choices of `--state`: a state, those that need an operator's attention, or all. */
const STATES: Readonly<Record<string, readonly SubmissionState[]>> = {
  ...Object.fromEntries(SUBMISSION_STATES.map((state) => [state, [state]])),
  open: ['pending', 'failed', 'quarantined'],
  all: SUBMISSION_STATES,
};

interface Selection {
  readonly state: string;
  readonly email?: string;
  readonly form?: string;
}

const stateOption = () =>
  new Option('--state <state>', 'select a state; "open" selects all that are not delivered').choices(
    Object.keys(STATES),
  );

const select = ({ search }: Storage, { state, ...rest }: Selection) =>
  search.select({ ...rest, states: STATES[state] ?? [] });

export const registerList: Register = (program, context) =>
  program
    .command('list')
    .description('list references, states and reasons, without personal data')
    .addOption(stateOption().default('open'))
    .action(withStorage(context, list));

async function list(storage: Storage, selection: Selection): Promise<void> {
  const { terminal } = storage;
  const rows = [columns('REFERENCE', 'FORM', 'STATE', 'RECEIVED', 'ATTEMPTS', 'DELETED ON', 'WHY')];
  for await (const one of select(storage, selection)) {
    const { id, form, state, receivedAt, attempts, lastError, reasons } = one;
    const isKept = state === 'failed' || state === 'quarantined';
    const end = isKept ? isoTime(deletedAt(one)).slice(0, 10) : '';
    const why = { delivered: '', quarantined: reasons.join(', '), pending: lastError, failed: lastError }[state] ?? '';
    rows.push(columns(id, form, state, isoTime(receivedAt).slice(0, 19), String(attempts), end, why));
    for (const row of rows.splice(0)) await terminal.printLine(row);
  }
  if (rows.length > 0) terminal.note('No submissions.');
}

export const registerShow: Register = (program, context) =>
  program
    .command('show <reference>')
    .description('show one submission with everything that the visitor sent')
    .option('--file', 'only write its file to standard output')
    .action(withStorage(context, show));

async function show(storage: Storage, reference: string, { file }: { file?: true }): Promise<void> {
  const submission = await findByReference(storage, reference);
  if (file) return writeFile(storage, submission);
  const { requestId, recipient, nextAttemptAt } = submission;
  const { note: _, ...cells } = cellsOf(submission);
  const rows = Object.entries({ ...cells, requestId, recipient });
  if (submission.state === 'pending' && nextAttemptAt > 0) rows.push(['nextAttemptAt', isoTime(nextAttemptAt)]);
  for (const event of historyOf(submission)) rows.push(['history', Object.values(event).join(' ')]);
  for (const one of await new NotificationsRepository(storage.database).of(submission.id)) {
    const { kind, state, stateSince, attempts, lastError } = one;
    const words = `${isoTime(stateSince)} ${kind} ${state}, attempts: ${attempts} ${lastError ?? ''}`;
    rows.push(['notification', words.trimEnd()]);
  }
  for (const [name, value] of rows)
    if (value) await storage.terminal.printLine(`${name.padEnd(16)}${printable(String(value))}`);
}

async function writeFile({ terminal, files }: Storage, { id, resume }: Submission): Promise<void> {
  if (!resume) throw new OperatorError(`${id} has no file.`, EXIT.notFound);
  await terminal.writeBytes(await files.open(resume));
  terminal.note(`${resume.mediaType}, ${resume.size} bytes, SHA-256 ${resume.sha256}`);
}

export const registerExport: Register = (program, context) =>
  program
    .command('export')
    .description('write whole submissions as CSV to standard output')
    .addOption(stateOption().default('all'))
    .addOption(emailOption())
    .addOption(new Option('--form <form>', 'select the submissions of one form').choices(FORM_KINDS))
    .action(withStorage(context, exportSubmissions));

/** Writes whole submissions as a stream, so that their number does not matter. */
async function exportSubmissions(storage: Storage, selection: Selection): Promise<void> {
  const { terminal, database } = storage;
  const log = (references: readonly string[]) => terminal.note(auditLine('exported', references));
  await writeCsv(withAuditLog(select(storage, selection), database.pageRows, log), terminal.stdout, { end: false });
}

function columns(...cells: string[]): string {
  const widths = [22, 11, 11, 19, 8, 10];
  const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return padded.join('  ').trimEnd();
}

/** Replaces control characters, which could control the terminal (escape injection). */
function printable(value: string): string {
  return value.replace(/\r\n?|\n/g, '\n    ').replace(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
