import { describe, expect, it, jest } from '@jest/globals';
import { newEnquiry } from '../../test/submissions.ts';
import { folded, searchTermsOf, searchTextOf } from './search-text.ts';

/** Marks of two combining classes, which normalization sorts. */
const MARKS = '\u0316\u0301';

describe('search text', () => {
  it.each([
    ['one letter that decomposes into 18', '\uFDFA'.repeat(5_000)],
    ['a letter that becomes three in upper case', '\u0390'.repeat(5_000)],
    ['combining marks', `a${MARKS.repeat(2_500)}`],
  ])('has at most four times the length of the input > %s', (_, message) => {
    expect(folded(message).length).toBeLessThanOrEqual(4 * message.length);
    const { length } = searchTextOf(newEnquiry({ message }));
    expect(length).toBeLessThanOrEqual(4 * message.length + 1_000);
    expect(searchTermsOf(message).flat().join('').length).toBeLessThanOrEqual(4 * message.length);
  });

  it('normalizes no long run of combining marks, which takes quadratic time', () => {
    const normalized: number[] = [];
    const { normalize } = String.prototype;
    const watched = jest.spyOn(String.prototype, 'normalize');
    watched.mockImplementation(function (this: string, form) {
      normalized.push(Math.max(0, ...(this.match(/\p{M}+/gu) ?? []).map(({ length }) => length)));
      return normalize.call(this, form);
    });
    folded(`a${MARKS.repeat(2_500)}b`);
    searchTermsOf(`a${MARKS.repeat(100)}b`);
    watched.mockRestore();
    expect(normalized).toHaveLength(2);
    expect(Math.max(...normalized)).toBeLessThanOrEqual(30);
  });

  it('finds a text with accents and marks as before', () => {
    expect(folded('Émile  Straße\u0301 Łódź')).toBe('EMILE STRASSE LODZ');
    expect(folded(`a${MARKS.repeat(2_500)}b`)).toBe('AB');
    expect(searchTermsOf('\uFDFA')[0]?.[0]).toBe(folded('\uFDFA').split(' ')[0]);
  });
});
