import { fieldOf, FORM_KINDS, formOf, labelOf, nounOf, nounsOf, valueOf } from '../contract/forms.ts';
import { allRecipients, mailboxesOf, recipientOf, type RecipientSettings } from '../submissions/recipients.ts';
import { answerUrl, telephoneUrl } from '../html/links.ts';
import { sizeText, zoneText } from '../html/format.ts';
import {
  answerSubject,
  describeEvent,
  senderName,
  STATUS_LABELS,
  subjectOf,
  whyHeldBack,
} from '../submissions/labels.ts';
import { isWithoutText, NOTE_MAX_CHARS, notesOf } from '../submissions/notes.ts';
import type { Notification } from '../outbox/notifications.repository.ts';
import { isPossible } from '../submissions/submission-actions.service.ts';
import { deletedAt, historyOf, statusOf, type DatedEvent, type Submission } from '../submissions/submission.ts';
import { pageAddress } from './list-page.ts';
import { readPage, statusView, timeView, type Frame } from './page.ts';

const fillSubmission = readPage('submission');
const fillErase = readPage('erase');
const fillHandOver = readPage('hand-over');

/**
 * Length at which the browser cuts a note that is pasted. It is beyond the limit, so that a note that is too long is
 * refused with its text in the page, and still fits into the form.
 */
const DRAFT_MAX_CHARS = 3 * NOTE_MAX_CHARS;

/** A note that was not saved: it was posted into an ended session, or is refused. */
export interface Draft {
  readonly text: string;
  /** Why it is refused. */
  readonly error?: string;
}

/** Values that a submission's page shows in addition to the submission. */
interface Context {
  readonly notifications: readonly Notification[];
  /** Number of other submissions from the same address that the user may see. */
  readonly others: number;
  /** Address of the list that the page was opened from. */
  readonly back: string;
  readonly settings: RecipientSettings & { readonly TIME_ZONE: string; readonly RETENTION_DAYS: number };
  readonly draft?: Draft | undefined;
}

/** One submission, as `pages/submission.html` has it. */
export function submissionPage(frame: Frame, submission: Submission, context: Context): string {
  const { notifications, others, back, settings, draft } = context;
  const { id, form, state, handled, handledAt, handledBy, receivedAt, nextAttemptAt, resume } = submission;
  const [email, phone] = [valueOf(submission, 'email'), valueOf(submission, 'phone')];
  const { TIME_ZONE: timeZone } = settings;
  const [name, subject, mailbox] = [senderName(submission), subjectOf(submission), recipientOf(submission, settings)];
  const notes = notesOf(submission);
  const isWaiting = handled === null && (state === 'failed' || state === 'quarantined');
  return fillSubmission(frame, {
    title: `${name}: ${subject}`,
    id,
    name,
    subject,
    back,
    mailbox,
    ...statusView(statusOf(submission)),
    received: timeView(receivedAt, timeZone),
    zone: zoneText(timeZone),
    nextAttempt: state === 'pending' && nextAttemptAt > 0 && timeView(nextAttemptAt, timeZone),
    handled: handled && {
      ...timeView(handledAt ?? 0, timeZone),
      how: STATUS_LABELS[handled].toLowerCase(),
      by: handledBy,
    },
    deletedAt: isWaiting && timeView(deletedAt(submission), timeZone),
    why: state === 'failed' ? 'The mail could not be delivered.' : whyHeldBack(submission.reasons),
    advice:
      state === 'failed'
        ? 'Answer from here, or send the mail again once the mailbox works.'
        : 'Release it if it is meant for you, or mark it as spam.',
    reply: isWaiting && state === 'failed' && lastReply(submission),
    answer: answerUrl(email, answerSubject(submission)),
    call: telephoneUrl(phone),
    phone,
    canMark: isPossible('mark', submission) && {
      isDone: handled !== 'done',
      isSpam: handled !== 'spam',
    },
    canRelease: isPossible('release', submission),
    sendAgain: isPossible('sendAgain', submission) && {
      words: state === 'failed' ? 'Send again' : 'Send the mail again',
    },
    canPost:
      isPossible('repost', submission) && notifications.some((one) => one.kind === 'webhook' && one.state === 'failed'),
    hasFile: resume !== null,
    sendTo: isPossible('handOver', submission) && {
      groups: mailboxGroups(form, settings, mailbox),
    },
    hasMail: isPossible('sendAgain', submission) || isPossible('handOver', submission),
    others: others > 0 && { count: others, email },
    fields: fieldsOf(submission),
    isNoteless: notes.length === 0,
    notes: notes.length > 0 && {
      entries: notes.map(({ at, by = 'A colleague', text }) => ({
        by,
        text,
        ...timeView(Date.parse(at), timeZone),
      })),
    },
    draft: draft?.text,
    noteError: draft?.error,
    isUnsaved: draft !== undefined && draft.error === undefined,
    isSaved: draft === undefined,
    noteMax: NOTE_MAX_CHARS,
    draftMax: DRAFT_MAX_CHARS,
    happened: happenedTo(submission, notifications).map(({ at, ...event }) => ({
      ...event,
      ...timeView(at, timeZone),
    })),
    thing: nounOf(form),
  });
}

/** The mailboxes that a submission can be sent to: those of its form, then the others. */
function mailboxGroups(form: Submission['form'], settings: RecipientSettings, current: string) {
  const own = mailboxesOf(form, settings);
  const isOther = (one: string) => one !== current;
  const groups = [
    { label: `Mailboxes for ${nounsOf(form)}`, mailboxes: own.filter(isOther) },
    {
      label: `Mailboxes for ${otherNouns(form)}`,
      mailboxes: allRecipients(settings).filter((one) => isOther(one) && !own.includes(one)),
    },
  ];
  return groups.filter(({ mailboxes }) => mailboxes.length > 0);
}

/** Nouns of the other forms: "applications", or "applications and partner requests". */
const otherNouns = (form: string): string =>
  FORM_KINDS.filter((other) => other !== form)
    .map(nounsOf)
    .join(' and ');

/** The question before a submission is sent to a mailbox of another department. */
export function handOverPage(
  frame: Frame,
  submission: Submission,
  { to, back }: { readonly to: string; readonly back: string },
): string {
  const { id, form, resume } = submission;
  const thing = nounOf(form);
  return fillHandOver(frame, {
    title: `Send this ${thing} to another department?`,
    id,
    name: senderName(submission),
    thing,
    to,
    others: otherNouns(form),
    what: resume ? 'The mail with the letter and the file' : 'The mail with the message',
    back,
    page: pageAddress(id, back),
  });
}

/** The second look before an erasure. */
export function confirmErasurePage(frame: Frame, submission: Submission): string {
  const { id, form, resume } = submission;
  const [name, thing] = [senderName(submission), nounOf(form)];
  const what = resume ? 'All fields, the file and the history' : 'All fields and the history';
  return fillErase(frame, { title: `Erase the ${thing} of ${name}?`, id, name, thing, what });
}

const FAILED_ATTEMPTS: ReadonlySet<DatedEvent['event']> = new Set(['attempt', 'refused', 'held', 'failed']);

/** The mail server's words about the latest attempt. */
function lastReply(submission: Submission): string | undefined {
  const last = historyOf(submission).findLast(({ event }) => FAILED_ATTEMPTS.has(event));
  return last?.reply ?? submission.lastError ?? undefined;
}

/** The history with that of acknowledgement and webhook, the oldest first. */
function happenedTo(submission: Submission, notifications: readonly Notification[]) {
  const history = historyOf(submission);
  // A note of version 0.4 has two entries with the same time: its change, and its text.
  const changedAt = new Set(history.filter(isWithoutText).map(({ at }) => at));
  const isCopy = ({ at, text }: DatedEvent) => text !== undefined && changedAt.has(at);
  const shown = history.filter((event) => !isCopy(event));
  const events = shown.map((event) => ({
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

/** The message, which is the first to be read, then the other fields. */
function fieldsOf(submission: Submission) {
  const { fields, resume } = submission;
  const known = formOf(submission.form)?.fields ?? [];
  const body = fieldOf(submission.form, 'body')?.name;
  const values: Readonly<Record<string, string>> = {
    // Includes fields of newer and of older versions of the form.
    ...Object.fromEntries(known.map(({ name }) => [name, ''])),
    ...fields,
    ...(resume && { [formOf(submission.form)?.file?.name ?? 'resume']: `${resume.name} (${sizeText(resume.size)})` }),
  };
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ label: labelOf(submission.form, name), value, isBody: name === body }))
    .toSorted((one, other) => Number(other.isBody) - Number(one.isBody))
    .map(({ isBody, ...field }) => ({ ...field, span: isBody ? 'sm:col-span-2' : '', size: isBody ? 'text-lg' : '' }));
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
