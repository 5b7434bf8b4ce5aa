import { applicationFields, contactFields, type FormField } from '../contract/fields.ts';
import { allRecipients, recipientOf, type RecipientSettings } from '../config/recipients.ts';
import { answerUrl, telephoneUrl } from '../html/links.ts';
import { sizeText, zoneText } from '../html/format.ts';
import {
  answerSubject,
  describeEvent,
  senderName,
  STATUS_LABELS,
  subjectOf,
  FORM_NOUNS,
  whyHeldBack,
} from '../submissions/labels.ts';
import type { Notification } from '../submissions/notifications.repository.ts';
import { deletedAt, historyOf, statusOf, type HistoryEvent, type Submission } from '../submissions/submission.ts';
import { readPage, statusSlots, timeSlots, type Frame } from './page.ts';

const fillSubmission = readPage('submission');
const fillErase = readPage('erase');

/** Most characters of a note. */
export const NOTE_MAX = 500;

/** Values that a submission's page shows in addition to the submission. */
interface Context {
  readonly notifications: readonly Notification[];
  /** Number of other submissions from the same address that the user may see. */
  readonly others: number;
  /** Address of the list that the page was opened from. */
  readonly back: string;
  readonly settings: RecipientSettings & { readonly TIME_ZONE: string; readonly RETENTION_DAYS: number };
}

/** One submission, as `pages/submission.html` has it. */
export function submissionPage(frame: Frame, submission: Submission, context: Context): string {
  const { notifications, others, back, settings } = context;
  const { id, form, state, handled, handledAt, handledBy, receivedAt, nextAttemptAt, fields } = submission;
  const { TIME_ZONE: timeZone } = settings;
  const [name, subject, mailbox] = [senderName(submission), subjectOf(submission), recipientOf(submission, settings)];
  const isWaiting = handled === null && (state === 'failed' || state === 'quarantined');
  return fillSubmission(frame, {
    title: `${name}: ${subject}`,
    id,
    name,
    subject,
    back,
    mailbox,
    ...statusSlots(statusOf(submission)),
    received: timeSlots(receivedAt, timeZone),
    zone: zoneText(timeZone),
    nextAttempt: state === 'pending' && nextAttemptAt > 0 && timeSlots(nextAttemptAt, timeZone),
    handled: handled && {
      ...timeSlots(handledAt ?? 0, timeZone),
      how: STATUS_LABELS[handled].toLowerCase(),
      by: handledBy,
    },
    deletedAt: isWaiting && timeSlots(deletedAt(submission), timeZone),
    why: state === 'failed' ? 'The mail could not be delivered.' : whyHeldBack(submission.reasons),
    advice:
      state === 'failed'
        ? 'Answer from here, or send the mail again once the mailbox works.'
        : 'Release it if it is meant for you, or mark it as spam.',
    reply: isWaiting && state === 'failed' && lastReply(submission),
    answer: answerUrl(fields.email, answerSubject(submission)),
    call: telephoneUrl(fields.phone),
    phone: fields.phone,
    canMark: state !== 'pending' && {
      isDone: handled !== 'done',
      isSpam: handled !== 'spam',
    },
    isQuarantined: state === 'quarantined',
    isFailed: state === 'failed',
    isDelivered: state === 'delivered',
    canPost: state === 'delivered' && notifications.some((one) => one.kind === 'webhook' && one.state === 'failed'),
    isApplication: form === 'application',
    sendTo: (state === 'failed' || state === 'delivered') && {
      mailboxes: allRecipients(settings).filter((one) => one !== mailbox),
    },
    others: others > 0 && { count: others, email: fields.email },
    fields: fieldsOf(submission),
    note: submission.note,
    noteMax: NOTE_MAX,
    happened: happenedTo(submission, notifications).map(({ at, ...slots }) => ({
      ...slots,
      ...timeSlots(at, timeZone),
    })),
    thing: FORM_NOUNS[form],
  });
}

/** The second look before an erasure. */
export function erasePage(frame: Frame, submission: Submission): string {
  const { id, form } = submission;
  const [name, thing] = [senderName(submission), FORM_NOUNS[form]];
  const what = form === 'application' ? 'All fields, the file and the history' : 'All fields and the history';
  return fillErase(frame, { title: `Erase the ${thing} of ${name}?`, id, name, thing, what });
}

const FAILED_ATTEMPTS: ReadonlySet<HistoryEvent['event']> = new Set(['attempt', 'refused', 'held', 'failed']);

/** The mail server's words about the latest attempt. */
function lastReply(submission: Submission): string | undefined {
  const last = historyOf(submission).findLast(({ event }) => FAILED_ATTEMPTS.has(event));
  return last?.reply ?? submission.lastError ?? undefined;
}

/** The history with that of acknowledgement and webhook, the oldest first. */
function happenedTo(submission: Submission, notifications: readonly Notification[]) {
  const events = historyOf(submission).map((event) => ({
    at: Date.parse(event.at),
    what: describeEvent(event),
    reply: event.reply,
  }));
  const others = notifications.map((one) => ({
    at: one.stateSince,
    what: notificationWords(one),
    reply: one.kind === 'acknowledgement' ? one.lastError : undefined,
  }));
  const received = { at: submission.receivedAt, what: 'Received', reply: undefined };
  return [received, ...[...events, ...others].toSorted((a, b) => a.at - b.at)];
}

function fieldsOf(submission: Submission) {
  const { fields, resume } = submission;
  const known: readonly FormField[] = submission.form === 'contact' ? contactFields : applicationFields;
  const values: Readonly<Record<string, string>> = {
    // Includes fields of newer and of older versions of the form.
    ...Object.fromEntries(known.map(({ name }) => [name, ''])),
    ...fields,
    ...(resume && { resume: `${resume.name} (${sizeText(resume.size)})` }),
  };
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({
      label: known.find((field) => field.name === name)?.label ?? name,
      value,
    }));
}

/** The state of an acknowledgement or of a post to the webhook. */
function notificationWords({ kind, state, lastError }: Notification): string {
  if (kind === 'acknowledgement')
    return {
      pending: 'The sender is notified that it arrived once the mail is out',
      delivered: 'The sender was notified that it arrived',
      failed: 'The sender was not notified that it arrived',
    }[state];
  const why = lastError ? `: ${lastError}` : '';
  return {
    pending: `Webhook: not delivered yet${why}`,
    delivered: 'Webhook: delivered',
    failed: `Webhook: given up${why}`,
  }[state];
}
