import { domainToASCII } from 'node:url';
import { fieldOf, valueOf } from '../contract/forms.ts';
import { notesOf } from './notes.ts';
import type { NewSubmission, Submission } from './submission.ts';

/** Letters that Unicode does not decompose into a base letter and an accent. */
const BASE_LETTERS: Readonly<Record<string, string>> = { Ł: 'L', Ø: 'O', Đ: 'D', Æ: 'AE', Œ: 'OE' };

/** Combining marks of one letter that are kept. Normalization sorts them, in quadratic time. No script needs as many. */
const LONG_RUN_OF_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Maximum length of a folded text, in lengths of the text. A single letter can decompose into 18. */
const GROWTH_MAX = 4;

/**
 * Folds a text for comparison: removes case, accents, direction marks, control characters and repeated white space. Upper
 * case turns ß into SS and makes the two lower-case sigmas equal.
 */
export function folded(text: string): string {
  const upper = /\P{ASCII}/u.test(text)
    ? text
        .replace(LONG_RUN_OF_MARKS, '$1')
        .normalize('NFKD')
        .slice(0, GROWTH_MAX * text.length)
        .replace(/[\p{M}\p{Cf}\p{Cs}]/gu, '')
        .toLowerCase()
        .toUpperCase()
        .replace(/[ŁØĐÆŒ]/g, (letter) => BASE_LETTERS[letter] ?? letter)
    : text.toUpperCase();
  // Upper case can double a letter.
  return upper
    .slice(0, GROWTH_MAX * text.length)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
}

/** Returns the text to search in: the topic in the first line, then all fields, the reference and the notes. */
export function searchTextOf({ id, form, fields, resume, ...rest }: NewSubmission | Submission): string {
  const { [fieldOf(form, 'phone')?.name ?? 'phone']: phone = '', ...texts } = fields;
  const notes = 'history' in rest ? notesOf(rest).map((note) => note.text) : [];
  const topic = valueOf({ form, fields }, 'topic');
  return [topic, ...Object.values(texts), phone, digitsOf(phone), resume?.name, id, ...notes]
    .map((text = '') => folded(text))
    .join('\n');
}

/** Returns the first line of the search text for a service or position. */
export const topicLine = (topic: string): string => `${folded(topic)}\n`;

/** A telephone number: at least six digits with the usual separators. */
const NUMBER = /^\+?(?:[\s().\-/]*\d){6,}[\s()]*$/;

/**
 * Returns the folded terms of a query, all of which must be found. Each term has one or more alternatives. A telephone
 * number is one term, without separators and without the zeros before a national or international number. A date looks
 * like one, so the text as typed is the alternative.
 */
export function searchTermsOf(query: string): readonly (readonly string[])[] {
  if (NUMBER.test(query)) return [[digitsOf(query).replace(/^00?/, ''), folded(query)]];
  const terms = new Set(folded(query).split(' '));
  return [...terms].flatMap((term) => (term === '' ? [] : [[term]])).slice(0, TERMS_MAX);
}

const TERMS_MAX = 8;

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Normalizes an address for comparison: case, accents (NFC) and international domains (Punycode). */
export function normalizedEmail(email: string): string {
  const [, local = '', domain = ''] = /^(.*@)?(.*)$/s.exec(email.trim()) ?? [];
  return local.normalize('NFC').toLowerCase() + (domainToASCII(domain) || domain.toLowerCase());
}
