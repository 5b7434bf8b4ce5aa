import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from '../settings/durations.ts';
import { LOCALE } from '../contract/locale.ts';
import { serviceWords } from '../contract/service-words.ts';

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
  /** `20 Nov` */
  date: { day: 'numeric', month: 'short' },
} as const;

/** Formats by their options. Creating one takes longer than the rest of a message. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(LOCALE, options);
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
  const yearOf = (one: number) => formatOf({ year: 'numeric', timeZone }).format(one);
  const year = yearOf(time) === yearOf(now) ? undefined : 'numeric';
  return formatOf({ ...STYLES[style], year, timeZone }).format(time);
}

/** Formats a time for a list: the clock of today, a weekday within six days, and a date before. */
export function ageText(time: number, timeZone: string, now: number = Date.now()): string {
  if (dateText(time, timeZone) === dateText(now, timeZone)) return formatOf({ ...CLOCK, timeZone }).format(time);
  const isRecent = time > now - 6 * DAY_MS;
  return isRecent ? formatOf({ weekday: 'short', timeZone }).format(time) : timeText(time, timeZone, 'date', now);
}

/**
 * Returns a time zone in words: `Lisbon time` for `Europe/Lisbon`, the name for a zone without a city. Few readers know
 * abbreviations such as WET.
 */
export function zoneText(timeZone: string, timeZoneName: 'long' | 'short' = 'long'): string {
  const city = timeZone.startsWith('Etc/') ? undefined : /\/([^/]+)$/.exec(timeZone)?.[1];
  if (city) return serviceWords('submissions').zone({ city: city.replaceAll('_', ' ') });
  const parts = formatOf({ timeZone, timeZoneName }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** Returns the time of arrival with its year, for example `Saturday, 21 November 2026 at 03:27, Lisbon time`. */
export function receivedAtText({ receivedAt }: { readonly receivedAt: number }, timeZone: string): string {
  return `${formatOf({ ...STYLES.long, year: 'numeric', timeZone }).format(receivedAt)}, ${zoneText(timeZone, 'short')}`;
}

/** Returns a calendar date such as `2027-03-02` in words, as in `2 March 2027`. Returns a text that is no date unchanged. */
export function calendarDayText(date: string): string {
  const time = startOfDay(date, 'UTC');
  return Number.isNaN(time) ? date : formatOf({ dateStyle: 'long', timeZone: 'UTC' }).format(time);
}

/** A date in ISO 8601, such as `2026-11-23`. */
export const dateText = (time: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(time);

/** Returns the beginning of a date such as `2026-12-03` in a time zone; NaN for a text that is no date. */
export function startOfDay(date: string, timeZone: string): number {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date) && new Date(Date.parse(date)).toJSON()?.startsWith(date);
  // A day begins at 01:00 if the clocks change at midnight.
  return isDate ? Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds : Number.NaN;
}

/** Formats a size, for example `9.4 MB`, or `9,4 MB` in German. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return measureText(bytes, { unit: 'byte', unitDisplay: 'long' });
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kilobyte'] : [bytes / 1024 / 1024, 'megabyte'];
  return measureText(value, { unit, minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false });
}

const measureText = (value: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(LOCALE, { style: 'unit', ...options }).format(value);

/** Lists texts in words: `a, b and c`, or `a, b or c`. */
export const listText = (texts: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(LOCALE, { type }).format(texts);
