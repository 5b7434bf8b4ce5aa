import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';

/**
 * Where a submission stands: pending, then delivered or failed. Quarantined is set on arrival by the spam filter or
 * later by the virus scan. An operator's resend or release makes it pending again.
 */
export const SUBMISSION_STATES = ['pending', 'delivered', 'failed', 'quarantined'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export const FORM_KINDS = ['contact', 'application'] as const;
export type FormKind = (typeof FORM_KINDS)[number];

/** What a submission counts as in figures. A canary has a label of its own, so that no figure about visitors holds it. */
export const FORM_LABELS = [...FORM_KINDS, 'canary'] as const;
export type FormLabel = (typeof FORM_LABELS)[number];

/** The résumé of an application. */
export interface ResumeFile {
  /** Safe display name, in the visitor's own script; what HR's attachment is called. */
  readonly name: string;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** Hex digest of the bytes. */
  readonly sha256: string;
  /** Where the bytes are; never the visitor's name for them. */
  readonly key: string;
}

interface SubmissionBase {
  /** The reference the visitor was given, for example `KW-3F9K-Q7TM-X2VD-8HNC`. Also the job's id. */
  readonly id: string;
  readonly state: SubmissionState;
  /** When it came into its state, ISO 8601, as all times here. */
  readonly since: string;
  readonly receivedAt: string;
  /** Request id from nginx, to follow a submission from access log to e-mail. */
  readonly requestId: string;
  /** SHA-256 of form, fields and file: tells a repeat from a different submission under the same key. */
  readonly contentDigest: string;
  /** Failed attempts since it was last made pending. */
  readonly attempts: number;
  /** For example `SMTP 451`: a code alone, since a mail server's own words can hold an address. */
  readonly lastError?: string;
  /** When it is tried again, if it is put off. */
  readonly nextAttemptAt?: string;
  /** When an operator vouched for it, whatever its reasons then were: for those it is not quarantined again. */
  readonly releasedAt?: string;
  /** Why it was quarantined, by the spam filter or the virus scan. They stay when it is released. */
  readonly reasons: readonly string[];
}

export interface ContactSubmission extends SubmissionBase {
  readonly form: 'contact';
  /** One of our own, sent to see whether the whole path works: mailed to `CANARY_INBOX`, never to sales. */
  readonly canary: boolean;
  readonly fields: Contact;
}

export interface ApplicationSubmission extends SubmissionBase {
  readonly form: 'application';
  readonly fields: Application;
  readonly resume: ResumeFile;
}

/** One accepted submission. */
export type Submission = ContactSubmission | ApplicationSubmission;

/** What arrives: everything of a submission that the repository does not add itself. */
export type NewSubmission = {
  readonly id: string;
  readonly quarantined: boolean;
  readonly requestId: string;
  readonly contentDigest: string;
  readonly reasons: readonly string[];
} & (
  | { readonly form: 'contact'; readonly canary: boolean; readonly fields: Contact }
  | { readonly form: 'application'; readonly fields: Application; readonly resume: ResumeFile }
);

export function labelOf(submission: Pick<Submission, 'form'> & { readonly canary?: boolean }): FormLabel {
  return submission.canary ? 'canary' : submission.form;
}
