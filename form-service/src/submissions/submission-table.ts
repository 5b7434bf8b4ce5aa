import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { historyOf, type Submission } from './submission.ts';

/** A submission as it is printed: times in ISO 8601, the history as a list, and nothing that is not set. */
export function printedOf(submission: Submission) {
  const { stateSince, receivedAt, nextAttemptAt, lastError, releasedAt, resume, history, ...rest } = submission;
  return {
    ...rest,
    since: isoTime(stateSince),
    receivedAt: isoTime(receivedAt),
    ...(lastError !== null && { lastError }),
    ...(rest.state === 'pending' && nextAttemptAt > 0 && { nextAttemptAt: isoTime(nextAttemptAt) }),
    ...(releasedAt !== null && { releasedAt: isoTime(releasedAt) }),
    ...(resume && { resume }),
    history: historyOf({ history }),
  };
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The columns of a table that holds submissions of both forms. */
const CSV_COLUMNS = [
  'reference',
  'form',
  'state',
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
];

/** Writes submissions as CSV for a spreadsheet, one after the other, however many there are. */
export async function writeCsv(
  submissions: AsyncIterable<Submission>,
  to: NodeJS.WritableStream,
  options: { end?: boolean } = {},
): Promise<void> {
  const csv = stringify({
    // Without the byte order mark Excel takes the text for its own old encoding.
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

function cellsOf(submission: Submission): Record<string, unknown> {
  const printed = printedOf(submission);
  if (submission.form === 'contact') return { ...printed, ...submission.fields, reference: submission.id };
  const { fullName: name, coverLetter: message, ...fields } = submission.fields;
  const { name: resumeName, size: resumeSize } = submission.resume;
  return { ...printed, ...fields, reference: submission.id, name, message, resumeName, resumeSize };
}

/** The beginning of a formula in spreadsheets, also after white space, where `escape_formulas` does not look. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/**
 * Turns a formula into a text by an apostrophe: visitors typed these values, and operators open them in spreadsheets.
 */
function escapeFormula(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}
