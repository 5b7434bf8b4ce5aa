import { describe, expect, it } from '@jest/globals';
import { newEnquiry } from '../../test/submissions.ts';
import { folded, searchTermsOf, searchTextOf, topicKey } from './search-terms.ts';

/** Whether a query finds a text, as the database compares them. */
const finds = (query: string, text: string) => searchTermsOf(query).every((term) => text.includes(term));

describe('folded', () => {
  it.each([
    ['Émile  STRASSE\u0301', 'emile strasse'],
    ['Müßigbrodt ẞ', 'mussigbrodt ss'],
    ['Sigríður Þórðardóttir', 'sigridur thordardottir'],
    ['Łódź Øre Đorđe', 'lodz ore dorde'],
    ['Æsop Œuvre Ħal Ŧeo Ŋata', 'aesop oeuvre hal teo ngata'],
    ['İstanbul ılık', 'istanbul ilik'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['Ａda ﬁn ①', 'ada fin 1'],
    ['O’Neill-Smith O´Neill Oʼneill', 'oneillsmith oneill oneill'],
    ['C++, C# & (Java)', 'c++ c# java'],
    ['a\u200E\u202Eb\u0000c\t\r\n d', 'ab c d'],
    ['x\uD800y 花子', 'xy 花子'],
  ])('folds %j', (text, expected) => {
    expect(folded(text)).toBe(expected);
  });
});

describe('topicKey', () => {
  it('compares without case, accents, punctuation and spaces, but for the signs of C++ and C#', () => {
    expect(topicKey(' Ándroid-Developer (m/f/d)!')).toBe(topicKey('android developer m f d'));
    expect(new Set(['C', 'C++', 'C#', ''].map(topicKey)).size).toBe(4);
  });

  it('has at most 200 characters, which PostgreSQL can index', () => {
    expect([...topicKey('\u{10428}'.repeat(900))]).toHaveLength(200);
  });
});

describe('searchTermsOf', () => {
  it.each([
    ['', []],
    ['- !', []],
    ['a a  b', ['a', 'b']],
    ['"a" „b“ «c»', ['a', 'b', 'c']],
    ['1 2 3 4 5 6x 7 8 9', ['1', '2', '3', '4', '5', '6x', '7', '8']],
    ['KW-1234-5678-9012-3456', ['kw1234567890123456']],
    ['+49 (0) 151.23-45/67', ['51234567']],
    ['020 55501', ['2055501']],
    ['23/11/2026', ['23112026']],
    ['12345', ['12345']],
    ['1234567890123456', ['1234567890123456']],
  ])('returns the terms of %j', (query, terms) => {
    expect(searchTermsOf(query)).toEqual(terms);
  });

  it.each([
    ['Sigríður', 'Sigridur', 'sigríður', 'SIGRIÐUR'],
    ['Jo\u0308rg Müßigbrodt', 'jorg', 'Jörg', 'müssig', 'mussigbrodt, jörg'],
    ['Anne-Marie O’Neill', 'anne marie', 'anne-marie', "o'neill", 'O´Neill', 'Anne\u2013Marie'],
    ['山田 花子', '花', '山田'],
  ])('finds %s as others type it', (name, ...queries) => {
    const text = searchTextOf(newEnquiry({ name, email: 'x@visitor.example', message: 'x' }));
    expect(queries.filter((query) => !finds(query, text))).toEqual([]);
    expect(finds('nobody', text)).toBe(false);
  });

  it.each([
    ['0171 5544 0044', '+49 171 5544 0044', '0049 171 55440044', '+49 (0)171/5544-0044', '0171 5544'],
    ['+351 915 550 142', '0915550142', '00351915550142', '915 550 142'],
    ['+44 (0)20 5550 109', '+44205550109', '020 5550 109', '205550109'],
    ['０９０－５５５５－０１０４', '09055550104', '＋８１ (0)90 5555 0104'],
    ['٠٥٠ ٥٥٥ ٠١٠٥', '050 555 0105', '+971 50 555 0105'],
  ])('finds the telephone number %s as others type it', (phone, ...queries) => {
    const text = searchTextOf(newEnquiry({ name: 'Rui Almeida', phone }));
    expect(queries.filter((query) => !finds(query, text))).toEqual([]);
    expect(finds(`${queries[0]} almeida`, text)).toBe(true);
    expect(finds('0171 5544 0045', text)).toBe(false);
  });
});

describe('searchTextOf', () => {
  it('has all fields, the digits of the telephone number, the name of the file and the reference', () => {
    const resume = { name: 'Résumé.pdf', mediaType: '', size: 1, sha256: '', key: '' };
    const enquiry = newEnquiry(
      { name: 'Äda', phone: '+44 (0)20 5550 109', message: 'f\u00FCr' },
      { id: 'KW-X', resume },
    );
    const lines = searchTextOf(enquiry).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['ada', '44205550109', 'fur', 'resumepdf', 'kwx']));
  });
});
