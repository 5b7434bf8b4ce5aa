import { string } from 'yup';
import { EMAIL_MAX_CHARS, LINE_MAX_CHARS, TEXT_MAX_CHARS } from './protocol.ts';
import { messages } from './messages.ts';

/** Characters that end a line in copied text: slides have U+000B, documents U+000C, and other systems the rest. */
const LINE_END = /[\v\f\u0085\u2028\u2029]/g;

/* oxlint-disable no-control-regex -- replacing them is the purpose */
/** Control characters that are invisible and not needed in a text. Tab, LF and CR are allowed in a message. */
const UNSEEN = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F]/g;

/** Control characters that are not allowed in a one-line value, which may end up in an e-mail header. */
const UNSEEN_IN_LINE = /[\u0000-\u0009\v\f\u000E-\u001F\u007F-\u009F\u2028\u2029]/g;
/* oxlint-enable no-control-regex */

/**
 * Characters that cannot be seen and come along when an address is copied: soft hyphens, zero-width spaces, marks of
 * direction, variation selectors, and blanks at the ends that a browser's e-mail field does not cut off itself.
 */
const PASTED =
  /[\uFE0E\uFE0F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202D\u2060-\u2064\u2066-\u206F\uFEFF]|^[\u00A0\u2000-\u200A\u202F\u3000]+|[\u00A0\u2000-\u200A\u202F\u3000]+$/g;

/** Joiners belong to an address between letters of Hindi or Persian, and not behind an ASCII character. */
const PASTED_JOINERS = /(^|[ -~])[\u200C-\u200D]+/g;

/**
 * One address: no display name, group, comment or quoted local part. The local part has the characters that browsers'
 * e-mail fields accept, and letters, digits and signs beyond ASCII (RFC 6531). Dots may stand anywhere in it, because a
 * Japanese operator gave such addresses out and browsers accept them. The domain has no character that means something
 * else in a URL.
 */
const EMAIL =
  /^(?<local>[\u200C-\u200D\p{L}\p{M}\p{N}\p{So}.!#$%&'*+/=?^_`{|}~-]+)@(?<domain>[\u200C-\u200D\u00B7\p{L}\p{M}\p{N}\p{So}\p{Sk}.-]+)$/u;

/** A dotted domain in ASCII, as mail servers look it up: labels of at most 63 octets, the last one not a number. */
const ASCII_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** The most octets of a local part (RFC 5321, 4.5.3.1.1). */
const LOCAL_MAX_OCTETS = 64;

/**
 * The beginning of an encoded word (RFC 2047). Mail programs decode one in an address too, although they must not, and
 * would show another address.
 */
const ENCODED_WORD = /=\?[^?]*\?[bq]\?/i;

/** A lone surrogate cannot be encoded in UTF-8, so a text with one would not be stored as it was sent. */
const isWellFormed = (value: string) => !/\p{Surrogate}/u.test(value);

const text = (maxChars: number) =>
  string()
    .typeError(messages.invalidInput)
    .nonNullable(messages.invalidInput)
    .default('')
    .test('well-formed', messages.invalidInput, (value) => isWellFormed(value ?? ''))
    .max(maxChars, messages.tooLong);

/**
 * A one-line text. Invisible characters from a copied table or slide become blanks before the check, and are stored so;
 * a line break is refused.
 */
export const line = (maxChars = LINE_MAX_CHARS) =>
  text(maxChars)
    .transform((value: unknown) => (typeof value === 'string' ? value.replace(UNSEEN_IN_LINE, ' ') : value))
    .test('no-line-breaks', messages.controlCharacters, (value) => !/[\r\n]/.test(value ?? ''));

/** A text of several lines. Invisible characters become line breaks or blanks. */
export const lines = (maxChars = TEXT_MAX_CHARS) =>
  text(maxChars).transform((value: unknown) =>
    typeof value === 'string' ? value.replace(LINE_END, '\n').replace(UNSEEN, ' ') : value,
  );

/**
 * A single e-mail address to which mail can be sent; `message` is the error for anything else. What cannot be seen in it
 * is dropped before the check.
 */
export const emailAddress = (message: string) =>
  line(EMAIL_MAX_CHARS)
    .transform(withoutPasted)
    .test('email', message, (value) => !value || value.length > EMAIL_MAX_CHARS || isEmailAddress(value));

/** A value that is far too long for an address stays as it is, since looking for blanks before its end takes time. */
function withoutPasted(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 2 * EMAIL_MAX_CHARS) return value;
  return value.replace(PASTED, '').replace(PASTED_JOINERS, '$1');
}

function isEmailAddress(value: string): boolean {
  const { local, domain } = EMAIL.exec(value)?.groups ?? {};
  if (!local || !domain || ENCODED_WORD.test(value)) return false;
  const ascii = asciiDomain(domain);
  const octets = octetsOf(local);
  return ASCII_DOMAIN.test(ascii) && octets <= LOCAL_MAX_OCTETS && octets + 1 + ascii.length <= EMAIL_MAX_CHARS;
}

/** The domain as browsers and Node alike translate it (UTS 46), or an empty text for one that they refuse. */
function asciiDomain(domain: string): string {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return '';
  }
}

/** The length of a text in UTF-8. */
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
