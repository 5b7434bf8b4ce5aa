import type { StoredSubmission, SubmissionStore } from '../storage/submission-store.ts';
import { csvRecord } from './csv.ts';
import { isFrom, select, type Selection } from './selection.ts';
import type { Terminal } from './terminal.ts';

interface ExportOptions extends Selection {
  readonly format: 'json' | 'csv';
  /** Only what one person sent: the right of access. */
  readonly email?: string;
}

const COLUMNS = [
  'reference',
  'form',
  'state',
  'receivedAt',
  'deliveredAt',
  'failedAt',
  'attempts',
  'lastError',
  'name',
  'email',
  'phone',
  'service',
  'position',
  'experience',
  'message',
  'resumeName',
  'resumeSize',
] as const;

/** `export`: whole submissions, one after the other, however many there are. */
export async function exportSubmissions(store: SubmissionStore, terminal: Terminal, options: ExportOptions): Promise<void> {
  if (options.format === 'csv') {
    await terminal.print(csvRecord(COLUMNS));
    for await (const one of chosen(store, options)) await terminal.print(csvRecord(cellsOf(one)));
    return;
  }
  let separator = '[\n';
  for await (const { state, submission } of chosen(store, options)) {
    await terminal.print(separator + JSON.stringify({ state, ...submission }));
    separator = ',\n';
  }
  await terminal.printLine(separator === '[\n' ? '[]' : '\n]');
}

async function* chosen(store: SubmissionStore, options: ExportOptions): AsyncIterable<StoredSubmission> {
  for await (const one of select(store, options)) {
    if (options.email === undefined || isFrom(one.submission, options.email)) yield one;
  }
}

function cellsOf({ state, submission }: StoredSubmission): (string | number | undefined)[] {
  const { id: reference, form, receivedAt, delivery } = submission;
  const cells: Partial<Record<(typeof COLUMNS)[number], string | number>> = { reference, form, state, receivedAt, ...delivery };
  if (submission.form === 'contact') Object.assign(cells, submission.fields);
  else {
    const { fullName: name, coverLetter: message, ...fields } = submission.fields;
    Object.assign(cells, fields, { name, message, resumeName: submission.resume.name, resumeSize: submission.resume.size });
  }
  return COLUMNS.map((column) => cells[column]);
}
