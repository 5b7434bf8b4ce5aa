import type { ColumnType, Generated, Selectable } from 'kysely';

/** JSON in a text column of either database: read parsed, written as text. */
type Json<T, Null = never> = ColumnType<T | Null, string | Null, string | Null>;

/** One accepted submission; `Submission` says what its columns mean. Times are milliseconds since the epoch. */
export interface SubmissionsTable {
  id: string;
  form: string;
  state: string;
  stateSince: number;
  contentDigest: string;
  /** The address in the form of `normalizedEmail`, by which the submissions of one person are found. */
  email: string;
  fields: Json<unknown>;
  resume: Json<{ readonly key: string; readonly sha256: string }, null>;
  reasons: Json<readonly string[]>;
  requestId: string;
  receivedAt: number;
  nextAttemptAt: Generated<number>;
  attempts: Generated<number>;
  lastError: string | null;
  releasedAt: number | null;
  /** Only the worker that holds this token may write the result of the delivery. */
  leaseToken: string | null;
  leaseUntil: number | null;
  /** 1 while an alert about the present state still has to be raised. */
  alertDue: Generated<0 | 1>;
  /** A line of JSON for each event. */
  history: Generated<string>;
}

/** What is sent beside the mail, once for each submission and kind. */
export interface FollowUpsTable {
  submissionId: string;
  kind: 'acknowledgement' | 'webhook';
  state: Generated<'pending' | 'delivered' | 'failed'>;
  stateSince: number;
  attempts: Generated<number>;
  nextAttemptAt: Generated<number>;
  lastError: string | null;
  leaseToken: string | null;
  leaseUntil: number | null;
}

/** The proof of an erasure, which is applied again after a backup is restored. */
export interface ErasuresTable {
  id: string;
  erasedAt: number;
}

/** What the processes of one installation share, such as its id. */
export interface PropertiesTable {
  name: string;
  value: string;
}

export interface Schema {
  submissions: SubmissionsTable;
  followUps: FollowUpsTable;
  erasures: ErasuresTable;
  properties: PropertiesTable;
}

export type SubmissionRow = Selectable<SubmissionsTable>;
