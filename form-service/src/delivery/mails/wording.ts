import type { Submission } from '../../submissions/submission.ts';

const SUBJECT_MAX_CHARS = 180;

/**
 * The subject: one line that ends with the reference, whatever the values hold. Validation refuses line breaks too, but
 * a header must not rely on that.
 */
export function subjectLine(text: string, reference: string): string {
  const end = ` (${reference})`;
  return `${shortened(oneLine(text), SUBJECT_MAX_CHARS - end.length)}${end}`;
}

/** The beginning of the message, which mail programs show in the list beside the subject. */
export const previewOf = (text: string): string => shortened(oneLine(text), 140);

/** What is written like the address of a page. */
const ADDRESS = /\S*(?:\/\/|www\.)\S*/gi;

/**
 * A visitor's text in a mail whose reader must not be led anywhere by it. Mail programs make links of addresses by
 * themselves, so those of pages are left out, and where a name could be a host's an invisible character keeps its parts
 * from being one.
 */
export const unlinked = (text: string): string =>
  text.replace(ADDRESS, '[link]').replace(/(?<=\S)[.@:/\\](?=\S)/gu, '$&\u2060');

const oneLine = (text: string) => text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();

function shortened(line: string, most: number): string {
  const characters = [...line];
  if (characters.length <= most) return line;
  const beginning = characters.slice(0, most - 1).join('');
  return `${beginning.trimEnd()}…`;
}

/** The label of a field as the visitor saw it, without the marks for required and optional. */
export const plainLabel = (label: string): string => label.replace(/ (?:\*|\(Optional\))$/, '');

/** Matches a text whose first letter belongs to a script that runs from right to left. */
const RIGHT_TO_LEFT =
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * The paragraphs of a visitor's text, each with its own direction: Outlook ignores `dir="auto"`, so `rtl` is written
 * out. An empty one is a line break, without which it would have no height.
 */
export function paragraphsOf(message: string) {
  const paragraphs = message.replace(/\r\n?|[\u2028\u2029]/g, '\n').split('\n\n');
  return paragraphs.map((text, index) => ({
    text: text || '\n',
    direction: RIGHT_TO_LEFT.test(text) ? 'rtl' : 'auto',
    more: index < paragraphs.length - 1,
  }));
}

/**
 * The `Message-ID` of a submission's mail (RFC 5322, 3.6.4), the same for every attempt. One that is sent again by a
 * person gets another, since mail servers drop a repeated one silently. `purpose` distinguishes a second kind of mail.
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

/** The address of the inbox, or of a submission's page there; undefined where it is off. */
export function inboxPage(
  { SITE_URL, INBOX_USERS }: { readonly SITE_URL: string; readonly INBOX_USERS?: unknown },
  id?: string,
): string | undefined {
  if (!INBOX_USERS) return undefined;
  return [SITE_URL.replace(/\/$/, ''), 'inbox', id].filter(Boolean).join('/');
}

const DAY_AND_TIME: Intl.DateTimeFormatOptions = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
};

/** One format for each time zone is kept: creating one takes longer than the rest of a message. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** A time for the reader, for example `Saturday 21 November 2026 at 03:27 UTC`. */
export function receivedAtText({ receivedAt }: Pick<Submission, 'receivedAt'>, timeZone: string): string {
  const format = dateFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { ...DAY_AND_TIME, timeZone });
  dateFormats.set(timeZone, format);
  return format.format(receivedAt);
}

/** A size for the reader, for example `9.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kB'] : [bytes / 1024 / 1024, 'MB'];
  return `${value.toFixed(1)} ${unit}`;
}
