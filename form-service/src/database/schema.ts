import type { Insertable, Selectable } from 'kysely';
import type { FormKind, SubmissionState } from '../submissions/submission.ts';

/**
 * One accepted submission. Times are milliseconds since the epoch; objects and lists are JSON texts in both engines.
 */
export interface SubmissionsTable {
  id: string;
  form: FormKind;
  state: SubmissionState;
  /** When the submission came into its present state. */
  state_since: number;
  content_digest: string;
  /** The address in lower case, by which the submissions of one person are found. */
  email: string;
  fields: string;
  /** The metadata of the résumé and the key of its bytes, or null for an enquiry. */
  resume: string | null;
  /** Why the submission was quarantined, by the spam filter or the virus scan. */
  reasons: string;
  canary: 0 | 1;
  request_id: string;
  received_at: number;
  /** The next attempt is not made before this time; 0 means at once. */
  next_attempt_at: number;
  attempts: number;
  last_error: string | null;
  released_at: number | null;
  /** Only the worker that holds this token may write the result of the delivery. */
  lease_token: string | null;
  lease_until: number | null;
  /** 1 while an alert about the present state still has to be raised. */
  alert_due: 0 | 1;
}

/** The proof of an erasure, which is applied again after a backup is restored. */
export interface ErasuresTable {
  id: string;
  erased_at: number;
}

export interface Schema {
  submissions: SubmissionsTable;
  erasures: ErasuresTable;
}

export type SubmissionRow = Selectable<SubmissionsTable>;
export type NewSubmissionRow = Insertable<SubmissionsTable>;
