import { LOCALE } from '../contract/locale.ts';
import { fill } from '../contract/messages.ts';
import { TICKED, type FieldInput, type FieldRole } from '../contract/define-form.ts';
import { formOf, nounOf, valueOf, type Filled } from '../contract/forms.ts';
import { calendarDayText, listText, timeText } from '../html/format.ts';
import { virusOf, type SpamReason, type HistoryEvent, type Status, type Submission } from './submission.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('submissions');

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

/** Returns why a submission is or was quarantined, in a sentence; an empty text without reasons. */
export function whyHeldBack(reasons: readonly string[]): string {
  return reasons.length > 0 ? words.heldBack({ reasons: listText(reasons.map(reasonText)) }) : '';
}

/** Returns a reason in words. Reasons that other versions have stored are returned unchanged. */
function reasonText(reason: string): string {
  const virus = virusOf(reason);
  if (virus !== undefined) return words.virus({ virus });
  return Object.hasOwn(words.reasons, reason) ? words.reasons[reason as SpamReason] : reason;
}

/** Returns the label of a stored value, which may be of a field that is no longer asked. */
export function labelOf(form: string, name: string): string {
  const { fields = [], retiredFields = [] } = formOf(form) ?? {};
  const label = (all: typeof fields) => all.find((field) => field.name === name)?.label;
  return label(fields) ?? words.noLongerAsked({ label: label(retiredFields) ?? name });
}

/**
 * Returns the stored values but those of some roles, with their labels in the language of the content. They are in the order
 * of the form, with fields of other versions last. A long one has paragraphs.
 */
export function shownValues({ form, fields: values }: Filled, without: readonly FieldRole[]) {
  const { fields = [], retiredFields = [] } = formOf(form) ?? {};
  const names = new Set([...fields.map(({ name }) => name), ...Object.keys(values)]);
  return [...names].flatMap((name) => {
    const { input, role } = [...fields, ...retiredFields].find((field) => field.name === name) ?? {};
    const text = values[name] ?? '';
    if (text === '' || (role && without.includes(role))) return [];
    const value = shownValue(input, text);
    return [{ label: labelOf(form, name), value, isLong: input === 'textarea' || value.includes('\n') }];
  });
}

/** Returns a stored value in words: dates and ticks of check boxes are stored as they are sent. */
function shownValue(input: FieldInput | undefined, value: string): string {
  if (input === 'date') return calendarDayText(value);
  return input === 'checkbox' && value === TICKED ? words.ticked : value;
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

/** Returns a title or subject with a capital if it starts with the noun. A topic such as "iOS Development" keeps its spelling. */
export const titleOf = (text: string, noun: string): string => (text.startsWith(noun) ? capitalized(text) : text);

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

/** Returns the beginning of the message in one line. It goes beyond the greeting in the first line. */
export const excerptOf = (submission: Filled): string => beginningOf(valueOf(submission, 'body'));

/** Returns the beginning of a text in one line, cut between words. */
export function beginningOf(text: string): string {
  const line = text
    .slice(0, 2 * EXCERPT_MAX_CHARS)
    .replace(/\s+/g, ' ')
    .replace(/\p{Surrogate}$/u, '')
    .trim();
  if (line.length <= EXCERPT_MAX_CHARS) return line;
  const cut = line.slice(0, EXCERPT_MAX_CHARS);
  // A text without spaces, such as Japanese, is cut between characters.
  return `${/^(.*\S) /su.exec(cut)?.[1] ?? cut.replace(/\p{Surrogate}$/u, '')}…`;
}

/** Returns a date such as `2026-12-03` in words. */
const dayText = (date: string): string => timeText(Date.parse(date), 'UTC', 'day');

/** Describes an event of the history, without the mail server's reply. A note is its text. */
export function describeEvent({ event, by: name, code, to, text = '', label = '', on }: HistoryEvent): string {
  const { history } = words;
  const values = {
    by: name ? ` ${history.by({ name: userText(name) })}` : '',
    code: code ? ` (${code})` : '',
    mailbox: to ?? history.anotherMailbox,
    day: on ? dayText(on) : '',
    label,
  };
  if (event === 'note') return text;
  if (event === 'reminder' && !on) return history.reminderRemoved(values);
  const sentence = history[event];
  return typeof sentence === 'string' ? sentence : sentence(values);
}
