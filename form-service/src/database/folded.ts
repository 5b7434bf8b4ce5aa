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
