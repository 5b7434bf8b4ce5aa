import { describe, expect, it } from '@jest/globals';
import { asciiDigits, digitsOf, telephoneUrl } from './telephone.ts';

/** Zeros of Arabic-Indic, Persian, Devanagari, Thai, Myanmar, mathematical bold, Adlam and full-width digits. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xe50, 0x1090, 0x1d7ce, 0x1e950, 0xff10];

describe('telephoneUrl', () => {
  it.each([
    ['  +351 21\u00a0555\t0142 ', 'tel:+351215550142'],
    ['020 7946 0018  x  12', 'tel:02079460018;ext=12'],
    ['020 7946 0018, extension 12', 'tel:02079460018;ext=12'],
    ['+44 (0)20 7946 0018 Ext. 12', 'tel:+442079460018;ext=12'],
    ['030 \u2013 555 0142', 'tel:0305550142'],
    ['+49 (0)40 555 0123', 'tel:+49405550123'],
    ['+81(0)90-5555-0104', 'tel:+819055550104'],
    ['(+49) (0)40 555 0123', 'tel:+49405550123'],
    ['0049 (0)40 555 0123', 'tel:+49405550123'],
    ['\uFF0B\uFF18\uFF11\uFF08\uFF10\uFF0990 \u30FC 5555 0104', 'tel:+819055550104'],
    ['\u0660\u0665\u0660 \u0665\u0665\u0665 \u0660\u0661\u0660\u0665', 'tel:0505550105'],
    ['\u202A+351 21 555 0142\u202C', 'tel:+351215550142'],
    ['020\u22127946\u22120018', 'tel:02079460018'],
  ])('returns the URL > %j', (phone, url) => {
    expect(telephoneUrl(phone)).toBe(url);
  });

  it.each([
    '1234',
    '1234567890123456',
    '020 7946 0018 / 020 7946 0019',
    '020 7946 0018 \uFF0F 020 7946 0019',
    'after 6 pm: 020 7946 0018',
    '+44 20 + 7946 0018',
    '',
  ])('returns undefined > %j', (phone) => {
    expect(telephoneUrl(phone)).toBeUndefined();
  });
});

describe('digitsOf', () => {
  it.each([
    ['+44 (0)20 5550 109', '44205550109'],
    ['0044 20 5550 109', '44205550109'],
    ['020 / 5550 109 or 110', '0205550109110'],
    ['no number', ''],
  ])('returns the digits > %j', (phone, digits) => {
    expect(digitsOf(phone)).toBe(digits);
  });
});

describe('asciiDigits', () => {
  it.each(ZEROS)('maps the ten digits from U+%s', (zero) => {
    const digits = String.fromCodePoint(...Array.from({ length: 10 }, (_, value) => zero + value));
    expect(asciiDigits(`a ${digits} b`)).toBe('a 0123456789 b');
  });
});
