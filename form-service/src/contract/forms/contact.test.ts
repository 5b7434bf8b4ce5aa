import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/any-character.ts';
import { SERVICE, SERVICES } from '../../../test/services.ts';
import { validate } from '../../intake/submission-request.ts';
import { messages } from '../messages.ts';
import { contact } from './contact.ts';

const { schema, empty, words } = contact;

/** Error of each required field that is empty or too short. */
const MISSING = Object.fromEntries(
  contact.fields.flatMap(({ name, required, missing }) => (required ? [[name, missing] as const] : [])),
);
const { invalid: INVALID_EMAIL, missing: MISSING_EMAIL = INVALID_EMAIL } = words.fields['email'] ?? {};
const tooLong = (field: string, max: number) => messages.tooLong({ path: words.fields[field]?.label ?? '', max });

const VALID = {
  ...empty,
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  service: SERVICE,
  message: 'Please call me back.',
};
const errorsWith = (changes: object) => validate(schema, { ...VALID, ...changes }).errors;
const storedWith = (changes: object) => validate(schema, { ...VALID, ...changes }).fields;

it('an empty enquiry > has a message for each required field', () => {
  const all = Object.fromEntries(
    Object.entries({ ...MISSING, email: MISSING_EMAIL }).map(([name, one]) => [name, [one]]),
  );
  expect([validate(schema, empty).errors, validate(schema, {}).errors]).toEqual([all, all]);
});

describe('a value', () => {
  it.each([
    ['name', ['Li', ' Bo ', 'Ünal', '李明', 'O’Brien-Smith, Jr.', '😀😀', '<b>Al</b>', 'x'.repeat(200)]],
    ['phone', ['', 'after six, please']],
    ['service', SERVICES],
    ['message', ['0123456789', 'Two lines\r\nand\ta tab.', 'שלום, אפשר לחזור אליי?', 'x'.repeat(10_000)]],
  ])('is accepted > %s', (field, values) => {
    for (const value of values) expect([value, errorsWith({ [field]: value })]).toEqual([value, undefined]);
  });

  it.each([
    ['name', ['', 'A', ' A ', '   ', '\u3164\u3164', '\u200d\u200d', 'A\ufe0f\ufe0f', '\u202e \u202c', 'A\u0000']],
    ['service', ['', 'Catering', SERVICE.toLowerCase(), ` ${SERVICE}`]],
    ['message', ['', '012345678', `   ${'x'.repeat(9)}   `, '\n'.repeat(20), '\u000b'.repeat(20)]],
  ])('is missing, or too little of it is visible > %s', (field, values) => {
    for (const value of values)
      expect([value, errorsWith({ [field]: value })]).toEqual([value, { [field]: [MISSING[field]] }]);
  });

  it.each([
    ['name', 'x'.repeat(201), tooLong('name', 200)],
    ['message', 'x'.repeat(10_001), tooLong('message', 10_000)],
    ['name', 'Ada\rBcc: eve@example.org', messages.controlCharacters],
    ['name', 'Ada\nBcc: eve@example.org', messages.controlCharacters],
    ['phone', '1\r\n2', messages.controlCharacters],
    ['name', 'Please call me \ud83d back.', messages.invalidInput],
    ['message', 'Please call me \ud83d back.', messages.invalidInput],
    ['name', null, messages.invalidInput],
    ['name', {}, messages.invalidInput],
    ['name', ['a', 'b'], messages.invalidInput],
    ['name', { toString: 1 }, messages.invalidInput],
  ])('is rejected > %s: %j', (field, value, error) => {
    expect(errorsWith({ [field]: value })).toEqual({ [field]: [error] });
  });
});

describe('an address', () => {
  it.each([
    'ada@example.org',
    'first.last+tag@sub.domain.example',
    '!#$%&*/=?^_`{|}~-@example.org',
    'info@müller.example',
    'user@xn--mller-kva.example',
    `a@${'b'.repeat(63)}.org`,
    'us..er@docomo.ne.jp',
    '.ada@example.org',
    'josé@example.org',
    '用户@例え.jp',
    'user@क्\u200dषेत्र.भारत',
    'user@👍🏽.ws',
    `${'a'.repeat(64)}@example.org`,
    `${'é'.repeat(32)}@example.org`,
  ])('The address %s is valid', (email) => {
    expect(errorsWith({ email })).toBeUndefined();
  });

  it.each([
    'ａｄａ@@example.org',
    'ada＜b@example.org',
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'ada@example..org',
    'ada@example.org.',
    'ada@-example.org',
    'ada@exa mple.org',
    'ada@example.org, eve@example.org',
    'Ada <ada@example.org>',
    '"ada lovelace"@example.org',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    'ada@@example.org',
    'ada\u202eb@example.org',
    '=?utf-8?Q?eve=40evil.example?=@example.org',
    `a@${'b'.repeat(64)}.org`,
    'user@exam\u00d7ple\u2044.org',
    'user@example.com:25',
    'user@0x7f.1',
    'user@exam%70le.org',
    `${'a'.repeat(65)}@example.org`,
    `${'é'.repeat(33)}@example.org`,
    `a@${'ü'.repeat(60)}.org`,
    `${'é'.repeat(30)}@${`${'ö'.repeat(45)}.`.repeat(4)}example`,
  ])('The address %j is invalid', (email) => {
    expect(errorsWith({ email })).toEqual({ email: [INVALID_EMAIL] });
  });

  it.each([
    ['a zero-width space', 'ada\u200b@example.org'],
    ['a soft hyphen', 'ada@exam\u00adple.org'],
    ['a byte order mark before it', '\ufeffada@example.org'],
    ['marks of direction around it', '\u202aada@example.org\u202c\u200e'],
    ['a joiner between Latin letters', 'ada@exa\u200dmple.org\u200c'],
    ['blanks and a tab around it', '  ada@example.org \t'],
  ])('An address that was pasted with %s is valid and stored without', (_what, email) => {
    expect(storedWith({ email })?.['email']).toBe('ada@example.org');
  });

  it('has at most 254 characters and octets', () => {
    const domain = (length: number) => `${`${'b'.repeat(63)}.`.repeat(2)}${'b'.repeat(length - 132)}.org`;
    const ascii = (length: number) => `${'a'.repeat(length)}@${`${'b'.repeat(62)}.`.repeat(3)}example`;
    const addresses = [`${'é'.repeat(32)}@${domain(189)}`, `${'é'.repeat(32)}@${domain(190)}`, ascii(57), ascii(70)];
    expect(addresses.map((email) => errorsWith({ email })?.['email'])).toEqual([
      undefined,
      [INVALID_EMAIL],
      undefined,
      [tooLong('email', 254)],
    ]);
  });
});

describe('a control or invisible character', () => {
  it.each(['\t', '\u0000', '\u000b', '\u001b', '\u007f', '\u0085', '\u0092', '\u2028', '\u2029'])(
    'becomes a space in a line, and a line break or a space in a message > %j',
    (character) => {
      const copied = {
        name: `Ada${character}Lovelace`,
        phone: `1${character}2`,
        message: `Please${character}call me.`,
      };
      const end = /[\v\u0085\u2028\u2029]/.test(character) ? '\n' : ' ';
      const message = character === '\t' ? copied.message : `Please${end}call me.`;
      expect(storedWith(copied)).toMatchObject({ name: 'Ada Lovelace', phone: '1 2', message });
      expect(errorsWith({ email: `ada${character}@example.org` })).toHaveProperty('email');
    },
  );

  it.each(['\u202a', '\u202e', '\u2066', '\u2069', '\u200b', '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800'])(
    'is removed from a line > it disguises it: %j',
    (character) => {
      const disguised = { name: `${character}Ada ${character}Lovelace`, phone: `${character}12` };
      expect(storedWith(disguised)).toMatchObject({ name: 'Ada Lovelace', phone: '12' });
    },
  );

  it.each(['نیم\u200cفاصله', 'क्\u200dष', '葛\u{e0100}城', '\u200fאבא'])('stays > it spells the name %j', (name) => {
    expect(storedWith({ name })).toMatchObject({ name });
  });

  it('is a line feed > a message has CRLF or CR', () => {
    const message = 'Please\r\n\r\ncall\rme.\nThanks';
    expect(storedWith({ message })).toMatchObject({ message: 'Please\n\ncall\nme.\nThanks' });
  });
});

describe('a body', () => {
  it.each(['toString', 'valueOf', 'constructor', 'hasOwnProperty', '__proto__', 'isAdmin'])(
    'loses a field named %s',
    (name) => {
      const body = JSON.parse(`{"${name}":1,${JSON.stringify(VALID).slice(1)}`) as object;
      expect(validate(schema, body)).toEqual({ fields: VALID });
    },
  );

  it.each([null, 'text', 7, true, []])('is rejected > it is %j', (body) => {
    expect(validate(schema, body).fields).toBeUndefined();
  });
});

/** Inputs on which a careless pattern needs time that grows with the square of their length, or worse. */
const LONG = 200_000;
it.each([
  ['labels without an end', `a@${'a.'.repeat(LONG / 2)}`],
  ['hyphens', `a@${'a-'.repeat(LONG / 2)}.`],
  ['a local part', 'a'.repeat(LONG)],
  ['letters that fold into others', 'ſK'.repeat(LONG / 2)],
  ['a dotted local part', 'a.'.repeat(LONG / 2)],
  ['encoded words without an end', `${'=?a?'.repeat(LONG / 4)}@a.example`],
])('A very long value of %s is validated in linear time', (_case, email) => {
  expect(errorsWith({ email, name: email, message: email })).toHaveProperty('email');
});

/** The texts with a blank for each control character and line break, and without ignorable characters. */
const withoutUnseen = (enquiry: object) =>
  Object.fromEntries(
    Object.entries(enquiry).map(([name, text]) => [
      name,
      String(text)
        .replace(/\r\n|[\p{Cc}\u2028\u2029]/gu, ' ')
        .replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, ''),
    ]),
  );

describe('any input', () => {
  it('is validated without an exception', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        validate(schema, value);
        errorsWith({ name: value, email: value, message: value });
      }),
    );
  });

  it('has no control character in a line and no space in an address > accepted', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 2, maxLength: 20 }), (value) => {
        expect(storedWith({ name: value })?.['name'] ?? '').not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(storedWith({ email: `${value}@example.org` })?.['email'] ?? '').not.toMatch(/[\s<>,;"]/);
      }),
    );
  });

  it('is unchanged > accepted', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 10, maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.emailAddress(), (name, message, email) => {
        const enquiry = { ...VALID, name, message, email };
        const { fields: accepted } = validate(schema, enquiry);
        if (!accepted) return;
        expect(validate(schema, accepted)).toEqual({ fields: accepted });
        expect(withoutUnseen(accepted)).toEqual(withoutUnseen(enquiry));
      }),
    );
  });

  it('is accepted > ordinary e-mail address', () => {
    fc.assert(fc.property(fc.emailAddress({ size: '-1' }), (email) => expect(errorsWith({ email })).toBeUndefined()));
  });
});
