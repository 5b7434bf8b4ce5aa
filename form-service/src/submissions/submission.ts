import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';
import type { FollowUpsTable, ResumeFile, SubmissionsTable } from '../database/schema.ts';

/**
 * The states of a submission: pending, then delivered or failed. It is quarantined on arrival by the spam filter, or
 * later by the virus scan. An operator's resend or release makes it pending again.
 */
export const SUBMISSION_STATES = ['pending', 'delivered', 'failed', 'quarantined'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export const FORM_KINDS = ['contact', 'application'] as const;
export type FormKind = (typeof FORM_KINDS)[number];

/** What is sent beside the mail: a thank-you to the visitor, and a post to another program. */
export type FollowUpKind = FollowUpsTable['kind'];

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

/** The columns of a submission that only the repository needs. */
type Internal = 'email' | 'leaseToken' | 'leaseUntil' | 'alertDue';

interface Stored extends Omit<SubmissionsTable, Internal> {
  readonly state: SubmissionState;
}

export interface ContactSubmission extends Stored {
  readonly form: 'contact';
  readonly fields: Contact;
  readonly resume: null;
}

export interface ApplicationSubmission extends Stored {
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
