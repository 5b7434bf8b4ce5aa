import { readdirSync, readFileSync } from 'node:fs';
import { SERVICE_OPTIONS } from '../contract/contact.ts';
import type { Recipients } from '../config/formats.ts';
import { FORM_KINDS } from '../contract/protocol.ts';

/** Part of a submission that determines its recipient. */
export type Addressed = { readonly recipient?: string | null } & (
  | { readonly form: 'contact'; readonly fields: { readonly service: string } }
  | { readonly form: 'application'; readonly fields: { readonly position: string } }
);

export interface RecipientSettings {
  readonly SALES_INBOX: string;
  readonly HR_INBOX: string;
  readonly RECIPIENTS?: Recipients | undefined;
}

/**
 * Returns the mailbox for a submission. The name of a service must match exactly. Visitors type the position, so it is
 * compared with the job's title without case, accents and punctuation. The choice of staff takes precedence, as long as
 * the settings contain that mailbox.
 */
export function recipientOf(submission: Addressed, settings: RecipientSettings): string {
  const { recipient } = submission;
  if (recipient && allRecipients(settings).includes(recipient)) return recipient;
  const { RECIPIENTS } = settings;
  const inbox = inboxOf(submission.form, settings);
  if (submission.form === 'contact') return RECIPIENTS?.get(submission.fields.service) ?? inbox;
  const position = slugOf(submission.fields.position);
  if (!RECIPIENTS || position === '') return inbox;
  const key = [...RECIPIENTS.keys()].find((one) => !isService(one) && slugOf(one) === position);
  return RECIPIENTS.get(position) ?? RECIPIENTS.get(key ?? '') ?? inbox;
}

/** Returns the mailbox of a form, unless `RECIPIENTS` has another one. */
export function inboxOf(
  form: Addressed['form'],
  { SALES_INBOX, HR_INBOX }: Pick<RecipientSettings, 'SALES_INBOX' | 'HR_INBOX'>,
): string {
  return form === 'contact' ? SALES_INBOX : HR_INBOX;
}

/** Returns the mailboxes that get submissions of a form, without duplicates. */
export function mailboxesOf(
  form: Addressed['form'],
  { SALES_INBOX, HR_INBOX, RECIPIENTS }: RecipientSettings,
): string[] {
  const entries = [...(RECIPIENTS ?? [])].filter(([key]) => isService(key) === (form === 'contact'));
  return [...new Set([inboxOf(form, { SALES_INBOX, HR_INBOX }), ...entries.map(([, mailbox]) => mailbox)])];
}

/** Whether a mailbox gets submissions of another form, and is not the inbox of this one. */
export function isOfAnotherForm(mailbox: string, form: Addressed['form'], settings: RecipientSettings): boolean {
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
  const keys = [...(RECIPIENTS?.keys() ?? [])].filter((key) => !isService(key));
  const unknown = keys.filter((key) => !known.has(slugOf(key)));
  const repeated = keys.filter((key, index) => keys.findIndex((one) => slugOf(one) === slugOf(key)) < index);
  return [
    ...unknown.map(
      (key) => `RECIPIENTS has "${key}", which is no service of the form and no title of a job on the site`,
    ),
    ...repeated.map((key) => `RECIPIENTS has "${key}", a position that another entry names`),
  ];
}

const isService = (key: string): boolean => SERVICE_OPTIONS.includes(key);

/** Returns a text without case, accents and punctuation: `Android Developer` becomes `android-developer`. */
function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
