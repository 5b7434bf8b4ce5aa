import type { Generated, Selectable } from 'kysely';

/** An accepted submission. Times are milliseconds since the epoch. `fields`, `resume` and `reasons` are JSON in text columns. */
export interface SubmissionsTable {
  /** Reference that the visitor received, for example `KW-3F9K-Q7TM-X2VD-8HNC`. It is also the id of the job. */
  readonly id: string;
  readonly form: string;
  readonly state: string;
  /** Time of the latest change of state. */
  readonly stateSince: number;
  /** SHA-256 of form, fields and file. It distinguishes a retry from another submission with the same idempotency key. */
  readonly contentDigest: string;
  /** Address as `normalizedEmail` returns it, to find the submissions of a person. */
  readonly email: string;
  /** Topic as `topicKey` returns it, such as a service or position. */
  readonly topic: string;
  readonly fields: unknown;
  readonly resume: SubmissionFile | null;
  /** Reasons for a quarantine: those of `SpamReason` and `virusReason`. They stay after a release. */
  readonly reasons: readonly string[];
  /** Request id of nginx, which links the access log to the e-mail. */
  readonly requestId: string;
  readonly receivedAt: number;
  /** Earliest time of the next attempt; 0 means immediately. */
  readonly nextAttemptAt: number;
  /** Failed attempts since the submission last became pending. */
  readonly attempts: number;
  /** Code of the last error, for example `SMTP 451`. The reply of the mail server is left out: it may contain an address. */
  readonly lastError: string | null;
  /** Time of a release. The submission is not quarantined again for the reasons that it had then. */
  readonly releasedAt: number | null;
  /** Fencing token: only the worker that holds it may write the result of the delivery. */
  readonly leaseToken: string | null;
  readonly leaseUntil: number | null;
  /** One line of JSON for each `HistoryEvent`, with its time `at` in ISO 8601. */
  readonly history: string;
  /** Mark of staff: `done` or `spam`. */
  readonly handled: string | null;
  readonly handledAt: number | null;
  /** User of the inbox who set the mark. */
  readonly handledBy: string | null;
  /** Mailbox chosen by staff instead of the configured one. */
  readonly recipient: string | null;
  /** User of the inbox who answers, and since when. */
  readonly takenBy: string | null;
  readonly takenAt: number | null;
  /** Labels of staff, each with a line break before and after it, so that one can be found by LIKE; or an empty text. */
  readonly labels: string;
  /** Time from which the submission is at the top of the list again. */
  readonly remindAt: number | null;
  /** Number of writes of staff. A form of an older version changes nothing. */
  readonly version: Generated<number>;
  /** Text of all fields as `searchTextOf` folds it, and of the notes. */
  readonly searchText: string;
}

/** The file of a submission, such as the résumé of an application. */
export interface SubmissionFile {
  /** Safe file name for HR's attachment, in the visitor's script. */
  readonly name: string;
  readonly mediaType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Hex digest of the bytes. */
  readonly sha256: string;
  /** Key in the storage. It never contains the visitor's file name. */
  readonly key: string;
}

/** A notification sent in addition to the mail: the acknowledgement to the visitor, or a post to a webhook. */
export type NotificationKind = 'acknowledgement' | 'webhook';

/** Notifications sent in addition to the main e-mail (transactional outbox), one for each submission and kind. */
export interface NotificationsTable {
  submissionId: string;
  kind: NotificationKind;
  state: Generated<'pending' | 'delivered' | 'failed'>;
  stateSince: number;
  attempts: Generated<number>;
  nextAttemptAt: Generated<number>;
  lastError: string | null;
  leaseToken: string | null;
  leaseUntil: number | null;
}

/** Tombstone of an erasure. It is applied again after a backup is restored. */
export interface ErasuresTable {
  id: string;
  erasedAt: number;
}

/** An erasure that is not complete. The worker retries until file and copies are removed. */
export interface ErasureCleanUpsTable {
  /** Key of the erased file, or the reference of a submission without one. */
  id: string;
  /** Key of the file that is still to be removed. */
  fileKey: string | null;
  /** Time of the erasure. */
  since: number;
}

/** Visits of a user to the inbox. Times are milliseconds since the epoch. */
export interface InboxVisitsTable {
  name: string;
  /** End of the previous visit. Submissions since then are shown as new. */
  newSince: number;
  /** Time of the latest request for the list. */
  lastAt: number;
}

/** Latest acknowledgement to a mailbox, kept for a day, to limit the mails that one address can get. */
export interface AcknowledgementsTable {
  /** MAC of the address, so that the table contains no personal data. */
  mailbox: string;
  submissionId: string;
  sentAt: number;
}

/** Progress of the digests to a recipient. */
export interface DigestsTable {
  recipient: string;
  /** End of the period that the latest digest covers. */
  until: number;
  /** Failed attempts since then, and the earliest time of the next one. While a worker sends the digest, that is its lease. */
  attempts: Generated<number>;
  nextAttemptAt: Generated<number>;
}

/** Last run of a task of the whole installation, or its progress. */
export interface LastRunsTable {
  task: 'archive' | 'backup';
  at: number;
  /** Number of résumés that the archive lacks. */
  filesMissing: Generated<number>;
}

/** Ids and secrets that the processes of an installation share. */
export interface PropertiesTable {
  name: string;
  value: string;
}

export interface Schema {
  submissions: SubmissionsTable;
  notifications: NotificationsTable;
  erasures: ErasuresTable;
  erasureCleanUps: ErasureCleanUpsTable;
  acknowledgements: AcknowledgementsTable;
  digests: DigestsTable;
  lastRuns: LastRunsTable;
  inboxVisits: InboxVisitsTable;
  properties: PropertiesTable;
}

export type SubmissionRow = Selectable<SubmissionsTable>;
