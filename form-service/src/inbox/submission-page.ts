import { fieldOf, FORM_KINDS, formOf, nounOf, nounsOf, valueOf } from '../contract/forms.ts';
import { telephoneUrl } from '../contract/telephone.ts';
import { allRecipients, mailboxesOf, recipientOf, type RecipientSettings } from '../submissions/recipients.ts';
import { answerUrl } from '../html/links.ts';
import { dateText, listText, sizeText, zoneText } from '../html/format.ts';
import {
  answerTitle,
  describeEvent,
  inSentence,
  labelOf,
  senderName,
  shownValue,
  subjectOf,
  whyHeldBack,
} from '../submissions/labels.ts';
import { NOTE_MAX_CHARS, notesOf } from '../submissions/notes.ts';
import type { Notification } from '../outbox/notifications.repository.ts';
import type { Settings } from '../config/settings.ts';
import { ACTIONS, isPossible, type ActionName } from '../submissions/submission-actions.service.ts';
import {
  deletedAt,
  hasPdf,
  historyOf,
  labelsOf,
  statusOf,
  type DatedEvent,
  type Submission,
} from '../submissions/submission.ts';
import { dayView, pageAddress, statusView, timeView } from './list-page.ts';
import { readPage, type Frame } from '../sign-in/page.ts';
import { serviceWords } from '../contract/service-words.ts';

const { submission: words, handOver, erase, errors } = serviceWords('inbox');
const { labelled } = serviceWords('submissions');
const fillSubmission = readPage('submission', import.meta.url);
const fillConfirm = readPage('confirm', import.meta.url);

/**
 * Length at which the browser cuts a note that is pasted. It is beyond the limit, so that a note that is too long is
 * refused with its text in the page, and still fits into the form.
 */
const DRAFT_MAX_CHARS = 3 * NOTE_MAX_CHARS;

/** What was not stored, and why; without a reason, the submission has changed since its page was shown. */
export interface Refusal {
  /** Text of a note, which stays in its field. */
  readonly note?: string;
  readonly noteError?: string | undefined;
  readonly reminderError?: string;
}

export type PageSettings = RecipientSettings &
  Pick<Settings, 'TIME_ZONE' | 'RETENTION_DAYS' | 'DIGEST_AT' | 'INBOX_LABELS'>;

/** Values that a submission's page shows in addition to the submission. */
interface Context {
  readonly notifications: readonly Notification[];
  /** Number of other submissions from the same address that the user may see. */
  readonly others: number;
  readonly refusal?: Refusal | undefined;
  /** Address of the list that the page was opened from. */
  readonly back: string;
  readonly settings: PageSettings;
}

/** One submission, as `pages/submission.html` has it. */
export function submissionPage(frame: Frame, submission: Submission, context: Context): string {
  const { notifications, others, back, settings, refusal } = context;
  const { id, form, state, handled, handledAt, handledBy, remindAt, takenBy, version } = submission;
  const [email, phone] = [valueOf(submission, 'email'), valueOf(submission, 'phone')];
  const { TIME_ZONE: timeZone } = settings;
  const time = (at: number | null) => timeView(at ?? 0, timeZone);
  const [name, subject, mailbox] = [senderName(submission), subjectOf(submission), recipientOf(submission, settings)];
  const notes = notesOf(submission);
  const can = (action: ActionName) => isPossible(action, submission);
  const isMine = takenBy === frame.user?.name;
  const { noteError, reminderError } = refusal ?? {};
  return fillSubmission(frame, {
    title: labelled({ label: name, value: subject }),
    id,
    version,
    name,
    subject,
    back,
    list: `${back}#${id}`,
    changed: refusal && !noteError && !reminderError && errors.changed,
    mailbox,
    ...statusView(statusOf(submission)),
    received: time(submission.receivedAt),
    zone: zoneText(timeZone),
    handled: handled && { ...time(handledAt), how: inSentence(handled), by: handledBy },
    ...waitingViews(submission, settings),
    // Prevents answers by habit to what is held back, and to what a colleague has.
    isAnswerQuiet: state === 'quarantined' || (takenBy !== null && !isMine),
    answer: answerUrl(email, answerTitle(submission), id, valueOf(submission, 'body')),
    call: telephoneUrl(phone),
    phone,
    taken: takenBy && { ...time(submission.takenAt), holder: takenBy, isMine, isOthers: !isMine },
    canTake: handled === null && takenBy === null,
    labels: labelChoices(submission, settings.INBOX_LABELS),
    reminder: handled !== 'spam' && remindAt !== null && reminderView(submission, remindAt, settings),
    remind: {
      ...reminderDays(submission, settings),
      where: settings.DIGEST_AT ? words.reminderInDigest : words.reminderInList,
      reminderError,
    },
    canMark: can('mark') && { isDone: handled !== 'done', isSpam: handled !== 'spam' },
    canRelease: can('release'),
    presses: pressesOf(submission, notifications),
    sendTo: can('handOver') && { groups: mailboxGroups(form, settings, mailbox) },
    hasMail: can('sendAgain') || can('sendNow'),
    hasFile: submission.resume !== null,
    hasPdf: hasPdf(submission),
    others: others > 0 && { count: others, email },
    whyMax: NOTE_MAX_CHARS,
    fields: fieldsOf(submission),
    isNoteless: notes.length === 0,
    notes: notes.length > 0 && {
      entries: notes.map(({ at, by = words.colleague, text }) => ({ by, text, ...time(Date.parse(at)) })),
    },
    draft: refusal?.note,
    noteError,
    isSaved: refusal?.note === undefined,
    noteMax: NOTE_MAX_CHARS,
    draftMax: DRAFT_MAX_CHARS,
    happened: happenedTo(submission, notifications).map(({ at, ...event }) => ({ ...event, ...time(at) })),
    thing: nounOf(form),
  });
}

/** What a submission waits for: the next attempt, or the decision of a person before it is deleted. */
function waitingViews(submission: Submission, settings: PageSettings) {
  const { state, handled, reasons, nextAttemptAt } = submission;
  const isFailed = state === 'failed';
  const isUndecided = handled === null && (isFailed || state === 'quarantined');
  const isRetried = state === 'pending' && nextAttemptAt > 0;
  return {
    nextAttempt: isRetried && timeView(nextAttemptAt, settings.TIME_ZONE),
    deletedAt: isUndecided && timeView(deletedAt(submission, settings), settings.TIME_ZONE),
    why: isFailed ? words.notDelivered : whyHeldBack(reasons),
    advice: isFailed ? words.notDeliveredAdvice : words.heldBackAdvice,
    reply: (isRetried || (isUndecided && isFailed)) && lastReply(submission),
    notice: isFailed ? 'notice-error' : 'border-edge bg-surface',
  };
}

/** Buttons of what one press does about the mail and the webhook post. */
function pressesOf(submission: Submission, notifications: readonly Notification[]) {
  const isPostFailed = notifications.some(({ kind, state }) => kind === 'webhook' && state === 'failed');
  const texts = {
    sendAgain: submission.state === 'failed' ? words.sendAgain : words.sendMailAgain,
    sendNow: words.sendNow,
    giveUp: words.giveUp,
    ...(isPostFailed && { repost: words.postAgain }),
  };
  return (Object.keys(texts) as (keyof typeof texts)[])
    .filter((action) => isPossible(action, submission))
    .map((action) => ({ address: ACTIONS[action].address, text: texts[action] }));
}

/** The labels that can be ticked or cleared. One that has left the settings can only be cleared. */
function labelChoices(submission: Submission, all: readonly string[]) {
  const own = labelsOf(submission);
  const choices = [...new Set([...all, ...own])].map((label) => ({ label, isSet: own.includes(label) }));
  return choices.length > 0 && { choices };
}

/** Days between which a reminder is possible: today, and the day on which retention deletes the submission. */
export const reminderDays = (submission: Submission, settings: PageSettings) => ({
  first: dateText(Date.now(), settings.TIME_ZONE),
  last: dateText(deletedAt(submission, settings), settings.TIME_ZONE),
});

/** The reminder of a submission, and whether retention is earlier, as after a release. */
function reminderView(submission: Submission, remindAt: number, settings: PageSettings) {
  const end = deletedAt(submission, settings);
  const noun = nounOf(submission.form);
  const { day } = dayView(end, settings.TIME_ZONE);
  const isTooLate = remindAt > end && words.deletedBefore({ noun, day });
  return { ...dayView(remindAt, settings.TIME_ZONE), isTooLate, isDue: remindAt <= Date.now() };
}

/** The mailboxes that a submission can be sent to: those of its form, then the others. */
function mailboxGroups(form: Submission['form'], settings: RecipientSettings, current: string) {
  const own = mailboxesOf(form, settings);
  const others = allRecipients(settings).filter((one) => !own.includes(one));
  return [
    { nouns: nounsOf(form), mailboxes: own },
    { nouns: otherNouns(form), mailboxes: others },
  ]
    .map(({ nouns, mailboxes }) => ({
      label: words.mailboxesFor({ nouns }),
      mailboxes: mailboxes.filter((one) => one !== current),
    }))
    .filter(({ mailboxes }) => mailboxes.length > 0);
}

/** Nouns of the other forms: "applications", or "applications and partner requests". */
const otherNouns = (form: string): string => listText(FORM_KINDS.filter((other) => other !== form).map(nounsOf));

/** The question before a submission is sent to a mailbox of another department. */
export function handOverPage(
  frame: Frame,
  submission: Submission,
  back: string,
  { to, why }: { readonly to: string; readonly why: string },
): string {
  const { form, resume } = submission;
  const [noun, what] = [nounOf(form), resume ? handOver.mailWithFile : handOver.mail];
  const title = handOver.title({ noun });
  const text = handOver.text({ mailbox: to, nouns: otherNouns(form), what, noun });
  return confirmPage(frame, submission, back, { ...handOver, title, text }, 'send', { to, confirmed: to, why });
}

/** The second look before an erasure. */
export function confirmErasurePage(frame: Frame, submission: Submission, back: string): string {
  const title = erase.title({ noun: nounOf(submission.form) });
  const text = erase.text({ what: submission.resume ? erase.fieldsAndFile : erase.fields });
  return confirmPage(frame, submission, back, { ...erase, title, text }, 'erase');
}

/**
 * A question before an action that cannot be undone, as `pages/confirm.html` has it.
 *
 * @param address last part of the address of its form
 * @param values hidden fields of its form
 */
function confirmPage(
  frame: Frame,
  { version, ...submission }: Submission,
  back: string,
  { title, text, no, yes }: Readonly<Record<'title' | 'text' | 'no' | 'yes', string>>,
  address: string,
  values: Readonly<Record<string, string>> = {},
): string {
  return fillConfirm(frame, {
    title,
    text,
    no,
    yes,
    address,
    id: submission.id,
    page: pageAddress(submission.id, back),
    name: senderName(submission),
    subject: subjectOf(submission),
    values: Object.entries({ ...values, back, version }).map(([key, value]) => ({ key, value })),
  });
}

const FAILED_ATTEMPTS: ReadonlySet<DatedEvent['event']> = new Set(['attempt', 'failed']);

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
  const received = { at: submission.receivedAt, what: serviceWords('submissions').history.received, reply: undefined };
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
    .map(([name, value]) => ({
      label: labelOf(submission.form, name),
      value: shownValue(submission.form, name, value),
      isBody: name === body,
    }))
    .toSorted((one, other) => Number(other.isBody) - Number(one.isBody))
    .map(({ isBody, ...field }) => ({ ...field, span: isBody ? 'sm:col-span-2' : '', size: isBody ? 'text-lg' : '' }));
}

/** The state of an acknowledgement or of a post to the webhook. */
function notificationWords({ kind, state, lastError: why }: Notification): string {
  if (kind === 'acknowledgement') return ACKNOWLEDGEMENT[state];
  if (why && state === 'pending')
    return why.startsWith('HTTP ') ? words.webhookAnswered({ why }) : words.webhookPendingWhy({ why });
  if (why && state === 'failed') return words.webhookFailedWhy({ why });
  return WEBHOOK[state];
}

const ACKNOWLEDGEMENT = {
  pending: words.acknowledgementPending,
  delivered: words.acknowledgementDelivered,
  failed: words.acknowledgementFailed,
};
const WEBHOOK = { pending: words.webhookPending, delivered: words.webhookDelivered, failed: words.webhookFailed };
