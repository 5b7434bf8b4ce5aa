import { labelsFor } from '../settings/formats.ts';
import type { Settings } from '../settings/settings.ts';
import { FORM_KINDS, nounOf, nounsOf, valueOf } from '../contract/forms.ts';
import { serviceWords } from '../contract/service-words.ts';
import { telephoneUrl } from '../contract/telephone.ts';
import { dateText, listText, sizeText, timeText, zoneText } from '../html/format.ts';
import { answerUrl } from '../html/links.ts';
import type { Notification } from '../outbox/notifications.repository.ts';
import { readPage, type Frame } from '../sign-in/page.ts';
import {
  answerTitle,
  describeEvent,
  inSentence,
  senderName,
  shownValues,
  subjectOf,
  userText,
  whyHeldBack,
} from '../submissions/labels.ts';
import {
  NOTE_MAX_CHARS,
  deletedAt,
  hasPdf,
  historyOf,
  labelsOf,
  statusOf,
  type DatedEvent,
  type Submission,
} from '../submissions/submission.ts';
import { allRecipients, mailboxesOf, recipientOf, type RecipientSettings } from '../submissions/recipients.ts';
import { ACTIONS, isPossible, type ActionName } from '../submissions/submission-actions.service.ts';
import {
  dayView,
  listAddress,
  marksView,
  rowView,
  SHEET,
  statusView,
  timeView,
  type Marks,
  pageAddress,
} from './list-page.ts';
import type { neighboursOf, Search } from './search.ts';

const { submission: words, frame: frameWords, errors } = serviceWords('inbox');
const { labelled } = serviceWords('submissions');
const fillSubmission = readPage('submission', import.meta.url);

export type PageSettings = RecipientSettings &
  Pick<Settings, 'TIME_ZONE' | 'RETENTION_DAYS' | 'DIGEST_AT' | 'INBOX_LABELS'>;

/** Values that a submission's page shows in addition to the submission. */
interface Context {
  readonly notifications: readonly Notification[];
  /** Number of other submissions from the same address that the user may see. */
  readonly others: number;
  /** Whether a form was refused, because the submission has changed since its page was shown. */
  readonly isChanged?: boolean;
  readonly marked: Marks | undefined;
  /** The list that the page was opened from, and its part around the submission. */
  readonly search: Search;
  readonly neighbours: ReturnType<typeof neighboursOf>;
  readonly settings: PageSettings;
}

/** Roles of the values at the head of the page. */
const AT_HEAD = ['sender', 'topic', 'email', 'phone', 'body'] as const;

/** One submission, as `pages/submission.html` has it. */
export function submissionPage(frame: Frame, submission: Submission, context: Context): string {
  const { notifications, others, search, neighbours, settings } = context;
  const { id, form, state, handled, handledAt, handledBy, remindAt, takenBy, takenAt, resume, version } = submission;
  const [email, phone] = [valueOf(submission, 'email'), valueOf(submission, 'phone')];
  const { TIME_ZONE: timeZone } = settings;
  const time = (at: number | null) => timeText(at ?? 0, timeZone);
  const [name, subject, mailbox] = [senderName(submission), subjectOf(submission), recipientOf(submission, settings)];
  const back = listAddress(search);
  const can = (action: ActionName) => isPossible(action, submission);
  const isMine = takenBy === frame.user?.name;
  const waiting = waitingView(submission, settings);
  const presses = pressesOf(submission, notifications);
  const values = shownValues(submission, AT_HEAD);
  const call = telephoneUrl(phone);
  const status = statusOf(submission);
  return fillSubmission(frame, {
    title: labelled({ label: name, value: subject }),
    id,
    version,
    name,
    subject,
    back,
    list: `${back}#${id}`,
    newer: neighbours.newer && { page: pageAddress(neighbours.newer.id, back) },
    older: neighbours.older && { page: pageAddress(neighbours.older.id, back) },
    neighbours: neighbours.rows.length > 0 && {
      rows: neighbours.rows.map((one) => ({ ...rowView(one, search, timeZone), isCurrent: one.id === id })),
    },
    marked: marksView(context.marked),
    changed: context.isChanged && errors.changed,
    mailbox,
    ...statusView(status),
    badge: status !== 'delivered' && statusView(status).badge,
    received: timeView(submission.receivedAt, timeZone),
    zone: zoneText(timeZone),
    handled: handled && words.marked({ status: inSentence(handled), name: handledBy ?? '', time: time(handledAt) }),
    waiting: waiting && { ...waiting, presses: [...presses, ...(state === 'quarantined' ? [SPAM] : [])] },
    // Prevents answers by habit to what is held back, and to what a colleague has.
    isAnswerQuiet: state === 'quarantined' || (takenBy !== null && !isMine),
    answer: answerUrl(email, answerTitle(submission), id, valueOf(submission, 'body')),
    email,
    call,
    phone,
    number: !call && phone,
    taken:
      takenBy !== null &&
      (isMine ? words.yours({ time: time(takenAt) }) : words.takenBy({ name: takenBy, time: time(takenAt) })),
    done: can('mark') && handled !== 'done' && (neighbours.older ? words.doneAndNext : frameWords.markDone),
    spam: can('mark') && handled !== 'spam' && !(waiting && state === 'quarantined') && frameWords.markSpam,
    take: takePress(submission, isMine),
    message: valueOf(submission, 'body'),
    values: values.length > 0 && { each: values },
    file: resume && { sign: SHEET, name: resume.name, size: sizeText(resume.size), hasPdf: hasPdf(submission) },
    labels: labelChoices(submission, labelsFor(form, settings.INBOX_LABELS)),
    reminder: handled !== 'spam' &&
      remindAt !== null && { ...dayView(remindAt, timeZone), isDue: remindAt <= Date.now() },
    remind: {
      ...reminderDays(submission, settings),
      where: settings.DIGEST_AT ? words.reminderInDigest : words.reminderInList,
    },
    mail: !waiting && presses.length > 0 && { presses },
    sendTo: can('handOver') && { groups: mailboxGroups(form, settings, mailbox) },
    others: others > 0 && { count: others },
    happened: happenedTo(submission, notifications).map(({ at, ...event }) => ({
      ...event,
      ...timeView(at, timeZone),
    })),
    noteMax: NOTE_MAX_CHARS,
    thing: nounOf(form),
    erasure: words.erasure({ what: resume ? words.fieldsAndFile : words.fieldsOnly }),
  });
}

/** A button of the page: the last part of the address that it posts to, and the value that it sends. */
const press = (address: string, text: string, as = '') => ({ address, text, as });

const SPAM = press('mark', frameWords.markSpam, 'spam');

function takePress({ handled, takenBy }: Submission, isMine: boolean) {
  if (takenBy === null) return handled === null && press('take', words.take);
  return isMine ? press('take', words.giveBack, 'free') : press('take', words.takeOver);
}

/** Shows the event that a submission waits for: the next attempt, or the decision of a person before it is deleted. */
function waitingView(submission: Submission, settings: PageSettings) {
  const { state, handled, reasons, nextAttemptAt } = submission;
  const zone = zoneText(settings.TIME_ZONE);
  const time = (at: number) => timeText(at, settings.TIME_ZONE);
  const reply = lastReply(submission);
  if (state === 'pending' && nextAttemptAt > 0)
    return {
      look: 'border-signal bg-signal-wash',
      sentence: words.nextTry({ time: time(nextAttemptAt), zone }),
      reply,
    };
  if (handled !== null || (state !== 'failed' && state !== 'quarantined')) return undefined;
  const isFailed = state === 'failed';
  const sentences = [
    isFailed ? words.notDelivered : whyHeldBack(reasons),
    isFailed ? words.notDeliveredAdvice : words.heldBackAdvice,
    words.deleted({ time: time(deletedAt(submission, settings)), zone }),
  ];
  return {
    look: isFailed ? 'notice-error' : 'border-edge bg-surface',
    sentence: sentences.join(' '),
    reply: isFailed && reply,
  };
}

/** Buttons of what one press does about the mail and the webhook post. */
function pressesOf(submission: Submission, notifications: readonly Notification[]) {
  const isPostFailed = notifications.some(({ kind, state }) => kind === 'webhook' && state === 'failed');
  const texts = {
    release: words.release,
    sendAgain: submission.state === 'failed' ? words.sendAgain : words.sendMailAgain,
    sendNow: words.sendNow,
    giveUp: words.giveUp,
    ...(isPostFailed && { repost: words.postAgain }),
  };
  return (Object.keys(texts) as (keyof typeof texts)[])
    .filter((action) => isPossible(action, submission))
    .map((action) => press(ACTIONS[action].address, texts[action] ?? ''));
}

/** The labels that can be added or removed. One that has left the settings can only be removed. */
function labelChoices(submission: Submission, all: readonly string[]) {
  const own = labelsOf(submission);
  const choices = [...new Set([...all, ...own])].map((label) => {
    const isSet = own.includes(label);
    return { label, isSet, name: isSet ? 'remove' : 'add' };
  });
  return choices.length > 0 && { choices };
}

/** Days between which a reminder is possible: today, and the day on which retention deletes the submission. */
export const reminderDays = (submission: Submission, settings: PageSettings) => ({
  first: dateText(Date.now(), settings.TIME_ZONE),
  last: dateText(deletedAt(submission, settings), settings.TIME_ZONE),
});

/** The mailboxes that a submission can be sent to: those of its form, and those of another department with a warning. */
function mailboxGroups(form: Submission['form'], settings: RecipientSettings, current: string) {
  const own = mailboxesOf(form, settings);
  const others = allRecipients(settings).filter((one) => !own.includes(one));
  const [noun, nouns] = [nounOf(form), listText(FORM_KINDS.filter((other) => other !== form).map(nounsOf))];
  return [
    { label: words.mailboxesFor({ nouns: nounsOf(form) }), mailboxes: own, warning: false },
    { label: words.mailboxesFor({ nouns }), mailboxes: others, warning: words.otherDepartment({ noun, nouns }) },
  ]
    .map((group) => ({ ...group, mailboxes: group.mailboxes.filter((one) => one !== current) }))
    .filter(({ mailboxes }) => mailboxes.length > 0);
}

const FAILED_ATTEMPTS: ReadonlySet<DatedEvent['event']> = new Set(['attempt', 'failed']);

/** The mail server's words about the latest attempt. */
function lastReply(submission: Submission): string | undefined {
  const last = historyOf(submission).findLast(({ event }) => FAILED_ATTEMPTS.has(event));
  return last?.reply ?? submission.lastError ?? undefined;
}

/** The history with its notes, and that of acknowledgement and webhook, the oldest first. */
function happenedTo(submission: Submission, notifications: readonly Notification[]) {
  const received = { at: submission.receivedAt, what: serviceWords('submissions').history.received };
  const events = historyOf(submission).map((event) => {
    const [at, text] = [Date.parse(event.at), describeEvent(event)];
    return event.event === 'note'
      ? { at, note: text, by: userText(event.by ?? words.colleague) }
      : { at, ...saidView(text, event.reply) };
  });
  const others = notifications.map((one) => ({
    at: one.stateSince,
    ...saidView(notificationWords(one), one.kind === 'acknowledgement' ? one.lastError : undefined),
  }));
  const none = { what: undefined, said: undefined, reply: undefined, note: undefined, by: undefined };
  return [received, ...[...events, ...others].toSorted((a, b) => a.at - b.at)].map((one) => ({ ...none, ...one }));
}

/** Shows an event; with a reply of the mail server it is the summary above it. */
const saidView = (what: string, reply: string | null | undefined) => (reply ? { said: what, reply } : { what });

/** The state of an acknowledgement or of a post to the webhook, with the reason of the latter. */
function notificationWords({ kind, state, lastError: why }: Notification): string {
  const label = words[kind][state];
  return why && kind === 'webhook' && state !== 'delivered' ? labelled({ label, value: why }) : label;
}
