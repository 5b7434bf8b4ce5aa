import { LOCALE } from '../contract/locale.ts';
import { fill } from '../contract/messages.ts';
import { formOf, nounOf, valueOf, type Filled } from '../contract/forms.ts';
import { listText, timeText } from '../html/format.ts';
import type { Reason, SpamReason } from './reasons.ts';
import type { HistoryEvent, Status, Submission } from './submission.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('submissions');
const { history } = words;

/** User in the history of a submission that a command released or sent again. */
export const OPERATOR = 'an operator';

/** Name of a user of the history, in the language of the content. */
export const userText = (name: string): string => (name === OPERATOR ? words.operator : name);

/** Labels of the status, for sales and HR. */
export const STATUS_LABELS = Object.fromEntries(
  Object.entries(words.status).map(([status, text]) => [status, capitalized(text)]),
) as Readonly<Record<Status, string>>;

/** A status within a sentence, where a German noun keeps its capital. */
export const inSentence = (status: Status): string => words.status[status];

/** Returns why a submission waits for a decision, in sentences; an empty text if it does not wait. */
export function whyWaiting({ state, reasons, lastError }: Submission): string {
  if (state === 'failed') return words.failed({ why: lastError ?? '' }).trim();
  return state === 'quarantined' ? whyHeldBack(reasons) : '';
}

/** Returns the same in brief, for a list. */
export function whyInBrief({ state, reasons, lastError }: Submission): string {
  if (state === 'failed') return lastError ?? '';
  return state === 'quarantined' ? reasons.map(reasonText).join(', ') : '';
}

/** Returns why a submission is or was quarantined, in a sentence; an empty text without reasons. */
export function whyHeldBack(reasons: readonly Reason[]): string {
  return reasons.length > 0 ? words.heldBack({ reasons: listText(reasons.map(reasonText)) }) : '';
}

/** Returns a reason in words. Reasons that other versions have stored are returned unchanged. */
function reasonText(reason: Reason): string {
  if (typeof reason !== 'string') return words.virus({ virus: reason.name });
  return Object.hasOwn(words.reasons, reason) ? words.reasons[reason as SpamReason] : reason;
}

/** Returns the label of a stored value, which may be of a field that is no longer asked. */
export function labelOf(form: string, name: string): string {
  const { fields = [], retiredFields = [] } = formOf(form) ?? {};
  const label = (all: typeof fields) => all.find((field) => field.name === name)?.label;
  return label(fields) ?? words.noLongerAsked({ label: label(retiredFields) ?? name });
}

/** Name of the sender, as typed; the address if the form does not ask for a name. */
export const senderName = (submission: Filled): string => valueOf(submission, 'sender') || valueOf(submission, 'email');

/** Topic of a submission, such as a service or position. */
export function subjectOf(submission: Filled): string {
  const { words } = formOf(submission.form) ?? {};
  return valueOf(submission, 'topic') || (words?.withoutTopic ?? capitalized(nounOf(submission.form)));
}

/** Returns a noun with its article: "an enquiry". */
export const withArticle = (noun: string): string =>
  /^[aeiou]/i.test(noun) ? words.articleOfVowel({ noun }) : words.article({ noun });

export function capitalized(text: string): string {
  return text.slice(0, 1).toLocaleUpperCase(LOCALE) + text.slice(1);
}

/** Subject of a reply to the visitor, without the reference. */
export function answerTitle(submission: Filled): string {
  const { answer = words.answer, answerWithoutTopic } = formOf(submission.form)?.words ?? {};
  const topic = valueOf(submission, 'topic');
  return topic || answerWithoutTopic === undefined ? fill(answer, { topic }) : answerWithoutTopic;
}

/** Maximum length of an excerpt, in characters. */
const EXCERPT_MAX_CHARS = 200;

/** Returns the beginning of the message in one line, cut between words. It goes beyond the greeting in the first line. */
export function excerptOf(submission: Filled): string {
  const line = valueOf(submission, 'body')
    .slice(0, 2 * EXCERPT_MAX_CHARS)
    .replace(/\s+/g, ' ')
    .replace(/\p{Surrogate}$/u, '')
    .trim();
  if (line.length <= EXCERPT_MAX_CHARS) return line;
  const cut = line.slice(0, EXCERPT_MAX_CHARS);
  // A text without spaces, such as Japanese, is cut between characters.
  const words = /^(.*\S) /su.exec(cut)?.[1] ?? cut.replace(/\p{Surrogate}$/u, '');
  return `${words}…`;
}

/** Returns a date such as `2026-12-03` in words. */
export const dayText = (date: string): string => timeText(Date.parse(date), 'UTC', 'day');

/** Describes an event of the history, without the mail server's reply. */
export function describeEvent(event: HistoryEvent): string {
  const { by: name, text, to: mailbox = history.anotherMailbox, label = '' } = event;
  const by = name ? ` ${history.by({ name: userText(name) })}` : '';
  const code = event.code ? ` (${event.code})` : '';
  switch (event.event) {
    case 'attempt':
      return history.notSent({ code });
    case 'delivered':
      return history.accepted;
    case 'released':
      return history.released({ by });
    case 'sent again':
      return history.sentAgain({ by });
    case 'sent on':
      return text === undefined ? history.sentOn({ mailbox, by }) : history.sentOnWhy({ mailbox, by, why: text });
    case 'posted again':
      return history.postedAgain({ by });
    case 'failed':
      return history.rejected({ code });
    case 'quarantined':
      return history.heldBack;
    case 'downloaded':
      return history.downloaded({ by });
    case 'done':
    case 'spam':
      return history.marked({ status: inSentence(event.event), by });
    case 'reopened':
      return event.back ? history.undone({ by, status: inSentence(event.back) }) : history.reopened({ by });
    case 'note':
      return history.note({ by });
    case 'taken':
      return history.taken({ by });
    case 'given back':
      return history.givenBack({ by });
    case 'labelled':
      return history.labelled({ label, by });
    case 'label removed':
      return history.labelRemoved({ label, by });
    case 'reminder':
      return event.on ? history.reminder({ day: dayText(event.on), by }) : history.reminderRemoved({ by });
  }
}
