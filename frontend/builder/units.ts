import { LOCALE } from '../../form-service/src/contract/locale.ts';

const UNITS = [
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'year',
  'kilobyte',
  'megabyte',
  'gigabyte',
  'percent',
] as const;

const namesOf = (unitDisplay: 'long' | 'short' | 'narrow') =>
  UNITS.flatMap((unit) =>
    [1, 2].flatMap((count) => {
      const parts = new Intl.NumberFormat(LOCALE, { style: 'unit', unit, unitDisplay }).formatToParts(count);
      return parts.filter(({ type }) => type === 'unit').map(({ value }) => value.trim());
    }),
  );

const monthNames = Array.from({ length: 12 }, (_, month) => {
  const parts = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long' }).formatToParts(new Date(2026, month));
  return parts.find(({ type }) => type === 'month')?.value ?? '';
});

const oneOf = (words: readonly string[]) =>
  [...new Set(words)].map((word) => word.replaceAll('.', String.raw`\.`)).join('|');

/** A unit of the site's language, also in a case that adds a letter ("Tagen"), a month, a sign, or a currency. */
const UNIT = String.raw`(?:(?:${oneOf(namesOf('long'))})\p{Ll}?|${oneOf([...namesOf('short'), ...namesOf('narrow'), ...monthNames])})(?!\p{L})`;

/** Spaces between a number and its unit, also in "$8,000 a month", and between a month and its day. */
const SPACE = new RegExp(
  String.raw`(?<=\d[.+]?|\p{Sc}) (?=(?:\p{L}{1,3} )?${UNIT}|\p{Sc})|(?<=(?:\d|\p{Sc}) \p{L}{1,3}) (?=${UNIT})|(?<=\b(?:${oneOf(monthNames)})) (?=\d)`,
  'gu',
);

/** Keeps numbers and their units on one line. */
export const withUnits = (text: string): string => text.replaceAll(SPACE, '\u00A0');

/** Text between tags, and what is none. React compares the texts of forms with its own. */
const PART = /<(script|style|svg|code|form)\b.*?<\/\1>|<[^>]*>|[^<]+/gs;

/** Keeps numbers and their units on one line in the texts of HTML. */
export const htmlWithUnits = (html: string): string =>
  html.replaceAll(PART, (part) => (part.startsWith('<') ? part : withUnits(part)));
