import { string } from 'yup';
import { EMAIL_MAX_CHARS, LINE_MAX_CHARS, TEXT_MAX_CHARS } from './limits.ts';
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
 * One character of a local part: those that browsers' e-mail fields accept, and letters, digits and signs beyond ASCII
 * (RFC 6531).
 */
const LOCAL = String.raw`[\p{L}\p{M}\p{N}\p{So}.!#$%&'*+/=?^_\x60{|}~-]`;

/** A part of a domain between dots. */
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;

/**
 * One address with a dotted domain: no display name, group, comment or quoted local part; an international domain is
 * allowed. Dots may stand anywhere before the at sign, because a Japanese operator gave such addresses out and browsers
 * accept them. Each part is a run of a fixed class that ends at a character outside it, so the match takes linear time.
 */
const EMAIL = new RegExp(String.raw`^${LOCAL}+@(?:${LABEL}\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,59})$`, 'iu');

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
    .max(maxChars, messages.atMost(maxChars));

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

/** A single e-mail address; `message` is the error for anything else. */
export const emailAddress = (message: string) =>
  line(EMAIL_MAX_CHARS).test('email', message, (value) => !value || (EMAIL.test(value) && !ENCODED_WORD.test(value)));

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
