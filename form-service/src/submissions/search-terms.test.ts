import { describe, expect, it, jest } from '@jest/globals';
import { SERVICE } from '../../test/services.ts';
import { newEnquiry } from '../../test/submissions.ts';
import { folded, searchTextOf } from '../database/search-text.ts';
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

  it('is well-formed > the limit is within a surrogate pair', () => {
    // The first letters double, and the word has three spellings.
    const texts = Array.from({ length: 40 }, (_, at) => {
      return `${'\u00DF'.repeat(20 + (at % 2))}${'\u{10428}'.repeat(at >> 1)}-\u00FC${'x'.repeat(at % 2)}`;
    });
    expect(texts.filter((message) => /\p{Surrogate}/u.test(searchTextOf(newEnquiry({ message }))))).toEqual([]);
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
    expect(normalized.length).toBeGreaterThanOrEqual(2);
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
    ['+49 (0) 151.23-45/67', [['51234567', '+49 (0) 151.23-45/67']]],
    ['0151 234567', [['51234567', '0151 234567']]],
    ['0049151234567', [['51234567', '0049151234567']]],
    ['020 55501', [['2055501', '020 55501']]],
    ['23/11/2026', [['23112026', '23/11/2026']]],
    ['12345', [['12345']]],
    ['123456', [['123456']]],
    ['', []],
    ['a a  b', [['A'], ['B']]],
    ['1 2 3 4 5 6x 7 8 9', [['1'], ['2'], ['3'], ['4'], ['5'], ['6X'], ['7'], ['8']]],
    ['"a" \u201Eb\u201C \u00ABc\u00BB \u300Cd\u300D', [['A'], ['B'], ['C'], ['D']]],
    ['-', [['-']]],
    ['KW-1234-5678-9012-3456', [['KW-1234-5678-9012-3456', 'KW1234567890123456', 'KW 1234 5678 9012 3456']]],
    ['1234567890123456', [['1234567890123456']]],
    ['tel ada', [['TEL'], ['ADA']]],
  ])('has the terms of %j', (query, terms) => {
    expect(searchTermsOf(query)).toEqual(terms);
  });

  it('finds a text with accents and marks as before', () => {
    expect(folded('Émile  Straße\u0301 Łódź')).toBe('EMILE STRASSE LODZ');
    expect(folded(`a${MARKS.repeat(2_500)}b`)).toBe('AB');
    expect(searchTermsOf('\uFDFA')[0]?.[0]).toBe(folded('\uFDFA').split(' ')[0]);
  });

  /** Whether a query finds a text, as the database compares them. */
  const finds = (query: string, text: string) =>
    searchTermsOf(query).every((alternatives) => alternatives.some((one) => text.includes(one)));

  const JOINED = ["'", '\u2019', '\u2018', '\u02BC', '\u02BB', '\u2032', '\u00B4', '`', '\uFF07'].map((mark) => [mark]);
  const HYPHENATED = ['-', '\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\uFF0D', '\u00B7', '\u30FB'].map(
    (mark) => [mark],
  );

  it.each([...JOINED, ...HYPHENATED])('finds a name with %s > typed with each other mark, a space or none', (mark) => {
    const marks = [...JOINED, ...HYPHENATED].flat();
    const text = searchTextOf(newEnquiry({ name: `Mary O${mark}Neill-Smith` }));
    const typed = [...marks, '', ' '].filter((other) => !finds(`o${other}neill`, text));
    const quoted = [...marks, '', ' '].filter((other) => !finds(`"mary o${other}neill${other}smith"`, text));
    expect([typed, quoted]).toEqual([[], []]);
  });

  it('finds a name with a space > typed with a hyphen or an apostrophe', () => {
    const text = searchTextOf(newEnquiry({ name: 'Anne Marie O Neill' }));
    for (const query of ['anne-marie', 'Anne\u2013Marie', "o'neill"])
      expect([query, finds(query, text)]).toEqual([query, true]);
  });

  it.each([
    ['M\u00FC\u00DFigbrodt', 'muessigbrodt', 'mussigbrodt', 'M\u00DC\u00DFIGBRODT', 'mu\u0308\u00DFig', 'm\u00FCssig'],
    ['Muessigbrodt', 'm\u00FCssigbrodt', 'muessig'],
    ['Jo\u0308rg', 'joerg', 'jorg', 'J\u00F6rg'],
    ['J\u00E4ger', 'jaeger', 'jager'],
    ['S\u00F8ren', 'soren', 'soeren', 'S\u00D6REN'],
    ['\u00C5se', 'aase', 'ase'],
    ['\u00C6sop \u0152uvre', 'aesop', 'oeuvre'],
    [
      'Gu\u00F0r\u00FAn \u00DE\u00F3r\u00F0ard\u00F3ttir',
      'gudrun thordardottir',
      'Gu\u00F0run',
      '\u00FE\u00F3r\u00F0ar',
    ],
    ['\u0110or\u0111e', 'dorde', 'djordje'],
    ['\u0126al \u0166eodor', 'hal', 'teodor'],
    ['\u018Fliyev', 'eliyev', 'aliyev', '\u0259liyev'],
    ['\u0131l\u0131k \u0130stanbul', 'ilik', 'istanbul', 'ISTANBUL'],
    ['\u014Aata \u0190dem \u0254f\u0254', 'nata', 'ngata', 'edem', 'ofo'],
    ['\u0181ala \u0189o \u018Aan \u0198ofa \u01B3ar \u01B5aba', 'bala do dan kofa', 'yar zaba'],
    ['\u0141\u00F3d\u017A', 'lodz'],
    ['D\u2019M\u00FCller-L\u00FCdenscheidt', "d'mueller", 'muller ludenscheidt', 'M\u00FCller\u2013L\u00FCdenscheidt'],
    ['2026 \u0662\u0660\u0662\u0667', '2026', '2027', '\u0662\u0660\u0662\u0667'],
    ['\u5C71\u7530 \u30B8\u30E7\u30F3\u30FB\u30B9\u30DF\u30B9', '\u5C71\u7530', '\u30B8\u30E7\u30F3\u30B9\u30DF\u30B9'],
  ])('finds %s in each spelling', (name, ...queries) => {
    const text = searchTextOf(newEnquiry({ name, email: 'x@visitor.example', message: 'x' }));
    expect(queries.filter((query) => !finds(query, text))).toEqual([]);
    expect(['manula', 'xyz'].filter((query) => finds(query, text))).toEqual([]);
  });

  it.each([
    ['0171 5544 0044', '+49 171 5544 0044', '0049 171 55440044', '+49 (0)171/5544-0044', '(+49) 171 5544 0044'],
    [
      '+351 915 550 142',
      '0915550142',
      '00351915550142',
      'tel +351 915 550 142',
      'tel:+351915550142',
      'Tel.: 915 550 142',
    ],
    ['+44 (0)20 5550 109', '+44205550109', '020 5550 109', '0044 20 5550109', '+44 (0)20 5550 109', '205550109'],
    ['020 7946 0018 x 12', '+44 20 7946 0018'],
    ['020 7946 0018 / 020 7946 0019', '+442079460018', '+442079460019'],
    [
      '\uFF10\uFF19\uFF10\uFF0D\uFF15\uFF15\uFF15\uFF15\uFF0D\uFF10\uFF11\uFF10\uFF14',
      '09055550104',
      '\uFF0B\uFF18\uFF11 (0)90 5555 0104',
    ],
    [
      '\u0660\u0665\u0660 \u0665\u0665\u0665 \u0660\u0661\u0660\u0665',
      '050 555 0105',
      '+971 50 555 0105',
      '\u0660\u0665\u0660\u0665\u0665\u0665\u0660\u0661\u0660\u0665',
    ],
    ['09055550104', '\uFF10\uFF19\uFF10\uFF0D\uFF15\uFF15\uFF15\uFF15\uFF0D\uFF10\uFF11\uFF10\uFF14'],
    ['555 0142', '5550142', '555-0142'],
  ])('finds the telephone number %s as others type it', (phone, ...queries) => {
    const text = searchTextOf(newEnquiry({ name: 'Rui Almeida', phone }));
    const withWords = [...queries.map((query) => `Almeida ${query}`), ...queries.map((query) => `${query}, rui`)];
    const typed = phone === '555 0142' ? queries : [...queries, ...withWords];
    expect(typed.filter((query) => !finds(query, text))).toEqual([]);
    expect(finds('0171 5544 0045', text)).toBe(false);
  });

  it.each([
    'Almeida, Rui',
    'Rui Almeida <rui@visitor.example>',
    '<mailto:rui@visitor.example>',
    'rui@visitor.example;',
    'Tel. 0171 5544 0044.',
    'Rui Almeida: <tel:+4917155440044>',
    '[0171/55440044]',
    'Rui Almeida?',
    '0171 5544 0044!',
  ])('finds a pasted text with the punctuation next to its words > %s', (query) => {
    const fields = { name: 'Rui Almeida', email: 'rui@visitor.example', phone: '0171 5544 0044' };
    expect(finds(query, searchTextOf(newEnquiry(fields)))).toBe(true);
  });

  it('begins the search text with the topic', () => {
    const fields = { name: 'O\u2019Neill', phone: '+44 (0)20 5550 109', message: 'f\u00FCr', email: 'a@b.example' };
    const lines = [
      SERVICE.toUpperCase(),
      'O\u2019NEILL ONEILL',
      'A@B.EXAMPLE',
      SERVICE.toUpperCase(),
      'FUR FUER',
      '+44 (0)20 5550 109',
      '44205550109',
      '',
      'KW-X KWX',
    ];
    expect(searchTextOf(newEnquiry(fields, { id: 'KW-X' }))).toBe(lines.join('\n'));
  });
});
