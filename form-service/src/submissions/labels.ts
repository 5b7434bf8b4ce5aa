import { fill } from '../contract/messages.ts';
import { formOf, nounOf, valueOf, type Filled } from '../contract/forms.ts';
import { timeText } from '../html/format.ts';
import type { Reason, SpamReason } from './reasons.ts';
import type { HistoryEvent, Status, Submission } from './submission.ts';

/** Labels of the status, for sales and HR. */
export const STATUS_LABELS: Readonly<Record<Status, string>> = {
  pending: 'On its way',
  delivered: 'Delivered',
  failed: 'Not delivered',
  quarantined: 'Held back',
  done: 'Done',
  spam: 'Spam',
};

/** Reasons of the spam filter, as they end a sentence that begins with "We held this back because". */
const REASON_LABELS: Readonly<Record<SpamReason, string>> = {
  'honeypot filled': 'a field was filled in that people cannot see',
  'same text from several senders': 'the same text came from several senders',
  'markup of a web page': 'it contains code of a web page',
  'many links': 'it has more than five links',
  'link in a name or phone number': 'there is a link in place of a name or phone number',
  'sent within seconds': 'it was sent within seconds of opening the form',
  'form token not ours': 'it did not come from our form',
  'form token used often': 'the same opened form was sent many times',
  'form token of long ago': 'its form was opened long ago',
  links: 'it has links',
};

/** Returns why a submission waits for a decision, in sentences; an empty text if it does not wait. */
export function whyWaiting({ state, reasons, lastError }: Submission): string {
  if (state === 'failed') return `It could not be delivered. ${lastError ?? ''}`.trim();
  return state === 'quarantined' ? whyHeldBack(reasons) : '';
}

/** Returns the same in brief, for a list. */
export function whyInBrief({ state, reasons, lastError }: Submission): string {
  if (state === 'failed') return lastError ?? '';
  return state === 'quarantined' ? reasons.map(reasonText).join(', ') : '';
}

/** Returns why a submission is or was quarantined, in a sentence; an empty text without reasons. */
export function whyHeldBack(reasons: readonly Reason[]): string {
  const parts = reasons.map(reasonText);
  const last = parts.pop();
  if (last === undefined) return '';
  return `We held this back because ${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last}.`;
}

/** Returns a reason in words. Reasons that other versions have stored are returned unchanged. */
function reasonText(reason: Reason): string {
  if (typeof reason !== 'string') return `the virus scanner found ${reason.name} in the file`;
  return Object.hasOwn(REASON_LABELS, reason) ? REASON_LABELS[reason as SpamReason] : reason;
}

/** Name of the sender, as typed; the address if the form does not ask for a name. */
export const senderName = (submission: Filled): string => valueOf(submission, 'sender') || valueOf(submission, 'email');

/** Topic of a submission, such as a service or position. */
export function subjectOf(submission: Filled): string {
  const { words } = formOf(submission.form) ?? {};
  return valueOf(submission, 'topic') || (words?.withoutTopic ?? capitalized(nounOf(submission.form)));
}

/** Returns a noun with its article: "an enquiry". */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Subject of a reply to the visitor, without the reference. */
export function answerTitle(submission: Filled): string {
  const { answer = 'Your message', answerWithoutTopic } = formOf(submission.form)?.words ?? {};
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
  const by = event.by ? ` by ${event.by}` : '';
  const code = event.code ? ` (${event.code})` : '';
  switch (event.event) {
    case 'attempt':
      return `The mail could not be sent${code}`;
    case 'refused':
      return `The mail server refused the mail${code}. It is tried once more`;
    case 'held':
      return `It waits, because the mail server refuses our mails${code}`;
    case 'delivered':
      return 'The mail server accepted the mail';
    case 'released':
      return `Released${by}`;
    case 'sent again':
      return `Sent again${by}`;
    case 'sent on':
      return `Sent to ${event.to ?? 'another mailbox'}${by}${event.text === undefined ? '' : `: ${event.text}`}`;
    case 'posted again':
      return `Posted to the webhook again${by}`;
    case 'failed':
      return `The mail server rejected the mail${code}`;
    case 'quarantined':
      return 'Held back after the virus scan';
    case 'downloaded':
      return `The file was downloaded${by}`;
    case 'done':
    case 'spam':
      return `Marked as ${event.event}${by}`;
    case 'reopened':
      return event.back ? `Undone${by}: marked as ${event.back} again` : `Opened again${by}`;
    case 'note':
      return event.text === undefined ? `Note changed${by}` : `Note${by}`;
    case 'taken':
      return `Taken${by}`;
    case 'given back':
      return `Given back${by}`;
    case 'labelled':
      return `Label “${event.label ?? ''}” added${by}`;
    case 'label removed':
      return `Label “${event.label ?? ''}” removed${by}`;
    case 'reminder':
      return event.on ? `Reminder on ${dayText(event.on)} set${by}` : `Reminder removed${by}`;
  }
}
