import { domainToASCII } from 'node:url';
import { digitsOf, folded } from '../database/search-text.ts';

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

/** Normalizes an address for comparison: case, accents (NFC) and international domains (Punycode). */
export function normalizedEmail(email: string): string {
  const [, local = '', domain = ''] = /^(.*@)?(.*)$/s.exec(email.trim()) ?? [];
  return local.normalize('NFC').toLowerCase() + (domainToASCII(domain) || domain.toLowerCase());
}
