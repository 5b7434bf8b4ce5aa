import { readdirSync, readFileSync } from 'node:fs';
import { allRecipients, type RecipientSettings } from '../settings/formats.ts';
import { CONTENT_FOLDER } from '../contract/words.ts';
import { fieldOf, FORM_KINDS, formOf, FORMS, valueOf, type Filled } from '../contract/forms.ts';
import { topicKey } from './search-terms.ts';

export { allRecipients, type RecipientSettings };

/**
 * Returns the mailbox for a submission. Topics are compared without case, accents and punctuation. The choice of staff
 * takes precedence, as long as the settings contain that mailbox.
 */
export function recipientOf(submission: Filled & { recipient?: string | null }, settings: RecipientSettings): string {
  const { form, recipient } = submission;
  if (recipient && allRecipients(settings).includes(recipient)) return recipient;
  const topic = topicKey(valueOf(submission, 'topic'));
  const route = topicsWithMailbox(form, settings).find((one) => one.topic === topic);
  return route?.mailbox ?? inboxOf(form, settings);
}

/** Returns the keys of a form's topics that have a mailbox of their own, each once: of two entries the first counts. */
export function topicsWithMailbox(form: string, { RECIPIENTS }: RecipientSettings) {
  const field = fieldOf(form, 'topic');
  const isOwn = (name: string) => field?.options?.includes(name) ?? (field !== undefined && !isReserved(name));
  const entries = [...(RECIPIENTS ?? [])].filter(([name]) => isOwn(name));
  const found = entries.map(([name, mailbox]) => ({ topic: topicKey(name), mailbox }));
  return found.filter(({ topic }, at) => found.findIndex((one) => one.topic === topic) === at);
}

/** Returns the mailbox of a form: its own, or else that of sales. */
export const inboxOf = (form: string, settings: RecipientSettings): string =>
  ownInboxOf(form, settings) ?? settings.SALES_INBOX;

/** Returns the mailbox that a form has in its own setting, or else in `RECIPIENTS`. */
export function ownInboxOf(form: string, settings: RecipientSettings): string | undefined {
  const { mailbox } = formOf(form) ?? {};
  return mailbox ? settings[mailbox] : settings.RECIPIENTS?.get(form);
}

/** Returns the mailboxes that get submissions of a form, without duplicates. */
export const mailboxesOf = (form: string, settings: RecipientSettings): string[] => [
  ...new Set([inboxOf(form, settings), ...topicsWithMailbox(form, settings).map(({ mailbox }) => mailbox)]),
];

/** Whether a mailbox gets submissions of another form, and is not the inbox of this one. */
export function isOfAnotherForm(mailbox: string, form: string, settings: RecipientSettings): boolean {
  if (mailbox === inboxOf(form, settings)) return false;
  return FORM_KINDS.some((other) => other !== form && mailboxesOf(other, settings).includes(mailbox));
}

/** Title in the front matter of a job, with or without quotes. */
const TITLE = /^title:[ \t]*(["']?)(.*?)\1[ \t]*(?:[ \t]#.*)?\r?$/m;

/** Returns the titles of the site's jobs; null if their files are missing. */
export function positionsOfSite(folder = new URL('jobs/', CONTENT_FOLDER)): string[] | null {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
    return files.flatMap((name) => TITLE.exec(readFileSync(new URL(name, folder), 'utf8'))?.[2] ?? []);
  } catch {
    return null;
  }
}

/** Returns the title of the site's job that a visitor has typed as the topic; '' if the site has no such job. */
export function chosenPosition(filled: Filled): string {
  const key = topicKey(valueOf(filled, 'topic'));
  return positionsOfSite()?.find((title) => topicKey(title) === key) ?? '';
}

/** Returns a sentence for each key that is unknown, and has no effect. */
export function unknownRecipients(
  { RECIPIENTS }: RecipientSettings,
  positions: readonly string[] | null = positionsOfSite(),
): string[] {
  if (!positions) return [];
  const known = new Set(positions.map(topicKey));
  return [...(RECIPIENTS?.keys() ?? [])]
    .filter((key) => !isReserved(key) && !known.has(topicKey(key)))
    .map((key) => `RECIPIENTS has "${key}", which is no topic or name of a form and no title of a job on the site`);
}

/** Topics that forms offer, and names of forms without a mailbox. All other keys are positions, which visitors type. */
const RESERVED: ReadonlySet<string> = new Set(
  FORMS.flatMap(({ kind, mailbox }) => [...(mailbox ? [] : [kind]), ...(fieldOf(kind, 'topic')?.options ?? [])]),
);
const isReserved = (key: string): boolean => RESERVED.has(key);
