import { domainToASCII } from 'node:url';
import { fieldOf, formOf, type Filled } from '../contract/forms.ts';
import { digitsOf, NUMBERS } from '../contract/telephone.ts';

/** Letters that NFKD does not decompose, in lower case, as people type them without the key. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'ng',
  ı: 'i',
  ς: 'σ',
};

/** Everything but letters, digits, spaces, and the signs of C++ and C#. Modifier letters serve as apostrophes. */
const PUNCTUATION = /[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}+# ]/gu;

/** Spacing accents, which are typed as apostrophes. NFKD would turn them into spaces. */
const SPACING_ACCENTS = /\p{Sk}/gu;

/** Compared characters of a topic. PostgreSQL limits the size of an index entry. */
const TOPIC_MAX_CHARS = 200;

/** Digits of a telephone number in a query: if nothing else is searched for, next to words, and at most (E.164). */
const NUMBER_DIGITS = { alone: 6, withWords: 9, most: 15 };

/** Number of last digits that a number is compared by: its national and its international form share them. */
const COMPARED_DIGITS = 8;

const TERMS_MAX = 8;

/** Folds a text for comparison: lower case, without accents and punctuation. Submissions are stored with folded texts. */
export function folded(text: string): string {
  return text
    .replace(SPACING_ACCENTS, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => BASE_LETTERS[letter] ?? letter)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(PUNCTUATION, '')
    .replace(/ +/g, ' ')
    .trim();
}

/** Returns the key by which topics are compared: folded, without spaces. `Android-Developer` is `androiddeveloper`. */
export const topicKey = (topic: string): string =>
  [...folded(topic).replaceAll(' ', '')].slice(0, TOPIC_MAX_CHARS).join('');

/** Source of a search text. */
interface Searchable extends Filled {
  readonly id: string;
  readonly resume?: { readonly name: string } | null;
}

/** Returns the text in which a submission is searched for: all fields but check boxes, the file's name and the reference. */
export function searchTextOf({ id, form, fields, resume }: Searchable): string {
  const isBox = (name: string) => formOf(form)?.fields.find((field) => field.name === name)?.input === 'checkbox';
  const texts = Object.keys(fields).flatMap((name) => (isBox(name) ? [] : (fields[name] ?? [])));
  const phone = fields[fieldOf(form, 'phone')?.name ?? 'phone'] ?? '';
  return [...texts, digitsOf(phone), resume?.name ?? '', id].map(folded).join('\n');
}

/** Returns the folded terms of a query, all of which must be found: its words, and its telephone numbers. */
export function searchTermsOf(query: string): readonly string[] {
  const numbers: string[] = [];
  const words = query.trim().replace(NUMBERS, (number) => {
    const digits = digitsOf(number);
    const least = number === query.trim() ? NUMBER_DIGITS.alone : NUMBER_DIGITS.withWords;
    if (digits.length < least || digits.length > NUMBER_DIGITS.most) return number;
    // The first zeros are those of a number within a country.
    numbers.push(digits.slice(-COMPARED_DIGITS).replace(/^0+/, ''));
    return ' ';
  });
  const terms = [...numbers, ...folded(words).split(' ')].filter((term) => term !== '');
  return [...new Set(terms)].slice(0, TERMS_MAX);
}

/** Normalizes an address for comparison: case, accents (NFC) and international domains (Punycode). */
export function normalizedEmail(email: string): string {
  const [, local = '', domain = ''] = /^(.*@)?(.*)$/s.exec(email.trim()) ?? [];
  return local.normalize('NFC').toLowerCase() + (domainToASCII(domain) || domain.toLowerCase());
}
