import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/database.ts';
import type { SubmissionRow, SubmissionsTable } from '../database/schema.ts';
import { reasonOf } from './reasons.ts';
import type { Expiring, HistoryEvent, Scope, Submission } from './submission.ts';

/** Columns of a `Submission`. */
const COLUMNS = (
  'id form state stateSince contentDigest fields resume reasons requestId receivedAt nextAttemptAt attempts lastError ' +
  'releasedAt history handled handledAt handledBy note notedInHistory recipient takenBy takenAt labels remindAt'
).split(' ') as readonly (keyof SubmissionsTable)[];

/** Columns of a `Submission`, for a statement that {@link submissionsOf} runs. */
export const SUBMISSION_COLUMNS = sql.join(COLUMNS.map((column) => sql.ref(column)));

/** Runs a statement that returns the {@link SUBMISSION_COLUMNS}, and maps its rows. */
export async function submissionsOf(database: Database, statement: RawBuilder<unknown>): Promise<Submission[]> {
  return (await database.rows<SubmissionRow>(statement)).map(submissionOf);
}

/** Reads submissions by id, in any order. */
export async function submissionsById(database: Database, ids: readonly string[]): Promise<Submission[]> {
  const rows = await database.run((db) =>
    db.selectFrom('submissions').select(COLUMNS).where('id', 'in', ids).execute(),
  );
  return rows.map(submissionOf);
}

const submissionOf = (row: SubmissionRow) => ({ ...row, reasons: row.reasons.map(reasonOf) }) as Submission;

/** Status of a submission, as in the index of the lists. */
export const STATUS = sql<string>`coalesce(handled, state)`;

/** The value of a text column, which keeps the planner from an index on it: another one finds fewer rows. */
export const unindexed = (column: keyof SubmissionsTable | RawBuilder<string>): RawBuilder<string> =>
  sql`${typeof column === 'string' ? sql.ref(column) : column} || ''`;

/** Condition for the submissions of a scope, among rows that another condition finds by an index. */
export function isInScope({ forms, mailboxes = [] }: Scope): RawBuilder<boolean> {
  const isOfForm = sql<boolean>`${unindexed('form')} IN (${sql.join(forms)})`;
  if (mailboxes.length === 0) return isOfForm;
  return sql`(${isOfForm} OR ${unindexed('recipient')} IN (${sql.join(mailboxes)}))`;
}

/** Condition for what retention deletes. The inner SELECT lets PostgreSQL compute the time once, and use the index. */
export function isOlder(database: Database, which: Expiring, ms: number): RawBuilder<boolean> {
  const limit = sql`(SELECT ${database.fromNow(-ms)})`;
  if ('mark' in which) return sql`handled = ${sql.lit(which.mark)} AND handled_at < ${limit}`;
  return sql`state IN (${sql.join(which.states)}) AND state_since < ${limit}`;
}

/**
 * Table of any number of rows in one parameter, so that a statement has one text.
 *
 * @param rows have the same properties, which become columns of text
 * @param numbers columns with integers
 */
export function jsonRows(
  { jsonElements }: Database,
  rows: readonly object[],
  numbers: readonly string[] = [],
): RawBuilder<unknown> {
  const columns = Object.keys(rows[0] ?? {}).map((name) => {
    const text = sql`value ->> ${sql.lit(name)}`;
    return sql`${numbers.includes(name) ? sql`CAST(${text} AS bigint)` : text} AS ${sql.ref(name)}`;
  });
  return sql`(SELECT ${sql.join(columns)} FROM ${jsonElements}(${JSON.stringify(rows)}))`;
}

/** Condition for any number of ids. */
export function isOneOf(database: Database, ids: readonly string[]): RawBuilder<boolean> {
  const rows = ids.map((id) => ({ id }));
  return sql`id IN ${jsonRows(database, rows)}`;
}

/** Returns an event as a line of the history. */
export const historyLine = (event: HistoryEvent & { readonly at?: string }, at = new Date()): string =>
  `${JSON.stringify({ at, ...event })}\n`;

/** Returns the history with an event appended. */
export const historyWith = (event: HistoryEvent, at = new Date()): RawBuilder<string> =>
  sql<string>`history || ${historyLine(event, at)}`;
