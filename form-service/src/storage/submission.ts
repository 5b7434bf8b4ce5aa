import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';

/**
 * Where a submission stands. It moves one way: pending, then delivered or failed; quarantined is set aside on arrival
 * or by the virus scan. An operator's resend or release moves failed and quarantined back to pending.
 */
export const SUBMISSION_STATES = ['pending', 'delivered', 'failed', 'quarantined'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

/** The résumé of an application. The bytes live in the store under the submission's id, never under this name. */
export interface ResumeFile {
  /** Safe display name, in the visitor's own script; what HR's attachment is called. */
  readonly name: string;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** Hex digest of the bytes. */
  readonly sha256: string;
  /** What inspection found worth telling HR, for example macros. */
  readonly warnings: readonly string[];
}

/** What became of the attempts to deliver. Codes and times only: a mail server's own words can hold an address. */
export interface Delivery {
  /** Failed attempts since it was last made pending. */
  readonly attempts: number;
  /** The first of them, ISO 8601, as all times here. */
  readonly firstAttemptAt?: string;
  readonly lastAttemptAt?: string;
  /** For example `SMTP 451`, `ECONNREFUSED`, `scanner unavailable`. */
  readonly lastError?: string;
  readonly deliveredAt?: string;
  readonly failedAt?: string;
  /** When an operator made it pending again. */
  readonly requeuedAt?: string;
  /** When an operator vouched for it, whatever its suspicions then were: for those it is not set aside again. */
  readonly releasedAt?: string;
}

interface SubmissionBase {
  /** Version of this record's shape; a reader accepts its own and older ones. */
  readonly version: 1;
  /** The reference the visitor was given, for example `KW-3F9K-Q7TM-X2VD-8HNC`. Also the job's id. */
  readonly id: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** Request id from nginx, to follow a submission from access log to e-mail. */
  readonly requestId: string;
  /** SHA-256 of form, fields and file: tells a repeat from a different submission under the same key. */
  readonly contentDigest: string;
  readonly delivery: Delivery;
  /** Why it was set aside: by the screening on arrival or by the virus scan. Stays when it is released. */
  readonly suspicions?: readonly string[];
}

export interface ContactSubmission extends SubmissionBase {
  readonly form: 'contact';
  /** One of our own, sent to see whether the whole path works: mailed to `CANARY_INBOX`, never to sales. */
  readonly canary?: true;
  readonly fields: Contact;
}

export interface ApplicationSubmission extends SubmissionBase {
  readonly form: 'application';
  readonly fields: Application;
  readonly resume: ResumeFile;
}

/** One accepted submission, as it is stored. */
export type Submission = ContactSubmission | ApplicationSubmission;
