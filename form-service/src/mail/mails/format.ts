import type { Submission } from '../../submissions/submission.ts';

const SUBJECT_MAX_CHARS = 180;

/**
 * Returns the subject in one line that ends with the reference. Removes line breaks (header injection), although
 * validation rejects them too.
 */
export function subjectLine(text: string, reference: string): string {
  const end = ` (${reference})`;
  return `${shortened(oneLine(text), SUBJECT_MAX_CHARS - end.length)}${end}`;
}

/** Returns the beginning of the message, which mail programs show next to the subject. */
export const previewOf = (text: string): string => shortened(oneLine(text), 140);

/** Matches text that looks like a URL. */
const ADDRESS = /\S*(?:\/\/|www\.)\S*/gi;

/**
 * Returns a visitor's text without anything that mail programs turn into a link (phishing). URLs are removed. In other
 * text, a word joiner after `.`, `@`, `:` and slashes breaks up possible host names.
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

/** Matches a text whose first letter belongs to a script that runs from right to left. */
const RIGHT_TO_LEFT =
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Returns the paragraphs of a visitor's text with their direction. Outlook ignores `dir="auto"`, so `rtl` is explicit. An
 * empty paragraph is a line break, so that it has a height.
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

/** Returns the URL of the inbox or of a submission's page there; undefined if the inbox is off. */
export function inboxPage(
  { SITE_URL, INBOX_USERS }: { readonly SITE_URL: string; readonly INBOX_USERS?: unknown },
  id?: string,
): string | undefined {
  if (!INBOX_USERS) return undefined;
  return [SITE_URL.replace(/\/$/, ''), 'inbox', id].filter(Boolean).join('/');
}

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const SHORT = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const LONG = { weekday: 'long', day: 'numeric', month: 'long' } as const;
const STYLES = {
  /** `Fri 20 Nov, 16:42` */
  short: { ...SHORT, ...CLOCK },
  /** `Friday 20 November at 16:42` */
  long: { ...LONG, ...CLOCK },
  /** `Friday 20 November` */
  day: LONG,
} as const;

/** Formats by style, year and zone. Creating one takes longer than the rest of a message. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(style: keyof typeof STYLES, hasYear: boolean, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${hasYear} ${timeZone}`;
  const year = hasYear ? 'numeric' : undefined;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...STYLES[style], year, timeZone });
  formats.set(key, format);
  return format;
}

/** Formats a time for the reader. Shows the year only if it differs from the current year. */
export function timeText(
  time: number,
  timeZone: string,
  style: keyof typeof STYLES = 'short',
  now: number = Date.now(),
): string {
  const yearOf = (one: number) => formatOf('day', true, timeZone).formatToParts(one).find(isYear)?.value;
  return formatOf(style, yearOf(time) !== yearOf(now), timeZone).format(time);
}

const isYear = ({ type }: Intl.DateTimeFormatPart) => type === 'year';

/**
 * Returns a time zone in words: `Lisbon time` for `Europe/Lisbon`, the English name for a zone without a city. Few
 * readers know abbreviations such as WET.
 */
export function zoneText(timeZone: string): string {
  const city = timeZone.startsWith('Etc/') ? undefined : /\/([^/]+)$/.exec(timeZone)?.[1];
  if (city) return `${city.replaceAll('_', ' ')} time`;
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'long' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** Returns the time of arrival with its year, for example `Saturday, 21 November 2026 at 03:27, Lisbon time`. */
export function receivedAtText({ receivedAt }: Pick<Submission, 'receivedAt'>, timeZone: string): string {
  return `${formatOf('long', true, timeZone).format(receivedAt)}, ${zoneText(timeZone)}`;
}

/** Formats a size, for example `9.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kB'] : [bytes / 1024 / 1024, 'MB'];
  return `${value.toFixed(1)} ${unit}`;
}
