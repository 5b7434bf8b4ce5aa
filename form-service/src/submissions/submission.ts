import { hash } from 'node:crypto';
import type { FormValues } from '../contract/define-form.ts';
import { RESUME_MEDIA_TYPES } from '../contract/protocol.ts';
import type { Keys } from '../contract/words.ts';
import { DAY_MS } from '../settings/durations.ts';
import type { FormKind } from '../contract/forms.ts';
import type { NotificationKind, SubmissionFile, SubmissionsTable } from '../database/schema.ts';
import type { Scope } from './scope.ts';

/** Crockford's Base32: without I, L, O and U, so that a reference can be read out and typed. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PATTERN = /^KW(?:-[0-9A-HJKMNP-TV-Z]{4}){4}$/;

/** Returns the reference of an idempotency key, so that a retry finds its submission without an index: 80 bits, `KW-3F9K-Q7TM-X2VD-8HNC`. */
export function keyedSubmissionId(form: string, idempotencyKey: string): string {
  let id = '';
  let bits = 0;
  let count = 0;
  // The first 80 bits, five per character.
  for (const byte of hash('sha256', `${form}:${idempotencyKey}`, 'buffer').subarray(0, 10)) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; count -= 5) id += ALPHABET[(bits >> (count - 5)) & 31];
    bits &= (1 << count) - 1;
  }
  return `KW-${id.slice(0, 4)}-${id.slice(4, 8)}-${id.slice(8, 12)}-${id.slice(12)}`;
}

/** Whether a text is a reference. Only a reference may become part of a path (path traversal). */
export function isSubmissionId(text: string): boolean {
  return PATTERN.test(text);
}

/**
 * States of a submission: pending, then delivered or failed. The spam filter quarantines it on arrival, or the virus scan
 * later. A resend or release makes it pending again.
 */
export const SUBMISSION_STATES = ['pending', 'delivered', 'failed', 'quarantined'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

/** Marks of staff for submissions that they have dealt with. */
export const HANDLED = ['done', 'spam'] as const;
export type Handled = (typeof HANDLED)[number];

/** Status by which the inbox lists submissions: the mark of staff, or else the state. */
export const STATUSES = [...SUBMISSION_STATES, ...HANDLED] as const;
export type Status = (typeof STATUSES)[number];

export const statusOf = ({ handled, state }: Pick<Submission, 'handled' | 'state'>): Status => handled ?? state;

/** Actions of staff or operators that change a submission. */
export type StaffAction =
  | 'released'
  | 'sent again'
  | 'sent on'
  | 'posted again'
  | 'given up'
  | Handled
  | 'reopened'
  | 'note'
  | 'taken'
  | 'given back'
  | 'labelled'
  | 'label removed'
  | 'reminder';

/** An event in the history of a submission. The history is a text with one line of JSON for each event. */
export interface HistoryEvent {
  readonly event: 'attempt' | 'delivered' | 'failed' | 'quarantined' | StaffAction | 'downloaded';
  /** Code of the mail server or of this service, for example `SMTP 451`. */
  readonly code?: string;
  /** Reply of the mail server. It may contain an address, so it is never logged. */
  readonly reply?: string;
  /** User or operator. */
  readonly by?: string | undefined;
  /** Mailbox to which the submission was sent on. */
  readonly to?: string | undefined;
  readonly label?: string | undefined;
  /** Date of a reminder, such as `2026-12-03`. An event without it removes the reminder. */
  readonly on?: string | undefined;
  /** Text of a note. */
  readonly text?: string | undefined;
}

/** Whether a submission has a PDF, by its content on arrival. */
export const hasPdf = ({ resume }: Pick<Submission, 'resume'>): boolean =>
  resume?.mediaType === RESUME_MEDIA_TYPES['.pdf'];

/** Columns that only the repositories need. */
type Internal = 'email' | 'leaseToken' | 'leaseUntil' | 'searchText' | 'topic';

/** One accepted submission. */
export interface Submission extends Omit<SubmissionsTable, Internal | 'version'> {
  readonly form: FormKind;
  /** Values by field name. Another version of the form may have other fields. */
  readonly fields: FormValues;
  readonly state: SubmissionState;
  readonly handled: Handled | null;
  readonly version: number;
}

/** A submission on arrival, without the columns that the repository adds. */
export interface NewSubmission {
  readonly id: string;
  readonly form: FormKind;
  readonly fields: FormValues;
  readonly resume?: SubmissionFile | undefined;
  readonly quarantined: boolean;
  readonly requestId: string;
  readonly contentDigest: string;
  readonly reasons: readonly string[];
  /** Notifications to send in addition to the mail. */
  readonly notifications?: readonly NotificationKind[];
}

/** Submissions that a user marked at this time, in milliseconds since the epoch, or one submission. */
export type Marked =
  | { readonly at: number; readonly scope: Scope }
  | { readonly id: string; readonly version?: number | undefined };

/** The submissions of a list in the inbox. */
export interface ListFilter extends Scope {
  readonly statuses: readonly Status[];
  /** Lists only submissions received after this time, in milliseconds since the epoch. */
  readonly since?: number;
  /** Lists only what comes after this position. */
  readonly before?: ListPosition | undefined;
  /** Key of the topic. */
  readonly topic?: string | undefined;
  /** Lists only what this user has taken, if it is not marked. */
  readonly takenBy?: string | undefined;
  readonly label?: string | undefined;
}

/** Position of a submission in a list, which has the newest first. */
export type ListPosition = Pick<Submission, 'receivedAt' | 'id'>;

/** Right of one worker to deliver a submission and to write the result. It ends when another worker takes over. */
export interface Lease {
  readonly submission: Submission;
  /** Fencing token. */
  readonly token: string;
}

/** Submissions that an operator selects. */
export interface Selection {
  readonly states: readonly SubmissionState[];
  readonly email?: string;
  readonly form?: string;
  /** Selects only submissions that changed state until then, in milliseconds since the epoch. */
  readonly stateUntil?: number;
}

/** Submissions that retention deletes after some time: in a state, or with a mark. */
export type Expiring = { readonly states: readonly SubmissionState[] } | { readonly mark: 'spam' };

/** Days after which failed and quarantined submissions are deleted, if staff do nothing. */
export const UNDELIVERED_RETENTION_DAYS = 90;

/**
 * Returns the time at which retention deletes a submission, in milliseconds since the epoch, if staff do nothing. A pending
 * one counts as delivered now. Commands do not have the setting, and ask only for undelivered ones.
 */
export function deletedAt(
  { state, stateSince, handled, handledAt }: Pick<Submission, 'state' | 'stateSince' | 'handled' | 'handledAt'>,
  { RETENTION_DAYS = Infinity }: { readonly RETENTION_DAYS?: number } = {},
): number {
  const isUndelivered = state === 'failed' || state === 'quarantined';
  const since = state === 'pending' ? Date.now() : stateSince;
  const end = since + (isUndelivered ? UNDELIVERED_RETENTION_DAYS : RETENTION_DAYS) * DAY_MS;
  return handled === 'spam' ? Math.min(end, (handledAt ?? 0) + RETENTION_DAYS * DAY_MS) : end;
}

/** Returns the labels of a submission, in the order in which they were added. */
export const labelsOf = ({ labels }: Pick<Submission, 'labels'>): string[] =>
  labels.split('\n').filter((label) => label !== '');

/** An event with its time in ISO 8601. */
export type DatedEvent = HistoryEvent & { readonly at: string };

/** Returns the events of a history, in the order in which they were written. */
export function historyOf({ history }: Pick<Submission, 'history'>): DatedEvent[] {
  return history
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DatedEvent);
}

/** Maximum length of a note, in characters. */
export const NOTE_MAX_CHARS = 500;

/** Returns all notes of a submission, oldest first. */
export const notesOf = (submission: Pick<Submission, 'history'>): DatedEvent[] =>
  historyOf(submission).filter(({ event }) => event === 'note');

/** Reasons of the spam filter, as stored. Logs, metrics and the operator's list show them, so they are fixed. */
export type SpamReason = keyof Keys['submissions']['reasons'];

/** Start of the reason for a quarantine after the virus scan. The name that the scanner gives the virus follows. */
const VIRUS_PREFIX = 'virus scan: ';

/** Returns the reason for a quarantine because of a virus. */
export const virusReason = (virus: string): string => `${VIRUS_PREFIX}${virus}`;

/** Returns the name of the virus; undefined for another reason. */
export const virusOf = (reason: string): string | undefined =>
  reason.startsWith(VIRUS_PREFIX) ? reason.slice(VIRUS_PREFIX.length) : undefined;
