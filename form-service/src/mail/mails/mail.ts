import type { Readable } from 'node:stream';
import { readTemplate, type Values } from '../../html/template.ts';
import type { MailSettings } from '../../settings/settings.ts';
import { receivedAtText } from '../../html/format.ts';
import { withBrand } from './brand.ts';
import type { Submission } from '../../submissions/submission.ts';
import { serviceWords } from '../../contract/service-words.ts';

const words = serviceWords('mails');

/** A message for the mail server. The sender is added by the mailer. */
export interface Mail {
  readonly to: string;
  /** The visitor. Absent if a header cannot hold the address. */
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** The same for every attempt, so that mail servers recognise a duplicate. */
  readonly messageId: string;
  /** Id of the request that brought the submission, for a header. It is also in the logs of nginx and the service. */
  readonly requestId?: string;
  /** The message in two formats (multipart/alternative). */
  readonly text: string;
  readonly html: string;
  readonly attachment?: {
    readonly filename: string;
    readonly mediaType: string;
    /** Size in bytes, before encoding. */
    readonly size: number;
    /** Opens the bytes. Each attempt reads them again. */
    readonly open: () => Promise<Readable>;
  };
  /**
   * Mark of a mail that no person wrote (RFC 3834). An automatic reply also has an empty envelope sender. Mails with a
   * visitor's words have no mark: ticket systems drop marked mails.
   */
  readonly autoSubmitted?: 'auto-replied' | 'auto-generated';
}

/** Reads the two templates of a mail. Both are filled with the same values. */
export function readMail(name: string): (values: Values) => Pick<Mail, 'text' | 'html'> {
  const file = (path: string) => new URL(path, import.meta.url);
  const html = readTemplate(file(`${name}.html`), file('frame.html'), withBrand);
  const text = readTemplate(file(`${name}.txt`));
  return (values) => ({ text: text(values), html: html(values) });
}

/** Returns when a submission arrived, and its reference, with labels. */
export const arrivalDetails = (submission: Pick<Submission, 'id' | 'receivedAt'>, { TIME_ZONE }: MailSettings) => [
  { label: words.received, value: receivedAtText(submission, TIME_ZONE) },
  { label: words.reference, value: submission.id },
];

const SUBJECT_MAX_CHARS = 180;

/**
 * Returns the subject in one line that ends with the reference. Removes line breaks (header injection), although
 * validation rejects them too.
 */
export function subjectLine(text: string, reference: string): string {
  const end = ` (${reference})`;
  return `${truncate(collapseWhitespace(text), SUBJECT_MAX_CHARS - end.length)}${end}`;
}

/** Returns the beginning of the message, which mail programs show next to the subject. */
export const previewOf = (text: string): string => truncate(collapseWhitespace(text), 140);

/** Matches text that looks like a URL. */
const ADDRESS = /\S*(?:\/\/|www\.)\S*/gi;

/**
 * Returns a visitor's text without anything that mail programs turn into a link (phishing). URLs are removed. In other
 * text, a word joiner after `.`, `@`, `:` and slashes breaks up possible host names.
 */
export const unlinked = (text: string): string =>
  text.replace(ADDRESS, words.link).replace(/(?<=\S)[.@:/\\](?=\S)/gu, '$&\u2060');

const collapseWhitespace = (text: string) => text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();

function truncate(line: string, most: number): string {
  const characters = [...line];
  if (characters.length <= most) return line;
  const beginning = characters.slice(0, most - 1).join('');
  return `${beginning.trimEnd()}…`;
}

/** Returns the paragraphs of a visitor's text. An empty paragraph is a line break, so that it has a height. */
export function paragraphsOf(message: string) {
  const paragraphs = message.replace(/\r\n?|[\u2028\u2029]/g, '\n').split('\n\n');
  return paragraphs.map((text, index) => ({
    text: text || '\n',
    more: index < paragraphs.length - 1,
  }));
}

/**
 * Returns the `Message-ID` of a submission's mail (RFC 5322, 3.6.4), the same for every attempt. A mail that a user
 * resends has another, because mail servers drop duplicates silently. `purpose` distinguishes a second kind of mail.
 */
export function messageIdOf(
  { id, receivedAt, stateSince }: Pick<Submission, 'id' | 'receivedAt' | 'stateSince'>,
  siteUrl: string,
  purpose?: string,
): string {
  const sentAgainAt = stateSince === receivedAt ? undefined : stateSince.toString(36);
  const name = [id, sentAgainAt, purpose].filter((part) => part !== undefined).join('.');
  return `<${name}@${new URL(siteUrl).hostname}>`;
}
