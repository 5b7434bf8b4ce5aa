/** A telephone number has at most 15 digits with its country code (E.164). Fewer than 5 are an extension or a mistake. */
const DIGITS = { least: 5, most: 15 };

/** Separators within a number, after NFKC: among them hyphens, dashes, the minus sign and the long-vowel mark of Japanese. */
const SEPARATORS = String.raw`\s().\-/\u2010-\u2015\u2212\u30FC`;

/** A number with its extension. White space must be collapsed first, so that this is linear. */
const NUMBER = new RegExp(String.raw`^(\(?\+?[\d${SEPARATORS}]+?),? ?(?:(?:ext(?:ension)?\.?|x|#) ?(\d{1,6}))?$`, 'i');

/** Separators before NFKC, which has other forms of some for East Asian keyboards. */
const WIDE_SEPARATORS = String.raw`${SEPARATORS}\uFF08\uFF09\uFF0D-\uFF0F`;

/** Numbers among words: digits of any script, with separators between them. */
export const NUMBERS = new RegExp(
  String.raw`(?<![^\s:])[(\uFF08+\uFF0B]*\p{Nd}(?:[${WIDE_SEPARATORS}]*\p{Nd})*[)\uFF09]?(?![^\s,;])`,
  'gu',
);

/** Returns the text with compatibility forms replaced (NFKC), and the decimal digits of all scripts in ASCII. */
export const asciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(/[^\P{Nd}0-9]/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));

/** Digits of a script are consecutive, from 0 to 9. Two scripts can follow each other. */
function digitValue(codePoint: number): number {
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value++;
  return value % 10;
}

/** Returns the number as it is dialled: `+` for `00`, and without the zero for callers within the country, as in +44 (0)20. */
function dialled(text: string): string {
  const number = text.replace(/^\s*\(?(?:\+|00)/, '+');
  return number.startsWith('+') ? number.replace(/\(\s?0\s?\)/, '') : number;
}

/** Returns the digits of a telephone number as it was typed, also those of an extension or of a second number. */
export const digitsOf = (phone: string): string => dialled(asciiDigits(phone)).replace(/\D/g, '');

/**
 * Returns a `tel:` URL (RFC 3966) if the text is exactly one number. The field accepts any text, and a button that calls a
 * stranger is worse than none.
 */
export function telephoneUrl(phone: string): string | undefined {
  const text = asciiDigits(phone)
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const [, typed = '', extension] = NUMBER.exec(text) ?? [];
  const number = dialled(typed);
  const digits = number.replace(/\D/g, '');
  if (typed.includes(' / ') || digits.length < DIGITS.least || digits.length > DIGITS.most) return undefined;
  return `tel:${number.startsWith('+') ? '+' : ''}${digits}${extension ? `;ext=${extension}` : ''}`;
}
