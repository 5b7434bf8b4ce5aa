import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { notesOf } from '../submissions/notes.ts';
import { storedReason } from '../submissions/reasons.ts';
import { historyOf, type Submission } from '../submissions/submission.ts';

/** Returns a submission for output: times in ISO 8601, the history as a list, without unset fields. */
export function printedOf(submission: Submission) {
  const { id, form, state, contentDigest, fields, requestId, attempts, lastError, recipient, resume } = submission;
  const { receivedAt, nextAttemptAt, releasedAt, handled, handledAt, handledBy } = submission;
  const note = notesOf(submission).at(-1)?.text;
  return {
    id,
    form,
    state,
    contentDigest,
    fields,
    requestId,
    attempts,
    reasons: submission.reasons.map(storedReason),
    since: isoTime(submission.stateSince),
    receivedAt: isoTime(receivedAt),
    ...(lastError !== null && { lastError }),
    ...(state === 'pending' && nextAttemptAt > 0 && { nextAttemptAt: isoTime(nextAttemptAt) }),
    ...(releasedAt !== null && { releasedAt: isoTime(releasedAt) }),
    ...(handled && { handled, handledBy }),
    ...(handledAt !== null && { handledAt: isoTime(handledAt) }),
    ...(note && { note }),
    ...(recipient && { recipient }),
    ...(resume && { resume }),
    history: historyOf(submission),
  };
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Columns of a table with submissions of both forms. */
const CSV_COLUMNS = [
  'reference',
  'form',
  'state',
  'reasons',
  'handled',
  'since',
  'receivedAt',
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
  'note',
];

/** Streams submissions as CSV for a spreadsheet. */
export async function writeCsv(
  submissions: AsyncIterable<Submission>,
  to: NodeJS.WritableStream,
  options: { end?: boolean } = {},
): Promise<void> {
  const csv = stringify({
    // Without a byte order mark Excel assumes a legacy encoding.
    bom: true,
    header: true,
    columns: CSV_COLUMNS,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]|^\s|\s$/,
    cast: { string: escapeFormula },
  });
  const cells = async function* () {
    for await (const one of submissions) yield cellsOf(one);
  };
  await pipeline(cells, csv, to, options);
}

/** Logs the references of an export a page at a time (audit log), and passes the submissions on. */
export async function* withAuditLog(
  submissions: AsyncIterable<Submission>,
  pageRows: number,
  log: (references: readonly string[]) => void,
): AsyncGenerator<Submission> {
  const references: string[] = [];
  try {
    for await (const one of submissions) {
      if (references.push(one.id) === pageRows) log(references.splice(0));
      yield one;
    }
  } finally {
    if (references.length > 0) log(references);
  }
}

function cellsOf(submission: Submission): Record<string, unknown> {
  const all = printedOf(submission);
  const note = notesOf(submission)
    .map(({ at, by = '', text }) => `${at} ${by}: ${text}`)
    .join('\n');
  const printed = { ...all, note, reasons: all.reasons.join(', ') };
  if (submission.form === 'contact') return { ...printed, ...submission.fields, reference: submission.id };
  const { fullName: name, coverLetter: message, ...fields } = submission.fields;
  const { name: resumeName, size: resumeSize } = submission.resume;
  return { ...printed, ...fields, reference: submission.id, name, message, resumeName, resumeSize };
}

/** Start of a spreadsheet formula, also after white space, which `escape_formulas` does not detect. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/** Prevents CSV injection: an apostrophe turns a formula into text. Visitors typed these values. */
function escapeFormula(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}
