import { string } from 'yup';
import { EMAIL_MAX_CHARS, LINE_MAX_CHARS, TEXT_MAX_CHARS } from './protocol.ts';
import { messages } from './messages.ts';

/** Line breaks other than `\n`. HTML forms send CRLF (WHATWG HTML); text from slides has U+000B, from documents U+000C. */
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/* oxlint-disable no-control-regex -- replacing them is the purpose */
/** Control characters that become spaces in a message. Tab and LF are kept. */
const UNSEEN = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F]/g;

/** Control characters that become spaces in a one-line value, which may be part of a mail header (header injection). */
const UNSEEN_IN_LINE = /[\u0000-\u0009\v\f\u000E-\u001F\u007F-\u009F\u2028\u2029]/g;
/* oxlint-enable no-control-regex */

/**
 * Characters that disguise a one-line text or make it look empty: bidirectional embeddings, overrides and isolates, zero-width
 * spaces, and fillers such as U+3164. Joiners and variation selectors stay, because names are spelled with them.
 */
const DISGUISE = /[\u00AD\u115F\u1160\u180E\u200B\u202A-\u202E\u2060-\u2064\u2066-\u206F\u2800\u3164\uFEFF\uFFA0]/g;

/**
 * Invisible characters that are copied together with an address: soft hyphens, zero-width spaces, marks of direction,
 * variation selectors, and spaces at both ends. A right-to-left override is not removed: such an address is rejected.
 */
const PASTED =
  /[\uFE0E\uFE0F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202D\u2060-\u2064\u2066-\u206F\uFEFF]|^[ \u00A0\u2000-\u200A\u202F\u3000]+|[ \u00A0\u2000-\u200A\u202F\u3000]+$/g;

/** Joiners after an ASCII character. Between letters of Hindi or Persian they belong to the address. */
const PASTED_JOINERS = /(^|[ -~])[\u200C-\u200D]+/g;

/** Full-width forms of ASCII from East Asian keyboards, and their offset from ASCII. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

/** Ideographic full stops from the same keyboards. */
const IDEOGRAPHIC_STOP = /[\u3002\uFF61]/g;

/**
 * A single address without display name, group, comment or quoted local part. The local part has the characters that
 * browsers' e-mail fields accept, and letters, digits and symbols beyond ASCII (RFC 6531). Dots may be anywhere in it: a
 * Japanese operator assigned such addresses, and browsers accept them. The domain has no character with a meaning in URLs.
 */
const EMAIL =
  /^(?<local>[\u200C-\u200D\p{L}\p{M}\p{N}\p{So}.!#$%&'*+/=?^_`{|}~-]+)@(?<domain>[\u200C-\u200D\u00B7\p{L}\p{M}\p{N}\p{So}\p{Sk}.-]+)$/u;

/** Dotted ASCII domain with labels of at most 63 octets; the last one is not a number. */
const ASCII_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** Maximum length of a local part in octets (RFC 5321, 4.5.3.1.1). */
const LOCAL_MAX_OCTETS = 64;

/** Start of an encoded word (RFC 2047). Mail clients wrongly decode it in addresses and would show another address. */
const ENCODED_WORD = /=\?[^?]*\?[bq]\?/i;

/** Whether a text has no lone surrogate, which UTF-8 cannot encode. */
const isWellFormed = (value: string) => !/\p{Surrogate}/u.test(value);

const text = (maxChars: number) =>
  string()
    .typeError(messages.invalidInput)
    .nonNullable(messages.invalidInput)
    .default('')
    .test('well-formed', messages.invalidInput, (value) => isWellFormed(value ?? ''))
    .max(maxChars, messages.tooLong);

/** One line. Control characters, copied from a table or slide, become spaces; a line break is an error. */
const oneLine = (maxChars: number) =>
  text(maxChars)
    .transform((value: unknown) => (typeof value === 'string' ? value.replace(UNSEEN_IN_LINE, ' ') : value))
    .test('no-line-breaks', messages.controlCharacters, (value) => !/[\r\n]/.test(value ?? ''));

/** One-line text, stored without control characters and characters that disguise it. */
export const line = (maxChars = LINE_MAX_CHARS) =>
  oneLine(maxChars).transform((value: unknown) => (typeof value === 'string' ? value.replace(DISGUISE, '') : value));

/** Multi-line text, stored with `\n`. Other control characters become spaces. */
export const lines = (maxChars = TEXT_MAX_CHARS) =>
  text(maxChars).transform((value: unknown) =>
    typeof value === 'string' ? value.replace(LINE_END, '\n').replace(UNSEEN, ' ') : value,
  );

/** Limits of a day or a number, as they are typed. */
interface Range {
  readonly min?: number | string | undefined;
  readonly max?: number | string | undefined;
  /** Only of a number: the distance between accepted ones (HTML's `step`). */
  readonly step?: number | 'any' | undefined;
}

/** A day as date controls send it, such as 2026-01-31; `message` is the error for anything else. */
export const dayText = (message: string, { min = '', max = '9999' }: Range) =>
  line().test('day', message, (value = '') => value === '' || (isDay(value) && value >= `${min}` && value <= `${max}`));

const isDay = (value: string) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00Z`).toJSON()?.startsWith(value) === true;

/** Whether a number is on a step from the base. Decimals have no exact binary form, so a small difference is ignored. */
function isOnStep(number: number, base: number, step: number): boolean {
  const steps = (number - base) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-9;
}

/** A decimal number as number controls send it; `message` is the error for anything else. */
export const numberText = (message: string, { min = -Infinity, max = Infinity, step = 1 }: Range) =>
  line().test('number', message, (value = '') => {
    if (value === '') return true;
    const number = /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= +min && number <= +max)) return false;
    return step === 'any' || isOnStep(number, Number.isFinite(+min) ? +min : 0, step);
  });

/** Returns the number of visible characters, without spaces at both ends. */
export const visibleLength = (value: string): number =>
  value.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim().length;

/**
 * A single e-mail address to which mail can be sent; `message` is the error for anything else. Full-width letters become
 * ASCII and invisible characters are dropped before the check.
 */
export const emailAddress = (message: string) =>
  oneLine(EMAIL_MAX_CHARS)
    .transform(cleanAddress)
    .test('email', message, (value) => !value || value.length > EMAIL_MAX_CHARS || isEmailAddress(value));

/** Cleans up a typed address. Values that are far too long are returned unchanged, because the patterns are quadratic. */
function cleanAddress(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 2 * EMAIL_MAX_CHARS) return value;
  return value
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(IDEOGRAPHIC_STOP, '.')
    .replace(PASTED, '')
    .replace(PASTED_JOINERS, '$1');
}

function isEmailAddress(value: string): boolean {
  const { local, domain } = EMAIL.exec(value)?.groups ?? {};
  if (!local || !domain || ENCODED_WORD.test(value)) return false;
  const ascii = asciiDomain(domain);
  const octets = octetsOf(local);
  return ASCII_DOMAIN.test(ascii) && octets <= LOCAL_MAX_OCTETS && octets + 1 + ascii.length <= EMAIL_MAX_CHARS;
}

/** Returns the ASCII form of a domain (UTS 46), as browsers and Node.js do; an empty text for an invalid one. */
function asciiDomain(domain: string): string {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return '';
  }
}

/** Returns the length of a text in UTF-8. */
function octetsOf(text: string): number {
  return encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, '.').length;
}

/**
 * Keeps only the form's fields, with plain values (a number or a boolean as text), before the schema reads them. Yup
 * reads fields by plain property access and calls `toString` of any value, so a key or value of that name would break
 * it.
 */
export function ownFields(body: unknown, _original: unknown, { fields }: { readonly fields: object }): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const own = Object.entries(body).filter(([name]) => Object.hasOwn(fields, name));
  return Object.fromEntries(own.map(([name, value]) => [name, typeof value === 'object' ? null : value]));
}
