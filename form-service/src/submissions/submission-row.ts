import { sql } from 'kysely';
import type { NewSubmissionRow, SubmissionRow } from '../database/schema.ts';
import type { NewSubmission, Submission } from './submission.ts';

/** The number of rows that one statement of a long read or a clean-up takes. */
export const PAGE = 500;

/** The value is written out and not a parameter: only then does SQLite use the partial index of pending submissions. */
export const PENDING = sql.lit<'pending'>('pending');

/** The form of an e-mail address in which addresses are compared, since people ignore case. */
export function normalizedEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** @param now milliseconds since the epoch */
export function toRow(submission: NewSubmission, now: number): NewSubmissionRow {
  return {
    id: submission.id,
    form: submission.form,
    state: submission.quarantined ? 'quarantined' : 'pending',
    state_since: now,
    content_digest: submission.contentDigest,
    email: normalizedEmail(submission.fields.email),
    fields: JSON.stringify(submission.fields),
    resume: submission.form === 'application' ? JSON.stringify(submission.resume) : null,
    reasons: JSON.stringify(submission.reasons),
    canary: 0,
    request_id: submission.requestId,
    received_at: now,
    next_attempt_at: 0,
    attempts: 0,
    last_error: null,
    released_at: null,
    lease_token: null,
    lease_until: null,
    alert_due: 0,
  };
}

export function toSubmission(row: SubmissionRow): Submission {
  const { last_error: lastError, next_attempt_at: nextAttemptAt, released_at: releasedAt } = row;
  const base = {
    id: row.id,
    state: row.state,
    since: isoTime(row.state_since),
    receivedAt: isoTime(row.received_at),
    requestId: row.request_id,
    contentDigest: row.content_digest,
    attempts: row.attempts,
    ...(lastError !== null && { lastError }),
    ...(row.state === 'pending' && nextAttemptAt > 0 && { nextAttemptAt: isoTime(nextAttemptAt) }),
    ...(releasedAt !== null && { releasedAt: isoTime(releasedAt) }),
    reasons: JSON.parse(row.reasons) as string[],
  };
  const fields = JSON.parse(row.fields) as never;
  return row.form === 'contact'
    ? { ...base, form: row.form, fields }
    : { ...base, form: row.form, fields, resume: JSON.parse(row.resume ?? 'null') as never };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
