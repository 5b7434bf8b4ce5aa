import { sql, type RawBuilder } from 'kysely';
import { FORM_KINDS } from '../contract/forms.ts';
import type { Database } from '../database/database.ts';
import type { SubmissionRow, SubmissionsTable } from '../database/schema.ts';
import { TOPIC_SQL, type Topic } from '../database/topic-key.ts';
import { reasonOf } from './reasons.ts';
import type { Expiring, HistoryEvent, ListFilter, Route, Scope, Submission } from './submission.ts';

/** Columns of a `Submission`. */
const COLUMNS = (
  'id form state stateSince contentDigest fields resume reasons requestId receivedAt nextAttemptAt attempts lastError ' +
  'releasedAt history handled handledAt handledBy recipient takenBy takenAt labels remindAt version'
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
export function isInScope(database: Database, { forms, mailboxes = [], routes = [], recipients = [] }: Scope) {
  const ways = [
    sql`FALSE`,
    ...(forms.length > 0 ? [sql`${unindexed('form')} IN (${sql.join(forms)})`] : []),
    ...(mailboxes.length > 0 ? [sql`${unindexed('recipient')} IN (${sql.join(mailboxes)})`] : []),
    ...routes.map((route) => sql`${unindexed('form')} = ${route.form} AND ${isOnRoute(database, route, recipients)}`),
  ];
  return sql<boolean>`(${sql.join(ways, sql` OR `)})`;
}

const isOfTopic = ({ engine }: Database, { key, line }: Topic): RawBuilder<unknown> => {
  const isOfKey = sql`${sql.raw(TOPIC_SQL[engine].key)} = ${key}`;
  return line === undefined ? isOfKey : sql`${isOfKey} AND ${sql.raw(TOPIC_SQL[engine].line)} = ${line}`;
};

function isOnRoute(database: Database, { topic, except = [] }: Route, recipients: readonly string[]) {
  const alike = except.filter(({ line }) => line !== undefined).map((one) => sql`NOT (${isOfTopic(database, one)})`);
  const keys = except.filter(({ line }) => line === undefined).map(({ key }) => key);
  const isOther = keys.length > 0 ? [sql`${sql.raw(TOPIC_SQL[database.engine].key)} NOT IN (${sql.join(keys)})`] : [];
  const isUnchosen = sql`coalesce(recipient, '') NOT IN (${sql.join(recipients)})`;
  return sql.join([...(topic ? [isOfTopic(database, topic)] : isOther), ...alike, isUnchosen], sql` AND `);
}

/** Returns disjoint conditions for the submissions of a scope. Each is the beginning of an index. */
export function scopeParts(database: Database, { forms, mailboxes = [], routes = [], recipients = [] }: Scope) {
  const others = FORM_KINDS.filter((form) => !forms.includes(form));
  return [
    ...forms.map((form) => sql`form = ${form}`),
    ...mailboxes.flatMap((mailbox) => others.map((form) => sql`recipient = ${mailbox} AND form = ${form}`)),
    ...routes.map((route) => sql`form = ${route.form} AND ${isOnRoute(database, route, recipients)}`),
  ];
}

/** Number of combinations of labels whose lists are merged. */
const MERGED_MAX = 50;

/** Order of lists: the newest first. */
export const NEWEST_FIRST = sql`ORDER BY received_at DESC, id DESC`;
/** The other way round, to find what is next to a submission. */
export const OLDEST_FIRST = sql`ORDER BY received_at, id`;

/**
 * Returns disjoint conditions for the submissions of a list. Each is the beginning of an index in the order of the lists,
 * so the database merges what they find without sorting.
 *
 * @param labelSets values of the column `labels` that contain the label of the filter
 */
export function listParts(
  database: Database,
  { statuses, since = 0, before, after, topic, takenBy, label, ...scope }: ListFilter,
  labelSets: readonly string[] = [],
): RawBuilder<unknown>[] {
  const isOf = topic && isOfTopic(database, topic);
  // PostgreSQL has no statistics for comparisons of rows. With the plain bound it uses the index.
  const isAfter =
    before &&
    sql`received_at <= ${before.receivedAt}
    AND (received_at, id) < (${before.receivedAt}, ${before.id})`;
  const isNewer = after && sql`(received_at, id) > (${after.receivedAt}, ${after.id})`;
  const place = sql.join(
    [sql`received_at >= ${Math.max(since, after?.receivedAt ?? 0)}`, isOf, isAfter, isNewer].flatMap(
      (one) => one ?? [],
    ),
    sql` AND `,
  );
  if (takenBy === undefined && label === undefined)
    return scopeParts(database, scope).flatMap((part) =>
      statuses.map((status) => sql`${part} AND ${STATUS} = ${status} AND ${place}`),
    );
  const isListed = sql`${unindexed(STATUS)} IN (${sql.join(statuses)}) AND ${isInScope(database, scope)} AND ${place}`;
  if (label === undefined) return [sql`taken_by = ${takenBy} AND handled IS NULL AND ${isListed}`];
  const isTaken = takenBy === undefined ? sql`TRUE` : sql`${unindexed('takenBy')} = ${takenBy} AND handled IS NULL`;
  const ranges = labelSets.map((set) => sql`labels = ${set}`);
  // SQLite limits the number of lists in a union; a sort takes longer than a merge.
  const isAny = ranges.length > MERGED_MAX ? [sql`labels IN (${sql.join(labelSets)})`] : ranges;
  return isAny.map((range) => sql`${range} AND labels <> '' AND ${isTaken} AND ${isListed}`);
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

/** Condition: the submission has the version that a page showed, if there is one. */
export const isVersion = (version: number | undefined): RawBuilder<boolean> =>
  version === undefined ? sql`TRUE` : sql`version = ${version}`;

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
