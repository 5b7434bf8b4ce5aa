import { sql, type RawBuilder } from 'kysely';
import { FORM_KINDS } from '../contract/forms.ts';
import type { Database } from '../database/database.ts';
import type { SubmissionsTable } from '../database/schema.ts';
import type { Route, Scope } from './scope.ts';
import type { Expiring, HistoryEvent, ListFilter, ListPosition, Submission } from './submission.ts';

const COLUMNS = (
  'id form state stateSince contentDigest fields resume reasons requestId receivedAt nextAttemptAt attempts lastError ' +
  'releasedAt history handled handledAt handledBy recipient takenBy takenAt labels remindAt version'
).split(' ') as readonly (keyof SubmissionsTable)[];

/** Columns of a `Submission`. */
export const SUBMISSION_COLUMNS = sql.join(COLUMNS.map((column) => sql.ref(column)));

/** Reads submissions by id, in any order. With a scope, only those that it has. */
export function submissionsById(database: Database, ids: readonly string[], scope?: Scope): Promise<Submission[]> {
  const isFound = sql`id IN (${sql.join(ids)}) AND ${scope ? isInScope(scope) : sql`TRUE`}`;
  return database.rows(sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE ${isFound}`);
}

/** Status of a submission, as in the index of the lists. */
export const STATUS = sql<string>`coalesce(handled, state)`;

/** The value of a text column, which keeps the planner from an index on it: another one finds fewer rows. */
export const unindexed = (column: keyof SubmissionsTable | RawBuilder<string>): RawBuilder<string> =>
  sql`${typeof column === 'string' ? sql.ref(column) : column} || ''`;

/** Condition for the submissions of a scope, among rows that another condition finds by an index. */
export function isInScope({ forms, mailboxes = [], routes = [], recipients = [] }: Scope) {
  const ways = [
    sql`FALSE`,
    ...(forms.length > 0 ? [sql`${unindexed('form')} IN (${sql.join(forms)})`] : []),
    ...(mailboxes.length > 0 ? [sql`${unindexed('recipient')} IN (${sql.join(mailboxes)})`] : []),
    ...routes.map((route) => sql`${unindexed('form')} = ${route.form} AND ${isOnRoute(route, recipients)}`),
  ];
  return sql<boolean>`(${sql.join(ways, sql` OR `)})`;
}

function isOnRoute({ topic, except = [] }: Route, recipients: readonly string[]): RawBuilder<unknown> {
  const isUnchosen = sql`coalesce(recipient, '') NOT IN (${sql.join(recipients)})`;
  if (topic !== undefined) return sql`topic = ${topic} AND ${isUnchosen}`;
  return except.length > 0 ? sql`topic NOT IN (${sql.join(except)}) AND ${isUnchosen}` : isUnchosen;
}

/** Returns disjoint conditions for the submissions of a scope. Each is the beginning of an index. */
export function scopeParts({ forms, mailboxes = [], routes = [], recipients = [] }: Scope) {
  const others = FORM_KINDS.filter((form) => !forms.includes(form));
  return [
    ...forms.map((form) => sql`form = ${form}`),
    ...mailboxes.flatMap((mailbox) => others.map((form) => sql`recipient = ${mailbox} AND form = ${form}`)),
    ...routes.map((route) => sql`form = ${route.form} AND ${isOnRoute(route, recipients)}`),
  ];
}

/** Order of lists: the newest first. */
export const NEWEST_FIRST = sql`ORDER BY received_at DESC, id DESC`;

/**
 * Returns disjoint conditions for the submissions of a list. Each is the beginning of an index in the
 * order of the lists, so the database merges what they find without sorting. No index has the label.
 */
export function listParts({ statuses, since = 0, before, topic, takenBy, label, ...scope }: ListFilter) {
  const place = [sql`received_at >= ${since}`];
  if (topic !== undefined) place.push(sql`topic = ${topic}`);
  // PostgreSQL has no statistics for comparisons of rows. With the plain bound it uses the index.
  if (before) place.push(sql`received_at <= ${before.receivedAt}`, isBefore(before));
  if (label !== undefined) place.push(hasLabel(label));
  const isPlaced = sql.join(place, sql` AND `);
  if (takenBy === undefined)
    return scopeParts(scope).flatMap((part) =>
      statuses.map((status) => sql`${part} AND ${STATUS} = ${status} AND ${isPlaced}`),
    );
  const isListed = sql`${unindexed(STATUS)} IN (${sql.join(statuses)}) AND ${isInScope(scope)}`;
  return [sql`taken_by = ${takenBy} AND handled IS NULL AND ${isListed} AND ${isPlaced}`];
}

/**
 * Condition for a label. PostgreSQL has statistics for LIKE only without ESCAPE. A label with a wildcard therefore also
 * finds labels that are like it.
 */
export const hasLabel = (label: string): RawBuilder<unknown> => sql`labels LIKE ${`%\n${label}\n%`}`;

const isBefore = ({ receivedAt, id }: ListPosition) => sql`(received_at, id) < (${receivedAt}, ${id})`;

/** Condition for what retention deletes. The inner SELECT lets PostgreSQL compute the time once, and use the index. */
export function isOlder(database: Database, which: Expiring, ms: number): RawBuilder<boolean> {
  const limit = sql`(SELECT ${database.fromNow(-ms)})`;
  if ('mark' in which) return sql`handled = ${sql.lit(which.mark)} AND handled_at < ${limit}`;
  return sql`state IN (${sql.join(which.states)}) AND state_since < ${limit}`;
}

/** Table of any number of rows in one parameter, so that a statement has one text. Their properties become columns of text. */
export function jsonRows({ jsonElements }: Database, rows: readonly object[]): RawBuilder<unknown> {
  const columns = Object.keys(rows[0] ?? {}).map((name) => sql`value ->> ${sql.lit(name)} AS ${sql.ref(name)}`);
  return sql`(SELECT ${sql.join(columns)} FROM ${jsonElements}(${JSON.stringify(rows)}))`;
}

/** Condition: the submission has the version that a page showed, if there is one. */
export const isVersion = (version: number | undefined): RawBuilder<boolean> =>
  version === undefined ? sql`TRUE` : sql`version = ${version}`;

/** Returns the history with an event appended. */
export const historyWith = (event: HistoryEvent, at = new Date()): RawBuilder<string> =>
  sql<string>`history || ${`${JSON.stringify({ at, ...event })}\n`}`;
