import { string } from 'yup';
import { EMAIL_MAX_CHARS, LINE_MAX_CHARS, TEXT_MAX_CHARS } from './limits.ts';
import { messages } from './messages.ts';

/** What ends a line where a text was copied: slides write U+000B, pages U+000C, other systems the rest. */
const LINE_END = /[\v\f\u0085\u2028\u2029]/g;

/* oxlint-disable no-control-regex -- replacing them is the purpose */
/** Control characters that no text needs and nobody sees; a tab, LF and CR are fine in a message. */
const UNSEEN = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F]/g;

/** The same for a one-line value, which ends up in an e-mail header. */
const UNSEEN_IN_LINE = /[\u0000-\u0009\v\f\u000E-\u001F\u007F-\u009F\u2028\u2029]/g;
/* oxlint-enable no-control-regex */

/**
 * One character of a local part: those of browsers' e-mail fields, and letters, digits, signs beyond ASCII (RFC 6531).
 */
const LOCAL = String.raw`[\p{L}\p{M}\p{N}\p{So}.!#$%&'*+/=?^_\x60{|}~-]`;

/** A part of a domain between dots. */
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;

/**
 * One address with a dotted domain, as mailboxes are used in practice: no display name, no group, no comment, no
 * quoted local part; an international domain is fine. Dots may stand anywhere before the at sign: a Japanese operator
 * gave such addresses out, and browsers take them. Each part is a run of a fixed class closed by a character outside
 * it, so the match is linear in the length of the input.
 */
const EMAIL = new RegExp(String.raw`^${LOCAL}+@(?:${LABEL}\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,59})$`, 'iu');

/**
 * The beginning of an encoded word (RFC 2047): readers decode one in an address too, although they must not, and see
 * another address.
 */
const ENCODED_WORD = /=\?[^?]*\?[bq]\?/i;

/** Lone surrogates cannot be encoded in UTF-8, so a text that holds one would not come out as it went in. */
const isWellFormed = (value: string) => !/\p{Surrogate}/u.test(value);

const text = (maxChars: number) =>
  string()
    .typeError(messages.invalidInput)
    .nonNullable(messages.invalidInput)
    .default('')
    .test('well-formed', messages.invalidInput, (value) => isWellFormed(value ?? ''))
    .max(maxChars, messages.atMost(maxChars));

/**
 * A one-line text. What comes along unseen when it is copied from a table or a slide becomes a blank, before the check
 * and for good; a line break is nothing of the kind, and refused.
 */
export const line = (maxChars = LINE_MAX_CHARS) =>
  text(maxChars)
    .transform((value: unknown) => (typeof value === 'string' ? value.replace(UNSEEN_IN_LINE, ' ') : value))
    .test('no-line-breaks', messages.controlCharacters, (value) => !/[\r\n]/.test(value ?? ''));

/** A text of several lines; what comes along unseen becomes a line break or a blank. */
export const lines = (maxChars = TEXT_MAX_CHARS) =>
  text(maxChars).transform((value: unknown) =>
    typeof value === 'string' ? value.replace(LINE_END, '\n').replace(UNSEEN, ' ') : value,
  );

/** A single e-mail address; `message` is shown when it is not one. */
export const emailAddress = (message: string) =>
  line(EMAIL_MAX_CHARS).test('email', message, (value) => !value || (EMAIL.test(value) && !ENCODED_WORD.test(value)));

/**
 * Keeps the fields that a form has, and only plain values in them, before the schema reads it (a number or a boolean
 * as its text). Yup looks a field up by plain property access and asks any value for its text: a body with a key or a
 * value named `toString` would break it.
 */
export function ownFields(body: unknown, _original: unknown, { fields }: { readonly fields: object }): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const own = Object.entries(body).filter(([name]) => Object.hasOwn(fields, name));
  return Object.fromEntries(own.map(([name, value]) => [name, typeof value === 'object' ? null : value]));
}
