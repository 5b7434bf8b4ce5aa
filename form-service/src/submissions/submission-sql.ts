import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/database.ts';
import type { SubmissionsTable } from '../database/schema.ts';
import { reasonOf } from './reasons.ts';
import type { HistoryEvent, Scope, Submission } from './submission.ts';

/** Columns of a `Submission`. */
export const SUBMISSION_COLUMNS = sql.raw(
  'id, form, state, state_since, content_digest, fields, resume, reasons, request_id, received_at, next_attempt_at, ' +
    'attempts, last_error, released_at, history, handled, handled_at, handled_by, note, noted_in_history, recipient',
);

/** Runs a statement that returns the {@link SUBMISSION_COLUMNS}, and maps its rows. */
export async function submissionsOf(database: Database, statement: RawBuilder<unknown>): Promise<Submission[]> {
  const rows = await database.rows<Submission & Pick<SubmissionsTable, 'reasons'>>(statement);
  return rows.map((row) => ({ ...row, reasons: row.reasons.map(reasonOf) }));
}

/** Status of a submission, as in the index of the lists. */
export const STATUS = sql.raw('coalesce(handled, state)');

/** Condition for the submissions of a scope, among rows that another condition finds by an index. */
export function isInScope({ forms, mailboxes = [] }: Scope): RawBuilder<unknown> {
  // `|| ''` keeps the database from using the indexes on form and mailbox.
  const isOfForm = sql`form || '' IN (${sql.join(forms)})`;
  return mailboxes.length === 0 ? isOfForm : sql`(${isOfForm} OR recipient || '' IN (${sql.join(mailboxes)}))`;
}

/** Returns an event as a line of the history. */
export const historyLine = (event: HistoryEvent & { readonly at?: string }, at = new Date()): string =>
  `${JSON.stringify({ at, ...event })}\n`;

/** Returns the history with an event appended. */
export const historyWith = (event: HistoryEvent, at = new Date()): RawBuilder<string> =>
  sql<string>`history || ${historyLine(event, at)}`;
