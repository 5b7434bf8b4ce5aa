import type { FieldRole, Form } from '../contract/define-form.ts';
import { FORMS } from '../contract/forms.ts';
import { pipeline } from 'node:stream/promises';
import { LOCALE } from '../contract/locale.ts';
import { serviceWords } from '../contract/service-words.ts';
import { notesOf, labelsOf, type Submission } from '../submissions/submission.ts';

export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Columns of the fields with a role, which all forms share. */
const ROLE_COLUMNS: { readonly [role in FieldRole]?: string } = {
  sender: 'name',
  email: 'email',
  phone: 'phone',
  body: 'message',
};

/** Columns of every submission, before and after those of the fields. */
const HEAD = ['reference', 'form', 'state', 'reasons', 'handled', 'since', 'receivedAt', 'attempts', 'lastError'];
const TAIL = ['fileName', 'fileSize', 'note', 'takenBy', 'labels', 'remindAt'];
const TAKEN: ReadonlySet<string> = new Set([...HEAD, ...TAIL, ...Object.values(ROLE_COLUMNS)]);

/** Column of each field of a form, also of those that are no longer asked. */
const columnsOf = ({ kind, fields, retiredFields }: Form): ReadonlyMap<string, string> =>
  new Map(
    [...fields, ...retiredFields]
      .filter(({ input }) => input !== 'file')
      .map(({ name, role }) => [name, (role && ROLE_COLUMNS[role]) ?? (TAKEN.has(name) ? `${kind}.${name}` : name)]),
  );

const COLUMNS = new Map(FORMS.map((form) => [form.kind, columnsOf(form)]));
const FIELDS = [...COLUMNS.values()].flatMap((columns) => [...columns.values()]);
const KEYS = [
  ...HEAD,
  ...new Set(['name', 'email', 'phone', ...FIELDS.filter((column) => column !== 'message'), 'message']),
  ...TAIL,
];

/** Heads of the columns of fields: the label in the first form that has the column. */
const LABELS = new Map(
  FORMS.toReversed().flatMap(({ kind, fields, retiredFields }) =>
    [...fields, ...retiredFields].map(({ name, label }) => [COLUMNS.get(kind)?.get(name), label]),
  ),
);
const WORDS: Readonly<Record<string, string>> = serviceWords('submissions').columns;
/** A column with the name of its form in front has a label that another column has too, so its name is its head. */
const headerOf = (key: string) => WORDS[key] ?? (key.includes('.') ? key : (LABELS.get(key) ?? key));

/** Spreadsheets of languages with a decimal comma expect semicolons, and show one column otherwise. */
const DELIMITER = new Intl.NumberFormat(LOCALE).format(1.5).includes(',') ? ';' : ',';

/** Streams submissions as CSV for a spreadsheet. */
export async function writeCsv(
  submissions: AsyncIterable<Submission>,
  to: NodeJS.WritableStream,
  options: { end?: boolean } = {},
): Promise<void> {
  const rows = async function* () {
    // Without a byte order mark Excel assumes a legacy encoding. Nothing is sent before the audit log has the first page.
    let head = `\ufeff${rowOf(KEYS.map(headerOf))}`;
    for await (const one of submissions) {
      const cells = cellsOf(one);
      yield head + rowOf(KEYS.map((key) => cells[key] ?? ''));
      head = '';
    }
    yield head;
  };
  await pipeline(rows, to, options);
}

/**
 * Passes submissions on a page at a time, and logs the references of each page before (audit log). So an export that is
 * aborted, or whose process is killed, is in the log.
 */
export async function* withAuditLog(
  submissions: AsyncIterable<Submission>,
  pageRows: number,
  log: (references: readonly string[]) => void,
): AsyncGenerator<Submission> {
  let page: Submission[] = [];
  const logged = () => {
    const all = page;
    page = [];
    if (all.length > 0) log(all.map(({ id }) => id));
    return all;
  };
  for await (const one of submissions) if (page.push(one) === pageRows) yield* logged();
  yield* logged();
}

/** Describes a submission by the names of the columns, with times in ISO 8601. A CSV file and `show` have these values. */
export function cellsOf(submission: Submission): Record<string, unknown> {
  const { id, form, state, handled, attempts, lastError, resume, takenBy, remindAt } = submission;
  const columns = COLUMNS.get(form);
  const notes = notesOf(submission).map(({ at, by = '', text }) => `${at} ${by}: ${text}`);
  return {
    ...Object.fromEntries(
      Object.entries(submission.fields).map(([name, value]) => [columns?.get(name) ?? name, value]),
    ),
    reference: id,
    form,
    state,
    reasons: submission.reasons.join(', '),
    handled,
    since: isoTime(submission.stateSince),
    receivedAt: isoTime(submission.receivedAt),
    attempts,
    lastError,
    fileName: resume?.name,
    fileSize: resume?.size,
    note: notes.join('\n'),
    takenBy,
    labels: labelsOf(submission).join(', '),
    remindAt: remindAt === null ? '' : isoTime(remindAt),
  };
}

/** Returns a row as RFC 4180 defines it. */
const rowOf = (cells: readonly unknown[]) =>
  `${cells.map((cell) => quoted(escapeFormula(String(cell)))).join(DELIMITER)}\r\n`;

const quoted = (text: string) =>
  /["\r\n]|^\s|\s$/.test(text) || text.includes(DELIMITER) ? `"${text.replaceAll('"', '""')}"` : text;

/** Start of a spreadsheet formula, also after white space. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/** Prevents CSV injection: an apostrophe turns a formula into text. Visitors typed these values. */
function escapeFormula(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}
