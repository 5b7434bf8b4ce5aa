import { readdirSync, readFileSync } from 'node:fs';
import type { Recipients } from '../config/formats.ts';
import { fieldOf, FORM_KINDS, formOf, FORMS, valueOf, type Filled } from '../contract/forms.ts';

/** Part of a submission that determines its recipient. */
export type Addressed = Filled & { readonly recipient?: string | null };

export interface RecipientSettings {
  readonly SALES_INBOX: string;
  readonly HR_INBOX: string;
  readonly RECIPIENTS?: Recipients | undefined;
}

/**
 * Returns the mailbox for a submission. A topic that the form offers must match exactly. One that visitors type, such as
 * a position, is compared without case, accents and punctuation. The choice of staff takes precedence, as long as the
 * settings contain that mailbox.
 */
export function recipientOf(submission: Addressed, settings: RecipientSettings): string {
  const { form, recipient } = submission;
  if (recipient && allRecipients(settings).includes(recipient)) return recipient;
  const { RECIPIENTS } = settings;
  const inbox = inboxOf(form, settings);
  const topic = valueOf(submission, 'topic');
  if (fieldOf(form, 'topic')?.options) return RECIPIENTS?.get(topic) ?? inbox;
  const slug = slugOf(topic);
  if (!RECIPIENTS || slug === '') return inbox;
  const key = [...RECIPIENTS.keys()].find((one) => !isReserved(one) && slugOf(one) === slug);
  return (isReserved(slug) ? undefined : RECIPIENTS.get(slug)) ?? RECIPIENTS.get(key ?? '') ?? inbox;
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
export function mailboxesOf(form: string, settings: RecipientSettings): string[] {
  const topic = fieldOf(form, 'topic');
  const isOwn = (key: string) => topic?.options?.includes(key) ?? (topic !== undefined && !isReserved(key));
  const entries = [...(settings.RECIPIENTS ?? [])].filter(([key]) => isOwn(key));
  return [...new Set([inboxOf(form, settings), ...entries.map(([, mailbox]) => mailbox)])];
}

/** Whether a mailbox gets submissions of another form, and is not the inbox of this one. */
export function isOfAnotherForm(mailbox: string, form: string, settings: RecipientSettings): boolean {
  if (mailbox === inboxOf(form, settings)) return false;
  return FORM_KINDS.some((other) => other !== form && mailboxesOf(other, settings).includes(mailbox));
}

/** Returns all mailboxes that get submissions, without duplicates. */
export function allRecipients({ SALES_INBOX, HR_INBOX, RECIPIENTS }: RecipientSettings): string[] {
  return [...new Set([SALES_INBOX, HR_INBOX, ...(RECIPIENTS?.values() ?? [])])];
}

/** Title in the front matter of a job, with or without quotes. */
const TITLE = /^title:[ \t]*(["']?)(.*?)\1[ \t]*(?:[ \t]#.*)?\r?$/m;

/** Returns the titles of the site's jobs; null if their files are missing. The image has them as of its build. */
export function positionsOfSite(folder = new URL('../../../frontend/content/jobs/', import.meta.url)): string[] | null {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
    return files.flatMap((name) => TITLE.exec(readFileSync(new URL(name, folder), 'utf8'))?.[2] ?? []);
  } catch {
    return null;
  }
}

/** Returns a sentence for each key that has no effect: unknown, or a position that another key names. */
export function unknownRecipients(
  { RECIPIENTS }: RecipientSettings,
  positions: readonly string[] | null = positionsOfSite(),
): string[] {
  if (!positions) return [];
  const known = new Set(positions.map(slugOf));
  const keys = [...(RECIPIENTS?.keys() ?? [])].filter((key) => !isReserved(key));
  const unknown = keys.filter((key) => !known.has(slugOf(key)));
  const repeated = keys.filter((key, index) => keys.findIndex((one) => slugOf(one) === slugOf(key)) < index);
  return [
    ...unknown.map(
      (key) => `RECIPIENTS has "${key}", which is no topic or name of a form and no title of a job on the site`,
    ),
    ...repeated.map((key) => `RECIPIENTS has "${key}", a position that another entry names`),
  ];
}

/** Topics that forms offer, and names of forms without a mailbox. All other keys are positions, which visitors type. */
const RESERVED: ReadonlySet<string> = new Set(
  FORMS.flatMap(({ kind, mailbox }) => [...(mailbox ? [] : [kind]), ...(fieldOf(kind, 'topic')?.options ?? [])]),
);
const isReserved = (key: string): boolean => RESERVED.has(key);

/** Returns a text without case, accents and punctuation: `Android Developer` becomes `android-developer`. */
function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
