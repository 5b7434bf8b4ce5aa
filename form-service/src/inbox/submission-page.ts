import { fieldOf, FORM_KINDS, formOf, nounOf, nounsOf, valueOf } from '../contract/forms.ts';
import { telephoneUrl } from '../contract/telephone.ts';
import { allRecipients, mailboxesOf, recipientOf, type RecipientSettings } from '../submissions/recipients.ts';
import { answerUrl } from '../html/links.ts';
import { dateText, listText, sizeText, timeText, zoneText } from '../html/format.ts';
import {
  answerTitle,
  describeEvent,
  inSentence,
  labelOf,
  senderName,
  subjectOf,
  whyHeldBack,
} from '../submissions/labels.ts';
import { NOTE_MAX_CHARS, notesOf } from '../submissions/notes.ts';
import type { Notification } from '../outbox/notifications.repository.ts';
import type { Settings } from '../config/settings.ts';
import { isPossible } from '../submissions/submission-actions.service.ts';
import {
  deletedAt,
  hasPdf,
  historyOf,
  labelsOf,
  statusOf,
  takerOf,
  type DatedEvent,
  type Submission,
  type Taker,
} from '../submissions/submission.ts';
import { pageAddress, topicWord, withParameter } from './list-page.ts';
import { TOPICS } from './search.ts';
import { readPage, type Frame } from '../sign-in/page.ts';
import { statusView, timeView } from './page.ts';
import { serviceWords } from '../contract/service-words.ts';

/** Number up to which submissions with the same service or position are counted. */
export const OF_TOPIC_MAX = 1_000;

/** Value of the button that marks a submission as done and leads to the next older one. */
export const DONE_AND_NEXT = 'done and next';

const { submission: words, handOver, takeOver, erase } = serviceWords('inbox');
const fillSubmission = readPage('submission', import.meta.url);
const fillConfirm = readPage('confirm', import.meta.url);

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
  /** Number of other submissions with the same service or position, up to a limit. */
  readonly ofTopic: number;
  /** References of the neighbours in the list. */
  readonly newer: string | undefined;
  readonly older: string | undefined;
  /** Submission that the user has just closed with "Done and next". */
  readonly after: Submission | undefined;
  /** Address of the list that the page was opened from. */
  readonly back: string;
  readonly settings: RecipientSettings & Pick<Settings, 'TIME_ZONE' | 'RETENTION_DAYS' | 'DIGEST_AT' | 'INBOX_LABELS'>;
  readonly draft?: Draft | undefined;
  /** Why a reminder is refused. */
  readonly reminderError?: string | undefined;
}

/** One submission, as `pages/submission.html` has it. */
export function submissionPage(frame: Frame, submission: Submission, context: Context): string {
  const { notifications, others, ofTopic, newer, older, after, back, settings, draft, reminderError } = context;
  const { id, form, state, handled, handledAt, handledBy, receivedAt, nextAttemptAt, resume } = submission;
  const [email, phone] = [valueOf(submission, 'email'), valueOf(submission, 'phone')];
  const { TIME_ZONE: timeZone } = settings;
  const [taken, end] = [takerOf(submission), deletedAt(submission, settings)];
  const [name, subject, mailbox] = [senderName(submission), subjectOf(submission), recipientOf(submission, settings)];
  const notes = notesOf(submission);
  const canMark = isPossible('mark', submission);
  const isNext = after !== undefined;
  const isWaiting = handled === null && (state === 'failed' || state === 'quarantined');
  return fillSubmission(frame, {
    title: `${name}: ${subject}`,
    id,
    name,
    subject,
    back,
    list: withParameter(back, 'from', id),
    newer: newer && pageAddress(newer, back),
    older: older && { page: pageAddress(older, back), isFocused: isNext && !canMark },
    after: after && { id: after.id, name: senderName(after) },
    mailbox,
    ...statusView(statusOf(submission)),
    received: timeView(receivedAt, timeZone),
    zone: zoneText(timeZone),
    nextAttempt: state === 'pending' && nextAttemptAt > 0 && timeView(nextAttemptAt, timeZone),
    handled: handled && {
      ...timeView(handledAt ?? 0, timeZone),
      how: inSentence(handled),
      by: handledBy,
    },
    deletedAt: isWaiting && timeView(end, timeZone),
    why: state === 'failed' ? words.notDelivered : whyHeldBack(submission.reasons),
    advice: state === 'failed' ? words.notDeliveredAdvice : words.heldBackAdvice,
    reply: isWaiting && state === 'failed' && lastReply(submission),
    notice: state === 'failed' ? 'notice-error' : 'border-edge bg-surface',
    // Prevents answers by habit to what is held back, and to what a colleague has.
    isAnswerQuiet: state === 'quarantined' || (taken !== undefined && taken.by !== frame.user?.name),
    answer: answerUrl(email, answerTitle(submission), id, valueOf(submission, 'body')),
    call: telephoneUrl(phone),
    phone,
    taken: taken && {
      ...timeView(taken.at, timeZone),
      holder: taken.by,
      isMine: taken.by === frame.user?.name,
      takeOver: taken.by !== frame.user?.name && pageAddress(id, back, '/take'),
    },
    canTake: handled === null && !taken && isPossible('take', submission),
    labels: labelChoices(submission, settings.INBOX_LABELS),
    reminder: handled !== 'spam' && reminderView(submission, end, timeZone),
    remindAt: submission.remindAt,
    remind: {
      ...reminderDays(submission, settings),
      where: settings.DIGEST_AT ? words.reminderInDigest : words.reminderInList,
      reminderError,
    },
    canMark: canMark && {
      isDone: handled !== 'done' && { next: DONE_AND_NEXT, isFocused: isNext },
      isSpam: handled !== 'spam',
      shown: isNext && { at: Date.now(), after: after?.id },
    },
    canRelease: isPossible('release', submission),
    hasMail: isPossible('sendAgain', submission) || isPossible('handOver', submission),
    sendAgain: isPossible('sendAgain', submission) && {
      text: state === 'failed' ? words.sendAgain : words.sendMailAgain,
    },
    canPost:
      isPossible('repost', submission) && notifications.some((one) => one.kind === 'webhook' && one.state === 'failed'),
    hasFile: resume !== null,
    hasPdf: hasPdf(submission),
    sendTo: isPossible('handOver', submission) && {
      groups: mailboxGroups(form, settings, mailbox),
    },
    others: others > 0 && { count: others, email },
    ofTopic: ofTopic > 0 && topicLink(submission, ofTopic),
    whyMax: NOTE_MAX_CHARS,
    fields: fieldsOf(submission),
    isNoteless: notes.length === 0,
    notes: notes.length > 0 && {
      entries: notes.map(({ at, by = words.colleague, text }) => ({
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

/** The list of submissions with the same service or position. Positions that the filter does not offer are searched for. */
function topicLink(submission: Submission, count: number) {
  const { form } = submission;
  const topic = valueOf(submission, 'topic');
  const name = TOPICS.get(form)?.includes(topic) ? 'topic' : 'q';
  return {
    address: withParameter('/inbox?state=all', name, topic),
    text: (count === OF_TOPIC_MAX ? words.ofTopicOrMore : words.ofTopic)({
      count,
      nouns: count === 1 ? nounOf(form) : nounsOf(form),
      topic: topicWord(form),
    }),
  };
}

/** The labels that can be ticked or cleared. One that has left the settings can only be cleared. */
function labelChoices(submission: Submission, all: readonly string[]) {
  const own = labelsOf(submission);
  const choices = [...new Set([...all, ...own])].map((label) => ({ label, isSet: own.includes(label) }));
  return choices.length > 0 && { choices };
}

/** Days between which a reminder is possible: today, and the day on which retention deletes the submission. */
export const reminderDays = (
  submission: Submission,
  settings: Pick<Settings, 'TIME_ZONE' | 'RETENTION_DAYS'>,
): { readonly first: string; readonly last: string } => ({
  first: dateText(Date.now(), settings.TIME_ZONE),
  last: dateText(deletedAt(submission, settings), settings.TIME_ZONE),
});

/** The reminder of a submission, and whether retention is earlier, as after a release. */
function reminderView({ remindAt, form }: Submission, end: number, timeZone: string) {
  if (remindAt === null) return undefined;
  const day = timeText(remindAt, timeZone, 'day');
  const isTooLate = remindAt > end && words.deletedBefore({ noun: nounOf(form), day: timeText(end, timeZone, 'day') });
  return { day, isTooLate, isDue: remindAt <= Date.now(), isoDay: dateText(remindAt, timeZone) };
}

/** The mailboxes that a submission can be sent to: those of its form, then the others. */
function mailboxGroups(form: Submission['form'], settings: RecipientSettings, current: string) {
  const own = mailboxesOf(form, settings);
  const isOther = (one: string) => one !== current;
  const groups = [
    { label: words.mailboxesFor({ nouns: nounsOf(form) }), mailboxes: own.filter(isOther) },
    {
      label: words.mailboxesFor({ nouns: otherNouns(form) }),
      mailboxes: allRecipients(settings).filter((one) => isOther(one) && !own.includes(one)),
    },
  ];
  return groups.filter(({ mailboxes }) => mailboxes.length > 0);
}

/** Nouns of the other forms: "applications", or "applications and partner requests". */
const otherNouns = (form: string): string => listText(FORM_KINDS.filter((other) => other !== form).map(nounsOf));

/** The question before a submission is sent to a mailbox of another department. */
export function handOverPage(
  frame: Frame,
  submission: Submission,
  { to, why, back }: { readonly to: string; readonly why: string; readonly back: string },
): string {
  const { form, resume } = submission;
  const noun = nounOf(form);
  const what = resume ? handOver.mailWithFile : handOver.mail;
  return confirmPage(frame, submission, {
    title: handOver.title({ noun }),
    text: handOver.text({ mailbox: to, nouns: otherNouns(form), what, noun }),
    address: 'send',
    back,
    values: { to, confirmed: to, why },
    isFinal: true,
    no: handOver.no,
    yes: handOver.yes,
  });
}

/** The question before a submission is taken over from a colleague. */
export function takeOverPage(
  frame: Frame,
  submission: Submission,
  { taker, back, timeZone }: { readonly taker: Taker; readonly back: string; readonly timeZone: string },
): string {
  const { by, at } = taker;
  return confirmPage(frame, submission, {
    title: takeOver.title({ name: by }),
    text: takeOver.text({ name: by, time: timeText(at, timeZone) }),
    address: 'take',
    back,
    values: { from: by },
    isFinal: false,
    no: takeOver.no({ name: by }),
    yes: takeOver.yes,
  });
}

/** The second look before an erasure. */
export function confirmErasurePage(frame: Frame, submission: Submission): string {
  const { form, resume } = submission;
  const what = resume ? erase.fieldsAndFile : erase.fields;
  return confirmPage(frame, submission, {
    title: erase.title({ noun: nounOf(form) }),
    text: erase.text({ what }),
    address: 'erase',
    back: '/inbox',
    values: {},
    isFinal: true,
    no: erase.no,
    yes: erase.yes,
  });
}

/** Question, consequences, and the form that answers yes. */
interface Question {
  readonly title: string;
  readonly text: string;
  /** Last part of the form's address. */
  readonly address: string;
  readonly back: string;
  /** Hidden fields of the form. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether the action cannot be undone. */
  readonly isFinal: boolean;
  readonly no: string;
  readonly yes: string;
}

/** A question about a submission, as `pages/confirm.html` has it. */
const confirmPage = (frame: Frame, submission: Submission, { back, values, ...question }: Question) =>
  fillConfirm(frame, {
    ...question,
    id: submission.id,
    page: pageAddress(submission.id, back),
    name: senderName(submission),
    subject: subjectOf(submission),
    values: Object.entries({ ...values, back }).map(([key, value]) => ({ key, value })),
  });

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
    .map(([name, value]) => ({ label: labelOf(submission.form, name), value, isBody: name === body }))
    .toSorted((one, other) => Number(other.isBody) - Number(one.isBody))
    .map(({ isBody, ...field }) => ({ ...field, span: isBody ? 'sm:col-span-2' : '', size: isBody ? 'text-lg' : '' }));
}

/** The state of an acknowledgement or of a post to the webhook. */
function notificationWords({ kind, state, lastError }: Notification): string {
  if (kind === 'acknowledgement')
    return {
      pending: words.acknowledgementPending,
      delivered: words.acknowledgementDelivered,
      failed: words.acknowledgementFailed,
    }[state];
  const why = lastError ?? '';
  return {
    pending: why ? words.webhookPendingWhy({ why }) : words.webhookPending,
    delivered: words.webhookDelivered,
    failed: why ? words.webhookFailedWhy({ why }) : words.webhookFailed,
  }[state];
}
