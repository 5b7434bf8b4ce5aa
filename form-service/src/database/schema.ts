import type { Insertable, Selectable } from 'kysely';
import type { FormKind, SubmissionState } from '../submissions/submission.ts';

/** One accepted submission. Times are milliseconds since the epoch; objects and lists are JSON texts, alike in both engines. */
export interface SubmissionsTable {
  id: string;
  form: FormKind;
  state: SubmissionState;
  /** When it came into its present state. */
  state_since: number;
  content_digest: string;
  /** In lower case, to find what one person sent. */
  email: string;
  fields: string;
  /** The résumé's metadata and the key of its bytes, or null for an enquiry. */
  resume: string | null;
  /** Why it was quarantined, by the spam filter or the virus scan. */
  reasons: string;
  canary: 0 | 1;
  request_id: string;
  received_at: number;
  /** Not to be tried before; 0 is at once. */
  next_attempt_at: number;
  attempts: number;
  last_error: string | null;
  released_at: number | null;
  /** Whoever holds this token may write what became of the submission. */
  lease_token: string | null;
  lease_until: number | null;
  /** An alert about its present state still has to be raised. */
  alert_due: 0 | 1;
}

/** Proof of an erasure, and what is applied again after a backup was restored. */
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
