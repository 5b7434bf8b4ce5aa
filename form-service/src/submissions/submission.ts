import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';

/**
 * The states of a submission: pending, then delivered or failed. It is quarantined on arrival by the spam filter, or
 * later by the virus scan. An operator's resend or release makes it pending again.
 */
export const SUBMISSION_STATES = ['pending', 'delivered', 'failed', 'quarantined'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export const FORM_KINDS = ['contact', 'application'] as const;
export type FormKind = (typeof FORM_KINDS)[number];

/** What is sent beside the mail: a thank-you to the visitor, and a post to another program. */
export const FOLLOW_UP_KINDS = ['acknowledgement', 'webhook'] as const;
export type FollowUpKind = (typeof FOLLOW_UP_KINDS)[number];

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

/** What happened to a submission. The history is a text with one such line of JSON for each event. */
export interface HistoryEvent {
  readonly event: 'attempt' | 'delivered' | 'failed' | 'quarantined' | 'released' | 'sent again' | 'downloaded';
  /** The mail server's code, or ours, for example `SMTP 451`. */
  readonly code?: string;
  /** The mail server's words. They may hold an address: they are never logged. */
  readonly reply?: string;
  /** Who did it. */
  readonly by?: string | undefined;
}

/** What the mail server said about an attempt. */
export type EventDetail = Pick<HistoryEvent, 'code' | 'reply'>;

/** A stored submission. All times are milliseconds since the epoch. */
interface SubmissionBase {
  /** The reference that the visitor was given, for example `KW-3F9K-Q7TM-X2VD-8HNC`. It is the job's id too. */
  readonly id: string;
  readonly state: SubmissionState;
  /** When the submission came into its state. */
  readonly stateSince: number;
  readonly receivedAt: number;
  /** nginx's request id, by which a submission can be followed from the access log to the e-mail. */
  readonly requestId: string;
  /** SHA-256 of form, fields and file. It distinguishes a repeat from a different submission under the same key. */
  readonly contentDigest: string;
  /** The number of failed attempts since the submission was last made pending. */
  readonly attempts: number;
  /**
   * The last error, for example `SMTP 451`. It is a code alone, since a mail server's own words can hold an address.
   */
  readonly lastError: string | null;
  /** The next attempt is not made before this time; 0 means at once. */
  readonly nextAttemptAt: number;
  /** When an operator released the submission. It is not quarantined again for the reasons that it had then. */
  readonly releasedAt: number | null;
  /** Why the submission was quarantined, by the spam filter or the virus scan. The reasons stay when it is released. */
  readonly reasons: readonly string[];
  /** A line of JSON for each {@link HistoryEvent}, with its time `at` in ISO 8601. */
  readonly history: string;
}

export interface ContactSubmission extends SubmissionBase {
  readonly form: 'contact';
  readonly fields: Contact;
  readonly resume: null;
}

export interface ApplicationSubmission extends SubmissionBase {
  readonly form: 'application';
  readonly fields: Application;
  readonly resume: ResumeFile;
}

/** One accepted submission. */
export type Submission = ContactSubmission | ApplicationSubmission;

/** A submission as it arrives, without what the repository adds. */
export type NewSubmission = {
  readonly id: string;
  readonly quarantined: boolean;
  readonly requestId: string;
  readonly contentDigest: string;
  readonly reasons: readonly string[];
  /** What is to be sent beside the mail. */
  readonly followUps?: readonly FollowUpKind[];
} & (
  | { readonly form: 'contact'; readonly fields: Contact }
  | { readonly form: 'application'; readonly fields: Application; readonly resume: ResumeFile }
);

/** The right to deliver a submission and to write the result, until another worker takes it over. */
export interface Lease {
  readonly submission: Submission;
  readonly token: string;
}

/** The submissions that an operator asks for. */
export interface Selection {
  readonly states: readonly SubmissionState[];
  /** Only those that were received longer than so many milliseconds ago. */
  readonly olderThan?: number;
  readonly email?: string;
  /** Only those that came into their state in this period, in milliseconds since the epoch. */
  readonly stateFrom?: number | undefined;
  readonly stateUntil?: number;
}

/** Figures about the submissions that are not delivered. */
export interface Backlog {
  readonly pending: number;
  readonly failed: number;
  readonly quarantined: number;
  /** The time that the oldest has been pending, or 0 when there is none. */
  readonly oldestPendingMs: number;
}

/** A failed or quarantined submission that nobody dealt with is deleted after so many days. */
export const UNDELIVERED_RETENTION_DAYS = 90;

/** When a submission is deleted that nobody deals with, in milliseconds since the epoch. */
export const deletedAt = ({ stateSince }: Pick<Submission, 'stateSince'>): number =>
  stateSince + UNDELIVERED_RETENTION_DAYS * 86_400_000;

/** The lines of a history, the oldest first. */
export function historyOf({ history }: Pick<Submission, 'history'>): (HistoryEvent & { readonly at: string })[] {
  return history
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HistoryEvent & { readonly at: string });
}
