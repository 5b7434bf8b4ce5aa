import { fieldOf, formOf, valueOf, type Filled } from '../contract/forms.ts';

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

/** Source of a search text. Another version of the form may have other fields. */
interface Searchable extends Filled {
  readonly id: string;
  readonly resume?: { readonly name: string } | null;
}

/** Returns the text to search in: the topic in the first line, then all fields but check boxes, and the reference. */
export function searchTextOf({ id, form, fields, resume }: Searchable): string {
  const { [fieldOf(form, 'phone')?.name ?? 'phone']: phone = '', ...rest } = fields;
  const topic = valueOf({ form, fields }, 'topic');
  const isBox = (name: string) => formOf(form)?.fields.find((field) => field.name === name)?.input === 'checkbox';
  const texts = Object.keys(rest).flatMap((name) => (isBox(name) ? [] : rest[name]));
  return [topic, ...texts, phone, digitsOf(phone), resume?.name, id].map((text = '') => folded(text)).join('\n');
}

export const digitsOf = (text: string): string => text.replace(/\D/g, '');
