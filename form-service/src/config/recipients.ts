import { readdirSync } from 'node:fs';
import { SERVICE_OPTIONS } from '../contract/contact.ts';

/** Where enquiries about a service and applications for a position go instead of the two inboxes, by the keys of `RECIPIENTS`. */
export type Recipients = ReadonlyMap<string, string>;

/** What decides who gets a submission. */
export type Addressed =
  | { readonly form: 'contact'; readonly fields: { readonly service: string } }
  | { readonly form: 'application'; readonly fields: { readonly position: string } };

export interface RecipientSettings {
  readonly SALES_INBOX: string;
  readonly HR_INBOX: string;
  readonly RECIPIENTS?: Recipients | undefined;
}

/**
 * Who gets a submission: an enquiry goes by the exact name of its service. Visitors type the position as they like, so
 * an application goes by what the address of a job's page would be with that name.
 */
export function recipientOf(submission: Addressed, { SALES_INBOX, HR_INBOX, RECIPIENTS }: RecipientSettings): string {
  return submission.form === 'contact'
    ? (RECIPIENTS?.get(submission.fields.service) ?? SALES_INBOX)
    : (RECIPIENTS?.get(slugOf(submission.fields.position)) ?? HR_INBOX);
}

/** Everybody who gets submissions, each once. */
export function allRecipients({ SALES_INBOX, HR_INBOX, RECIPIENTS }: RecipientSettings): string[] {
  return [...new Set([SALES_INBOX, HR_INBOX, ...(RECIPIENTS?.values() ?? [])])];
}

/**
 * Reads `RECIPIENTS`: `service or position = address`, several separated by `;` or line breaks.
 *
 * @returns undefined when a part is no such pair, or a key stands twice
 */
export function parseRecipients(text: string): Recipients | undefined {
  const parts = text.split(/[;\n]/).filter((part) => part.trim() !== '');
  const recipients = new Map<string, string>();
  for (const part of parts) {
    const [, key, address] = /^\s*(\S[^=]*?)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
    if (key && address) recipients.set(key, address);
  }
  return recipients.size === parts.length ? recipients : undefined;
}

/** The names of the jobs' pages, or null where the site's content is not at hand, as in the containers. */
export function positionsOfSite(folder = new URL('../../../frontend/content/jobs/', import.meta.url)): string[] | null {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -'.md'.length)] : []));
  } catch {
    return null;
  }
}

/**
 * A sentence for each key that no service and no position has, so that nothing would ever go by it. Without positions
 * only what cannot be one is named.
 */
export function unknownRecipients(
  { RECIPIENTS }: RecipientSettings,
  positions: readonly string[] | null = positionsOfSite(),
): string[] {
  return [...(RECIPIENTS?.keys() ?? [])]
    .filter((key) => !SERVICE_OPTIONS.includes(key) && !(positions?.includes(key) ?? key === slugOf(key)))
    .map(
      (key) => `RECIPIENTS has "${key}", which is no service of the form and no position (the name of a job's file)`,
    );
}

/** A text as the address of a page has it: `Android Developer` is `android-developer`. */
function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
