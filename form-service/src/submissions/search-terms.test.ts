import { describe, expect, it, jest } from '@jest/globals';
import { newEnquiry } from '../../test/submissions.ts';
import { folded } from '../database/search-text.ts';
import { searchTextOf } from '../database/search-text.ts';
import { searchTermsOf } from './search-terms.ts';

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

  it.each([
    ['\u0141\u00F3d\u017A \u0142', 'LODZ L'],
    ['\u00D8re \u00F8', 'ORE O'],
    ['\u0110or\u0111e', 'DORDE'],
    ['\u00C6sop \u00E6', 'AESOP AE'],
    ['\u0152uvre \u0153', 'OEUVRE OE'],
    ['stra\u00DFe \u1E9E', 'STRASSE SS'],
    ['\u03C3\u03C2 \u03A3', '\u03A3\u03A3 \u03A3'],
    ['\uFF21da \uFB01n \u2460 \u00BD', 'ADA FIN 1 1\u20442'],
    ['\u0130stanbul', 'ISTANBUL'],
    ['a\u200E\u202Eb\u0000c\t\r\n d', 'AB C D'],
    ['x\uD800y', 'XY'],
  ])('folds %j', (text, expected) => {
    expect(folded(text)).toBe(expected);
  });

  it.each([
    ['+49 (0) 151.23-45/67', [['490151234567', '+49 (0) 151.23-45/67']]],
    ['0151 234567', [['151234567', '0151 234567']]],
    ['0049151234567', [['49151234567', '0049151234567']]],
    ['12345', [['12345']]],
    ['123456', [['123456', '123456']]],
    ['', []],
    ['a a  b', [['A'], ['B']]],
    ['1 2 3 4 5 6x 7 8 9', [['1'], ['2'], ['3'], ['4'], ['5'], ['6X'], ['7'], ['8']]],
  ])('has the terms of %j', (query, terms) => {
    expect(searchTermsOf(query)).toEqual(terms);
  });

  it('finds a text with accents and marks as before', () => {
    expect(folded('Émile  Straße\u0301 Łódź')).toBe('EMILE STRASSE LODZ');
    expect(folded(`a${MARKS.repeat(2_500)}b`)).toBe('AB');
    expect(searchTermsOf('\uFDFA')[0]?.[0]).toBe(folded('\uFDFA').split(' ')[0]);
  });
});
