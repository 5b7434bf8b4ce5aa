import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ObjectSchema } from 'yup';
import { ValidationError } from 'yup';
import { contactSchema, emptyContact, SERVICE_OPTIONS } from './contact.ts';

const VALID = {
  ...emptyContact,
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  service: 'Web Development',
  message: 'Please call me back.',
};

/** What is wrong, by field; null when nothing is. */
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

test('A complete enquiry is valid, with and without a phone', async () => {
  expect(await errorsOf(VALID)).toBeNull();
  expect(await errorsWith({ phone: 'after six, please' })).toBeNull();
});

test('An empty enquiry has a message for each required field', async () => {
  const messages = {
    name: 'Name must be at least 2 characters',
    email: 'Invalid email address',
    service: 'Please select a service',
    message: 'Message must be at least 10 characters',
  };
  expect(await errorsOf(emptyContact)).toEqual(messages);
  expect(await errorsOf({})).toEqual(messages);
});

describe('The name', () => {
  test.each(['Li', 'Bo', ' Bo ', 'Ünal', '李明', 'O’Brien-Smith, Jr.', '😀😀', '<b>Al</b>', 'x'.repeat(200)])(
    'The name %j is valid',
    async (name) => {
      expect(await errorsWith({ name })).toBeNull();
    },
  );

  test.each(['', 'A', ' A ', '   '])('The name %j is too short', async (name) => {
    expect(await errorsWith({ name })).toEqual({ name: 'Name must be at least 2 characters' });
  });

  test('A name of 201 characters is too long', async () => {
    expect(await errorsWith({ name: 'x'.repeat(201) })).toEqual({
      name: 'Name must be at most 200 characters',
    });
  });
});

describe('The e-mail address', () => {
  test.each([
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

  test.each([
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
    ' ada@example.org',
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
    expect(await errorsWith({ email })).toEqual({ email: 'Invalid email address' });
  });

  test.each([
    ['a zero-width space', 'ada\u200b@example.org'],
    ['a soft hyphen', 'ada@exam\u00adple.org'],
    ['a byte order mark before it', '\ufeffada@example.org'],
    ['marks of direction around it', '\u202aada@example.org\u202c\u200e'],
    ['isolates around it', '\u2066ada@example.org\u2069'],
    ['a word joiner behind it', 'ada@example.org\u2060'],
    ['a joiner between Latin letters', 'ada@exa\u200dmple.org\u200c'],
    ['a blank that does not break behind it', '\u3000ada@example.org\u00a0'],
  ])('An address that was pasted with %s is valid and stored without', async (_what, email) => {
    expect(await errorsWith({ email })).toBeNull();
    expect((await contactSchema.validate({ ...VALID, email })).email).toBe('ada@example.org');
  });

  test('An address of more than 254 characters is too long', async () => {
    const email = `${'a'.repeat(60)}@${`${'b'.repeat(62)}.`.repeat(3)}example`;
    expect(await errorsWith({ email: email.slice(0, 254) })).toBeNull();
    const longer = `${'a'.repeat(70)}@${`${'b'.repeat(62)}.`.repeat(3)}example`;
    expect(await errorsWith({ email: longer })).toEqual({ email: 'Email must be at most 254 characters' });
  });
});

describe('The service', () => {
  test.each(SERVICE_OPTIONS)('The service %s is valid', async (service) => {
    expect(await errorsWith({ service })).toBeNull();
  });

  test.each(['', 'Catering', 'web development', ' Web Development'])('The service %j is refused', async (service) => {
    expect(await errorsWith({ service })).toEqual({ service: 'Please select a service' });
  });
});

describe('The message', () => {
  test.each(['0123456789', 'Two lines\r\nand\ta tab.', 'שלום, אפשר לחזור אליי?', 'x'.repeat(10_000)])(
    'The message %j is valid',
    async (message) => {
      expect(await errorsWith({ message })).toBeNull();
    },
  );

  test.each(['', '012345678', `   ${'x'.repeat(9)}   `, '\n'.repeat(20)])(
    'The message %j is too short',
    async (message) => {
      expect(await errorsWith({ message })).toEqual({ message: 'Message must be at least 10 characters' });
    },
  );

  test('A message of 10,001 characters is too long', async () => {
    expect(await errorsWith({ message: 'x'.repeat(10_001) })).toEqual({
      message: 'Message must be at most 10,000 characters',
    });
  });
});

describe('Unusual characters and values', () => {
  test.each(['\r', '\n', '\r\n'])('%j is refused in a one-line field', async (character) => {
    const refusal = 'Must not contain line breaks or control characters';
    expect(await errorsWith({ name: `Ada${character}Bcc: eve@example.org` })).toEqual({ name: refusal });
    expect(await errorsWith({ phone: `1${character}2` })).toEqual({ phone: refusal });
    expect(await errorsWith({ email: `ada@example.org${character}` })).toHaveProperty('email');
  });

  test.each(['\t', '\u0000', '\u0008', '\u000b', '\u000c', '\u001b', '\u007f', '\u0085', '\u0092', '\u2028', '\u2029'])(
    'The invisible character %j in a one-line field becomes a blank',
    async (character) => {
      const copied = { ...VALID, name: `Ada${character}Lovelace`, phone: `1${character}2` };
      expect(await contactSchema.validate(copied)).toMatchObject({ name: 'Ada Lovelace', phone: '1 2' });
      expect(await errorsWith({ email: `ada${character}@example.org` })).toHaveProperty('email');
    },
  );

  test.each(['\u000b', '\u000c', '\u0085', '\u2028', '\u2029'])(
    'The line separator %j in a message becomes a line break',
    async (character) => {
      const { message } = await contactSchema.validate({ ...VALID, message: `Please${character}call me.` });
      expect(message).toBe('Please\ncall me.');
    },
  );

  test.each(['\u0000', '\u0008', '\u001b', '\u007f', '\u0092', '\u009f'])(
    '%j becomes a blank in a message',
    async (character) => {
      const { message } = await contactSchema.validate({ ...VALID, message: `Please${character}call me.` });
      expect(message).toBe('Please call me.');
    },
  );

  test('Invisible characters do not count towards the length of a text', async () => {
    expect(await errorsWith({ name: 'A\u0000', message: '\u000b'.repeat(20) })).toEqual({
      name: 'Name must be at least 2 characters',
      message: 'Message must be at least 10 characters',
    });
  });

  test.each(['name', 'phone', 'message'])('A lone surrogate is refused in %s', async (field) => {
    expect(await errorsWith({ [field]: 'Please call me \ud83d back.' })).toEqual({ [field]: 'Invalid input' });
  });

  test.each([null, {}, [], ['a', 'b']])('The value %j is refused as a text', async (value) => {
    expect(await errorsWith({ name: value })).toEqual({ name: 'Invalid input' });
  });

  test.each(['toString', 'valueOf', 'constructor', 'hasOwnProperty', '__proto__'])(
    'A field named %s is dropped like any unknown one',
    async (name) => {
      const body = JSON.parse(`{"${name}":1,${JSON.stringify(VALID).slice(1)}`) as object;
      expect(await contactSchema.validate(body)).toEqual(VALID);
      expect(await errorsWith({ name: { [name]: 1 } })).toEqual({ name: 'Invalid input' });
    },
  );

  test.each([null, 'text', 7, true, []])('The body %j is refused as an enquiry', async (value) => {
    expect(await errorsOf(value)).not.toBeNull();
  });

  test('Unknown fields are dropped', async () => {
    expect(await contactSchema.validate({ ...VALID, isAdmin: true })).toEqual(VALID);
  });
});

/** Inputs on which a careless pattern needs time that grows with the square of their length, or worse. */
const LONG = 200_000;
test.each([
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

/** The texts with a blank for each control character and line break. */
const withoutUnseen = (enquiry: object) =>
  Object.fromEntries(
    Object.entries(enquiry).map(([name, text]) => [name, String(text).replace(/[\p{Cc}\u2028\u2029]/gu, ' ')]),
  );

describe('Any input', () => {
  test('Any value is validated without a crash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        await errorsOf(value);
        await errorsWith({ name: value, email: value, message: value });
      }),
    );
  });

  test('An accepted one-line field has no control character, and an accepted address no blank', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 2, maxLength: 20 }), async (value) => {
        const name = await contactSchema.validateAt('name', { name: value }).catch(() => '');
        expect(name).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        if (/[\s<>,;"]/.test(value))
          expect(await errorsWith({ email: `${value}@example.org` })).toHaveProperty('email');
      }),
    );
  });

  test('An accepted text comes out as it went in', async () => {
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

  test('Any ordinary e-mail address is valid', async () => {
    await fc.assert(
      fc.asyncProperty(fc.emailAddress({ size: '-1' }), async (email) => {
        expect(await errorsWith({ email })).toBeNull();
      }),
    );
  });
});
