import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ObjectSchema } from 'yup';
import { ValidationError } from 'yup';
import { SERVICE, SERVICES } from '../../../test/services.ts';
import { messages } from '../messages.ts';
import { contact } from './contact.ts';

const { schema: contactSchema, empty: emptyContact, words } = contact;

/** Error of each required field that is empty or too short. */
const MISSING = Object.fromEntries(
  contact.fields.flatMap(({ name, required, missing }) => (required ? [[name, missing] as const] : [])),
);
const { invalid: INVALID_EMAIL, missing: MISSING_EMAIL = INVALID_EMAIL } = words.fields['email'] ?? {};
const tooLong = (field: string, max: number) => messages.tooLong({ path: words.fields[field]?.label ?? '', max });

const VALID = {
  ...emptyContact,
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  service: SERVICE,
  message: 'Please call me back.',
};

/** Returns the errors by field; null if there are none. */
async function errorsOf(value: unknown, schema: ObjectSchema<object> = contactSchema) {
  try {
    await schema.validate(value, { abortEarly: false });
    return null;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return Object.fromEntries(
      error.inner.length > 0
        ? error.inner.map(({ path, message }) => [path, message])
        : [[error.path ?? '', error.message]],
    );
  }
}
const errorsWith = (changes: object) => errorsOf({ ...VALID, ...changes });

it('contactSchema > accepts a complete enquiry, with and without a phone', async () => {
  expect(await errorsOf(VALID)).toBeNull();
  expect(await errorsWith({ phone: 'after six, please' })).toBeNull();
});

it('contactSchema > returns a message for each required field > empty enquiry', async () => {
  expect(await errorsOf(emptyContact)).toEqual(MISSING);
  expect(await errorsOf({})).toEqual(MISSING);
});

describe('contactSchema > name', () => {
  it.each(['Li', 'Bo', ' Bo ', 'Ünal', '李明', 'O’Brien-Smith, Jr.', '😀😀', '<b>Al</b>', 'x'.repeat(200)])(
    'accepts %j',
    async (name) => {
      expect(await errorsWith({ name })).toBeNull();
    },
  );

  it.each(['', 'A', ' A ', '   '])('rejects %j as too short', async (name) => {
    expect(await errorsWith({ name })).toEqual({ name: MISSING['name'] });
  });

  it('rejects 201 characters', async () => {
    expect(await errorsWith({ name: 'x'.repeat(201) })).toEqual({ name: tooLong('name', 200) });
  });
});

describe('contactSchema > email', () => {
  it.each([
    'ada@example.org',
    'ADA@EXAMPLE.ORG',
    'a@b.co',
    'first.last+tag@sub.domain.example',
    "o'brien@example.ie",
    '!#$%&*/=?^_`{|}~-@example.org',
    'info@müller.example',
    'user@例え.jp',
    'user@xn--mller-kva.example',
    `a@${'b'.repeat(63)}.org`,
    'user.@docomo.ne.jp',
    'us..er@docomo.ne.jp',
    '.ada@example.org',
    'josé@example.org',
    '用户@例え.jp',
    'δοκιμή@παράδειγμα.ελ',
    'आपका@उदाहरण.भारत',
    '☃@example.org',
    'user@col·legi.cat',
    'user@क्\u200dषेत्र.भारत',
    'user@نامه\u200cای.example',
    'user@i❤\ufe0f.ws',
    'user@👍🏽.ws',
    `${'a'.repeat(64)}@example.org`,
    `${'é'.repeat(32)}@example.org`,
  ])('The address %s is valid', async (email) => {
    expect(await errorsWith({ email })).toBeNull();
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'ada@.org',
    'ada@example..org',
    'ada@example.org.',
    'ada@-example.org',
    'ada@example-.org',
    'ada@exa mple.org',
    'a da@example.org',
    'ada@example.org, eve@example.org',
    'ada@example.org;eve@example.org',
    'Ada <ada@example.org>',
    '<ada@example.org>',
    '"ada lovelace"@example.org',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    'ada@@example.org',
    'ada@example.org(comment)',
    'ada\u00a0b@example.org',
    'ada＠b@example.org',
    'ada\u202eb@example.org',
    '=?utf-8?Q?eve=40evil.example?=@example.org',
    'ada=?utf-8?b?ZXZl?=@example.org',
    `a@${'b'.repeat(64)}.org`,
    'user@exam\u00d7ple\u2044.org',
    'user@co·op.cat.',
    'user@example.com:25',
    'user@0x7f.1',
    'user@example.1a',
    'user@exam%70le.org',
    `${'a'.repeat(65)}@example.org`,
    `${'é'.repeat(33)}@example.org`,
    `a@${'ü'.repeat(60)}.org`,
    `${'é'.repeat(30)}@${`${'ö'.repeat(45)}.`.repeat(4)}example`,
  ])('The address %j is invalid', async (email) => {
    expect(await errorsWith({ email })).toEqual({ email: email === '' ? MISSING_EMAIL : INVALID_EMAIL });
  });

  it.each([
    ['a zero-width space', 'ada\u200b@example.org'],
    ['a soft hyphen', 'ada@exam\u00adple.org'],
    ['a byte order mark before it', '\ufeffada@example.org'],
    ['marks of direction around it', '\u202aada@example.org\u202c\u200e'],
    ['isolates around it', '\u2066ada@example.org\u2069'],
    ['a word joiner behind it', 'ada@example.org\u2060'],
    ['a joiner between Latin letters', 'ada@exa\u200dmple.org\u200c'],
    ['a blank that does not break behind it', '\u3000ada@example.org\u00a0'],
    ['blanks and a tab around it', '  ada@example.org \t'],
  ])('An address that was pasted with %s is valid and stored without', async (_what, email) => {
    expect(await errorsWith({ email })).toBeNull();
    expect((await contactSchema.validate({ ...VALID, email })).email).toBe('ada@example.org');
  });

  it.each(['ａｄａ@@example.org', 'ada＠b@example.org', 'ada＜b@example.org', 'ada，b@example.org', '   '])(
    'rejects %j, which is no address in ASCII',
    async (email) => {
      expect(await errorsWith({ email })).toEqual({ email: email.trim() === '' ? MISSING_EMAIL : INVALID_EMAIL });
    },
  );

  it('rejects an address of 255 octets > although it has fewer characters', async () => {
    const local = 'é'.repeat(32);
    const domain = (length: number) => `${`${'b'.repeat(63)}.`.repeat(2)}${'b'.repeat(length - 132)}.org`;
    expect(await errorsWith({ email: `${local}@${domain(189)}` })).toBeNull();
    expect(await errorsWith({ email: `${local}@${domain(190)}` })).toEqual({ email: INVALID_EMAIL });
  });

  it('rejects more than 254 characters', async () => {
    const email = `${'a'.repeat(60)}@${`${'b'.repeat(62)}.`.repeat(3)}example`;
    expect(await errorsWith({ email: email.slice(0, 254) })).toBeNull();
    const longer = `${'a'.repeat(70)}@${`${'b'.repeat(62)}.`.repeat(3)}example`;
    expect(await errorsWith({ email: longer })).toEqual({ email: tooLong('email', 254) });
  });
});

describe('contactSchema > service', () => {
  it.each(SERVICES)('accepts %s', async (service) => {
    expect(await errorsWith({ service })).toBeNull();
  });

  it.each(['', 'Catering', SERVICE.toLowerCase(), ` ${SERVICE}`])('rejects %j', async (service) => {
    expect(await errorsWith({ service })).toEqual({ service: MISSING['service'] });
  });
});

describe('contactSchema > message', () => {
  it.each(['0123456789', 'Two lines\r\nand\ta tab.', 'שלום, אפשר לחזור אליי?', 'x'.repeat(10_000)])(
    'accepts %j',
    async (message) => {
      expect(await errorsWith({ message })).toBeNull();
    },
  );

  it.each(['', '012345678', `   ${'x'.repeat(9)}   `, '\n'.repeat(20)])('rejects %j as too short', async (message) => {
    expect(await errorsWith({ message })).toEqual({ message: MISSING['message'] });
  });

  it('rejects 10,001 characters', async () => {
    expect(await errorsWith({ message: 'x'.repeat(10_001) })).toEqual({ message: tooLong('message', 10_000) });
  });
});

describe('contactSchema > unusual characters and values', () => {
  it.each(['\r', '\n', '\r\n'])('rejects %j in a one-line field', async (character) => {
    const { controlCharacters } = messages;
    expect(await errorsWith({ name: `Ada${character}Bcc: eve@example.org` })).toEqual({ name: controlCharacters });
    expect(await errorsWith({ phone: `1${character}2` })).toEqual({ phone: controlCharacters });
    expect(await errorsWith({ email: `ada@example.org${character}` })).toHaveProperty('email');
  });

  it.each(['\t', '\u0000', '\u0008', '\u000b', '\u000c', '\u001b', '\u007f', '\u0085', '\u0092', '\u2028', '\u2029'])(
    'turns %j in a one-line field into a space',
    async (character) => {
      const copied = { ...VALID, name: `Ada${character}Lovelace`, phone: `1${character}2` };
      expect(await contactSchema.validate(copied)).toMatchObject({ name: 'Ada Lovelace', phone: '1 2' });
      expect(await errorsWith({ email: `ada${character}@example.org` })).toHaveProperty('email');
    },
  );

  it.each(['\u000b', '\u000c', '\u0085', '\u2028', '\u2029'])(
    'turns %j in a message into a line break',
    async (character) => {
      const { message } = await contactSchema.validate({ ...VALID, message: `Please${character}call me.` });
      expect(message).toBe('Please\ncall me.');
    },
  );

  it('stores line breaks as \\n > in a message sent with CRLF or CR', async () => {
    const { message } = await contactSchema.validate({ ...VALID, message: 'Please\r\n\r\ncall\rme.\nThanks' });
    expect(message).toBe('Please\n\ncall\nme.\nThanks');
  });

  it.each(['\u202a', '\u202e', '\u2066', '\u2069', '\u200b', '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800'])(
    'removes %j from a name and a phone number',
    async (character) => {
      const disguised = { ...VALID, name: `${character}Ada ${character}Lovelace`, phone: `${character}12` };
      expect(await contactSchema.validate(disguised)).toMatchObject({ name: 'Ada Lovelace', phone: '12' });
    },
  );

  it.each(['نیم\u200cفاصله', 'क्\u200dष', '葛\u{e0100}城', '\u200fאבא'])('keeps the name %j as it is', async (name) => {
    expect((await contactSchema.validate({ ...VALID, name })).name).toBe(name);
  });

  it.each(['\u3164\u3164\u3164', '\u200d\u200d\u200d', 'A\ufe0f\ufe0f', '\u202e \u202c'])(
    'rejects the name %j, of which too little is visible',
    async (name) => {
      expect(await errorsWith({ name })).toEqual({ name: MISSING['name'] });
    },
  );

  it.each(['\u0000', '\u0008', '\u001b', '\u007f', '\u0092', '\u009f'])(
    'turns %j in a message into a space',
    async (character) => {
      const { message } = await contactSchema.validate({ ...VALID, message: `Please${character}call me.` });
      expect(message).toBe('Please call me.');
    },
  );

  it('does not count invisible characters', async () => {
    expect(await errorsWith({ name: 'A\u0000', message: '\u000b'.repeat(20) })).toEqual({
      name: MISSING['name'],
      message: MISSING['message'],
    });
  });

  it.each(['name', 'phone', 'message'])('rejects a lone surrogate in %s', async (field) => {
    expect(await errorsWith({ [field]: 'Please call me \ud83d back.' })).toEqual({ [field]: messages.invalidInput });
  });

  it.each([null, {}, [], ['a', 'b']])('rejects the value %j as a text', async (value) => {
    expect(await errorsWith({ name: value })).toEqual({ name: messages.invalidInput });
  });

  it.each(['toString', 'valueOf', 'constructor', 'hasOwnProperty', '__proto__'])(
    'drops a field named %s',
    async (name) => {
      const body = JSON.parse(`{"${name}":1,${JSON.stringify(VALID).slice(1)}`) as object;
      expect(await contactSchema.validate(body)).toEqual(VALID);
      expect(await errorsWith({ name: { [name]: 1 } })).toEqual({ name: messages.invalidInput });
    },
  );

  it.each([null, 'text', 7, true, []])('rejects the body %j', async (value) => {
    expect(await errorsOf(value)).not.toBeNull();
  });

  it('drops unknown fields', async () => {
    expect(await contactSchema.validate({ ...VALID, isAdmin: true })).toEqual(VALID);
  });
});

/** Inputs on which a careless pattern needs time that grows with the square of their length, or worse. */
const LONG = 200_000;
it.each([
  ['one label', `a@${'a'.repeat(LONG)}`],
  ['labels without an end', `a@${'a.'.repeat(LONG / 2)}`],
  ['hyphens', `a@${'a-'.repeat(LONG / 2)}.`],
  ['a local part', 'a'.repeat(LONG)],
  ['letters that fold into others', 'ſK'.repeat(LONG / 2)],
  ['a dotted local part', 'a.'.repeat(LONG / 2)],
  ['at signs', '@'.repeat(LONG)],
  ['white space', ' '.repeat(LONG)],
  ['encoded words without an end', `${'=?a?'.repeat(LONG / 4)}@a.example`],
])('A very long value of %s is validated in linear time', async (_case, email) => {
  expect(await errorsWith({ email, name: email, message: email })).toHaveProperty('email');
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

describe('contactSchema > any input', () => {
  it('is validated without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        await errorsOf(value);
        await errorsWith({ name: value, email: value, message: value });
      }),
    );
  });

  it('has no control character in a line and no space in an address > accepted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 2, maxLength: 20 }), async (value) => {
        const name = await contactSchema.validateAt('name', { name: value }).catch(() => '');
        expect(name).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        const email = await contactSchema.validateAt('email', { email: `${value}@example.org` }).catch(() => '');
        expect(email).not.toMatch(/[\s<>,;"]/);
      }),
    );
  });

  it('is unchanged > accepted', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 10, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, text, fc.emailAddress(), async (name, message, email) => {
        const enquiry = { ...VALID, name, message, email };
        if ((await errorsOf(enquiry)) !== null) return;
        const accepted = await contactSchema.validate(enquiry);
        expect(await contactSchema.validate(accepted)).toEqual(accepted);
        expect(withoutUnseen(accepted)).toEqual(withoutUnseen(enquiry));
      }),
    );
  });

  it('is accepted > ordinary e-mail address', async () => {
    await fc.assert(
      fc.asyncProperty(fc.emailAddress({ size: '-1' }), async (email) => {
        expect(await errorsWith({ email })).toBeNull();
      }),
    );
  });
});
