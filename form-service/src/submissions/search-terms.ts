import { domainToASCII } from 'node:url';
import { asciiDigits, digitsOf, NUMBERS } from '../contract/telephone.ts';
import { folded, JOINERS, spellingsOf } from '../database/search-text.ts';

/** Returns the first line of the search text for a service or position. */
export const topicLine = (topic: string): string => `${folded(topic)}\n`;

/** Quotation marks, except single ones, which are also apostrophes, and what surrounds a pasted address or link. */
const ENCLOSING = /mailto:|[<>[\]"\u00AB\u00BB\u201C-\u201F\u2039\u203A\u300C-\u300F\u301D-\u301F\uFF02]/gi;

/** Punctuation after a word, as in `Surname, Name`. */
const PUNCTUATION = /(?<=[^\s,;:.!?])[,;:.!?]+(?=\s|$)/g;

/** Words and marks next to a number that its submission may lack. */
const NUMBER_LABEL = /^(?:[,;]|tel|telephone|telefon|phone|mobile?|fax)[.:]*$/i;

/** Digits of a telephone number: if nothing else is searched for, next to words, and at most (E.164). */
const NUMBER_DIGITS = { alone: 6, withWords: 9, most: 15 };

/** Number of last digits that a long number is compared by: its national and its international form share them. */
const COMPARED_DIGITS = 8;

const TERMS_MAX = 8;

/**
 * Returns the folded terms of a query, all of which must be found. Each term has one or more alternatives. A telephone
 * number is one term, and so is each other word without the punctuation around it, in all its spellings.
 */
export function searchTermsOf(query: string): readonly (readonly string[])[] {
  const text = query.replace(ENCLOSING, ' ').replace(PUNCTUATION, '').trim();
  const numbers: (readonly string[])[] = [];
  const words = text.replace(NUMBERS, (number) => {
    const digits = digitsOf(number);
    const least = number === text ? NUMBER_DIGITS.alone : NUMBER_DIGITS.withWords;
    if (digits.length < least || digits.length > NUMBER_DIGITS.most) return number;
    numbers.push(numberTerm(number, digits));
    return ' ';
  });
  const named = words.split(/\s+/).filter((word) => numbers.length === 0 || !NUMBER_LABEL.test(word));
  const terms = [...numbers, ...named.map(wordTerm)].filter((term) => term.length > 0);
  return [...new Map(terms.map((term) => [term.join('\n'), term])).values()].slice(0, TERMS_MAX);
}

/** A date looks like a number, so the text as typed is an alternative. */
function numberTerm(number: string, digits: string): readonly string[] {
  const short = asciiDigits(number).replace(/\D/g, '').replace(/^00?/, '');
  return [
    ...new Set([digits.length < NUMBER_DIGITS.withWords ? short : digits.slice(-COMPARED_DIGITS), folded(number)]),
  ];
}

const wordTerm = (word: string): readonly string[] =>
  [...new Set([...spellingsOf(word), folded(word.replace(JOINERS, ' '))])].filter(Boolean);

/** Normalizes an address for comparison: case, accents (NFC) and international domains (Punycode). */
export function normalizedEmail(email: string): string {
  const [, local = '', domain = ''] = /^(.*@)?(.*)$/s.exec(email.trim()) ?? [];
  return local.normalize('NFC').toLowerCase() + (domainToASCII(domain) || domain.toLowerCase());
}
