import { fieldOf, formOf, valueOf, type Filled } from '../contract/forms.ts';
import { asciiDigits, digitsOf } from '../contract/telephone.ts';

/** Letters that Unicode does not decompose into a base letter and an accent. */
const BASE_LETTERS: Readonly<Record<string, string>> = { Ł: 'L', Ø: 'O', Đ: 'D', Æ: 'AE', Œ: 'OE' };

/** Further ones, and those with an accent that are also typed as two letters: their spellings without and with these. */
const SPELLINGS: Readonly<Record<string, readonly [short: string, long: string]>> = {
  Ä: ['A', 'AE'],
  Ö: ['O', 'OE'],
  Ü: ['U', 'UE'],
  Å: ['A', 'AA'],
  Ø: ['O', 'OE'],
  Đ: ['D', 'DJ'],
  Ð: ['D', 'DH'],
  Þ: ['TH', 'TH'],
  Ħ: ['H', 'H'],
  Ŧ: ['T', 'T'],
  Ŋ: ['N', 'NG'],
  Ə: ['E', 'A'],
  Ɛ: ['E', 'E'],
  Ɔ: ['O', 'O'],
  Ɓ: ['B', 'B'],
  Ɖ: ['D', 'D'],
  Ɗ: ['D', 'D'],
  Ƙ: ['K', 'K'],
  Ƴ: ['Y', 'Y'],
  Ƶ: ['Z', 'Z'],
};

/** Hyphens, dashes, apostrophes and middle dots. Within words, people type others, a space or nothing. */
const JOINER = String.raw`\p{Pd}\u2212\u2043'\u0060\u00B4\u02B9-\u02BF\u02C8\u2018-\u201B\u2032\u2035\uA78C\uFF07\u00B7\u2027\u30FB`;
export const JOINERS = new RegExp(`[${JOINER}]+`, 'gu');

/** Content of a word that has other spellings: a joiner, one of the letters, or a digit that is not ASCII. */
const LETTERS = Object.keys(SPELLINGS).join('');
const IS_VARIED = new RegExp(
  String.raw`[${JOINER}${LETTERS}${LETTERS.toLowerCase()}]|[AOUaou]\u0308|[Aa]\u030A|[^\P{Nd}0-9]`,
  'u',
);

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

/** Returns the spellings of words, folded: as they are, without joiners, and with letters as in {@link SPELLINGS}. */
export function spellingsOf(words: string): readonly string[] {
  if (!IS_VARIED.test(words)) return [folded(words)];
  const joined = asciiDigits(words.replace(LONG_RUN_OF_MARKS, '$1').replace(JOINERS, '')).toUpperCase();
  const spelled = ([0, 1] as const).map((at) =>
    joined.replace(/\P{ASCII}/gu, (letter) => SPELLINGS[letter]?.[at] ?? letter),
  );
  return [...new Set([words, joined, ...spelled].map(folded))];
}

/** Returns a text to search in: folded, then the further spellings of its words. */
export function searchable(text: string): string {
  if (!IS_VARIED.test(text)) return folded(text);
  const varied = text.split(/\s+/).filter((word) => IS_VARIED.test(word));
  const [typed = '', ...others] = spellingsOf([...new Set(varied)].join(' '));
  const known = new Set(typed.split(' '));
  const spellings = others
    .join(' ')
    .split(' ')
    .filter((word) => !known.has(word));
  return [folded(text), ...new Set(spellings)]
    .join(' ')
    .slice(0, GROWTH_MAX * text.length)
    .replace(/\p{Cs}/gu, '')
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
  const others = [...texts, phone, digitsOf(phone), resume?.name, id];
  return [folded(topic), ...others.map((text = '') => searchable(text))].join('\n');
}
