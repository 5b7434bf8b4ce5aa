import type { Generated, Selectable } from 'kysely';

/**
 * One accepted submission. All times are milliseconds since the epoch. `fields`, `resume` and `reasons` are JSON in a
 * column of text, which is read parsed.
 */
export interface SubmissionsTable {
  /** The reference that the visitor was given, for example `KW-3F9K-Q7TM-X2VD-8HNC`. It is the job's id too. */
  readonly id: string;
  readonly form: string;
  readonly state: string;
  /** When the submission came into its state. */
  readonly stateSince: number;
  /** SHA-256 of form, fields and file. It distinguishes a repeat from a different submission under the same key. */
  readonly contentDigest: string;
  /** The address in the form of `normalizedEmail`, by which the submissions of one person are found. */
  readonly email: string;
  readonly fields: unknown;
  readonly resume: ResumeFile | null;
  /** Why the submission was quarantined, by the spam filter or the virus scan. The reasons stay when it is released. */
  readonly reasons: readonly string[];
  /** nginx's request id, by which a submission can be followed from the access log to the e-mail. */
  readonly requestId: string;
  readonly receivedAt: number;
  /** The next attempt is not made before this time; 0 means at once. */
  readonly nextAttemptAt: number;
  /** The number of failed attempts since the submission was last made pending. */
  readonly attempts: number;
  /**
   * The last error, for example `SMTP 451`. It is a code alone, since a mail server's own words can hold an address.
   */
  readonly lastError: string | null;
  /** When an operator released the submission. It is not quarantined again for the reasons that it had then. */
  readonly releasedAt: number | null;
  /** Only the worker that holds this token may write the result of the delivery. */
  readonly leaseToken: string | null;
  readonly leaseUntil: number | null;
  /** 1 while an alert about the present state still has to be raised. */
  readonly alertDue: 0 | 1;
  /** A line of JSON for each `HistoryEvent`, with its time `at` in ISO 8601. */
  readonly history: string;
}

/** The résumé of an application. */
export interface ResumeFile {
  /** The safe name of HR's attachment, in the visitor's own script. */
  readonly name: string;
  readonly mediaType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Hex digest of the bytes. */
  readonly sha256: string;
  /** The key of the bytes in the storage, which never holds the visitor's file name. */
  readonly key: string;
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
