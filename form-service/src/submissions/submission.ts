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

interface SubmissionBase {
  /** The reference that the visitor was given, for example `KW-3F9K-Q7TM-X2VD-8HNC`. It is the job's id too. */
  readonly id: string;
  readonly state: SubmissionState;
  /** When the submission came into its state, in ISO 8601, as all times here. */
  readonly since: string;
  readonly receivedAt: string;
  /** nginx's request id, by which a submission can be followed from the access log to the e-mail. */
  readonly requestId: string;
  /** SHA-256 of form, fields and file. It distinguishes a repeat from a different submission under the same key. */
  readonly contentDigest: string;
  /** The number of failed attempts since the submission was last made pending. */
  readonly attempts: number;
  /**
   * The last error, for example `SMTP 451`. It is a code alone, since a mail server's own words can hold an address.
   */
  readonly lastError?: string;
  /** When the next attempt is due, if it is postponed. */
  readonly nextAttemptAt?: string;
  /** When an operator released the submission. It is not quarantined again for the reasons that it had then. */
  readonly releasedAt?: string;
  /** Why the submission was quarantined, by the spam filter or the virus scan. The reasons stay when it is released. */
  readonly reasons: readonly string[];
}

export interface ContactSubmission extends SubmissionBase {
  readonly form: 'contact';
  readonly fields: Contact;
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
} & (
  | { readonly form: 'contact'; readonly fields: Contact }
  | { readonly form: 'application'; readonly fields: Application; readonly resume: ResumeFile }
);
