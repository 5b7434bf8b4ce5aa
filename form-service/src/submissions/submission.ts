import type { FormValues } from '../contract/define-form.ts';
import type { FormKind } from '../contract/forms.ts';
import type { NotificationKind, ResumeFile, SubmissionsTable } from '../database/schema.ts';
import type { Reason } from './reasons.ts';

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
export type StaffAction = 'released' | 'sent again' | 'sent on' | 'posted again' | Handled | 'reopened' | 'note';

/** An event in the history of a submission. The history is a text with one line of JSON for each event. */
export interface HistoryEvent {
  readonly event: 'attempt' | 'refused' | 'held' | 'delivered' | 'failed' | 'quarantined' | StaffAction | 'downloaded';
  /** Code of the mail server or of this service, for example `SMTP 451`. */
  readonly code?: string;
  /** Reply of the mail server. It may contain an address, so it is never logged. */
  readonly reply?: string;
  /** User or operator. */
  readonly by?: string | undefined;
  /** Mailbox to which the submission was sent on. */
  readonly to?: string | undefined;
  /** Text of a note. Notes of version 0.4 have theirs in the column `note`. */
  readonly text?: string | undefined;
  /** Mark of another user that an undo has brought back. */
  readonly back?: Handled | undefined;
}

/** Events after which a submission starts again, without marks of staff. */
const REQUEUED: ReadonlySet<HistoryEvent['event']> = new Set(['released', 'sent again', 'sent on']);

/** Reply of the mail server to an attempt. */
export type EventDetail = Pick<HistoryEvent, 'code' | 'reply'>;

/** Columns that only the repositories need. */
type Internal = 'email' | 'leaseToken' | 'leaseUntil' | 'alertDue' | 'alertToken' | 'alertUntil' | 'searchText';

/** One accepted submission. */
export interface Submission extends Omit<SubmissionsTable, Internal | 'reasons'> {
  readonly form: FormKind;
  /** Values by field name. Another version of the form may have other fields. */
  readonly fields: FormValues;
  readonly state: SubmissionState;
  readonly handled: Handled | null;
  /** Reasons for a quarantine. They stay after a release. */
  readonly reasons: readonly Reason[];
}

/** A submission on arrival, without the columns that the repository adds. */
export interface NewSubmission {
  readonly id: string;
  readonly form: FormKind;
  readonly fields: FormValues;
  readonly resume?: ResumeFile | undefined;
  readonly quarantined: boolean;
  readonly requestId: string;
  readonly contentDigest: string;
  readonly reasons: readonly Reason[];
  /** Notifications to send in addition to the mail. */
  readonly notifications?: readonly NotificationKind[];
}

/** Submissions that a user may see: those of some forms, and those that were handed over to some mailboxes. */
export interface Scope {
  readonly forms: readonly FormKind[];
  readonly mailboxes?: readonly string[];
}

/** Whether a submission is in a scope. `isInScope` of `submission-sql.ts` is the same condition in SQL. */
export const isVisible = ({ form, recipient }: Submission, { forms, mailboxes = [] }: Scope): boolean =>
  forms.includes(form) || (recipient !== null && mailboxes.includes(recipient));

/** Submissions that a user marked at this time, in milliseconds since the epoch, or one submission. */
export type Marked = { readonly at: number; readonly scope: Scope } | { readonly id: string };

/** The submissions of a list in the inbox. */
export interface ListFilter extends Scope {
  readonly statuses: readonly Status[];
  /** Lists only submissions received after this time, in milliseconds since the epoch. */
  readonly since?: number;
}

/** Numbers of submissions that arrived in a period, by what became of them. */
export interface DayCounts {
  /** Beginning of the period, in milliseconds since the epoch. */
  readonly from: number;
  readonly received: number;
  /** Includes those that are marked as done. */
  readonly delivered: number;
  /** Includes those that are marked as spam. */
  readonly heldBack: number;
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
  /** Selects only submissions that are older than this, in milliseconds. */
  readonly olderThan?: number;
  readonly email?: string;
  /** Selects only submissions that changed state in this period, in milliseconds since the epoch. */
  readonly stateFrom?: number | undefined;
  readonly stateUntil?: number;
}

/** Figures about the submissions that are not delivered. */
export interface Backlog {
  readonly pending: number;
  readonly failed: number;
  readonly quarantined: number;
  /** Time that the oldest one has been pending; 0 if there is none. */
  readonly oldestPendingMs: number;
}

/** Submissions that retention deletes after some time: in a state, or with a mark. */
export type Expiring = { readonly states: readonly SubmissionState[] } | { readonly mark: 'spam' };

/** Days after which failed and quarantined submissions are deleted, if staff do nothing. */
export const UNDELIVERED_RETENTION_DAYS = 90;

/** Returns the time at which retention deletes an undelivered submission, in milliseconds since the epoch. */
export const deletedAt = ({ stateSince }: Pick<Submission, 'stateSince'>): number =>
  stateSince + UNDELIVERED_RETENTION_DAYS * 86_400_000;

/** An event with its time in ISO 8601. */
export type DatedEvent = HistoryEvent & { readonly at: string };

/** A mark of staff. `at` is in milliseconds since the epoch. */
export interface Mark {
  readonly handled: Handled;
  readonly at: number;
  readonly by: string | null;
}

/** Returns the mark that the present one has replaced. */
export function markBefore(submission: Pick<Submission, 'history'>): Mark | undefined {
  let marks: Mark[] = [];
  for (const { event, at, by = null, back } of historyOf(submission)) {
    if (event === 'done' || event === 'spam') marks.push({ handled: event, at: Date.parse(at), by });
    else if (event === 'reopened' && back) marks.pop();
    else if (event === 'reopened' || REQUEUED.has(event)) marks = [];
  }
  return marks.at(-2);
}

/** Returns the events of a history, in the order in which they were written. */
export function historyOf({ history }: Pick<Submission, 'history'>): DatedEvent[] {
  return history
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DatedEvent);
}

/** Returns when the mail server refused a submission, or its mailbox was held, since a person last sent it. */
export function refusalsOf(submission: Pick<Submission, 'history'>) {
  const events = historyOf(submission);
  const own = events
    .slice(events.findLastIndex(({ event }) => REQUEUED.has(event)) + 1)
    .filter(({ event }) => event === 'refused' || event === 'held')
    .map(({ at, code = '', event, reply }) => ({ at: Date.parse(at), code, event, reply }));
  return {
    since: own[0]?.at,
    /** Time of the latest refusal or hold. */
    latest: own.at(-1)?.at,
    /** The latest refusal of this submission itself. */
    last: own.findLast(({ reply }) => reply !== undefined),
    isHeld: own.some(({ event }) => event === 'held'),
  };
}
