import { string } from 'yup';
import { EMAIL_MAX_CHARS, LINE_MAX_CHARS, TEXT_MAX_CHARS } from './limits.ts';
import { messages } from './messages.ts';

/** Any control character, line breaks included: a one-line value ends up in an e-mail header. */
const CONTROL = /\p{Cc}|[\u2028\u2029]/u;

/** Control characters that no text needs; tab, LF and CR are fine in a message. */
// oxlint-disable-next-line no-control-regex -- refusing them is the purpose
const CONTROL_IN_TEXT = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/;

/**
 * One address with a dotted domain, as RFC 5321 mailboxes are used in practice: no display name, no group, no comment,
 * no quoted local part; an international domain is fine. Each part is a run of a fixed class closed by a character
 * outside it, so the match is linear in the length of the input.
 */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,59})$/iu;

/** The beginning of an encoded word (RFC 2047): readers decode one in an address too, although they must not, and see another address. */
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

/** A one-line text: no line break, no control character. */
export const line = (maxChars = LINE_MAX_CHARS) =>
  text(maxChars).test('no-control-characters', messages.controlCharacters, (value) => !CONTROL.test(value ?? ''));

/** A text of several lines. */
export const lines = (maxChars = TEXT_MAX_CHARS) =>
  text(maxChars).test('no-control-characters', messages.invalidInput, (value) => !CONTROL_IN_TEXT.test(value ?? ''));

/** A single e-mail address; `message` is shown when it is not one. */
export const emailAddress = (message: string) =>
  line(EMAIL_MAX_CHARS).test('email', message, (value) => !value || (EMAIL.test(value) && !ENCODED_WORD.test(value)));

/**
 * Keeps the fields that a form has, and only plain values in them, before the schema reads it (a number or a boolean as
 * its text). Yup looks a field up by plain property access and asks any value for its text: a body with a key or a value
 * named `toString` would break it.
 */
export function ownFields(body: unknown, _original: unknown, { fields }: { readonly fields: object }): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const own = Object.entries(body).filter(([name]) => Object.hasOwn(fields, name));
  return Object.fromEntries(own.map(([name, value]) => [name, typeof value === 'object' ? null : value]));
}
