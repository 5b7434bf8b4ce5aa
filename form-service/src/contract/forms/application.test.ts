import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ValidationError } from 'yup';
import { messages } from '../messages.ts';
import { application as form } from './application.ts';

const { schema: applicationSchema, empty: emptyApplication } = form;
const tooLong = (field: string, max: number) => messages.tooLong({ path: form.words.fields[field]?.label ?? '', max });

/** Error of each required text that is empty. */
const MISSING = Object.fromEntries(
  form.fields.flatMap(({ name, input, required, missing = messages.required }) =>
    required && input !== 'file' ? [[name, missing] as const] : [],
  ),
);

const VALID = {
  ...emptyApplication,
  fullName: 'Ada Lovelace',
  email: 'ada@example.org',
};

async function errorsWith(changes: object) {
  try {
    await applicationSchema.validate({ ...VALID, ...changes }, { abortEarly: false });
    return null;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return Object.fromEntries(error.inner.map(({ path, message }) => [path, message]));
  }
}

it('applicationSchema > accepts name and e-mail only', async () => {
  expect(await errorsWith({})).toBeNull();
});

it('applicationSchema > requires name and e-mail', async () => {
  expect(await errorsWith(emptyApplication)).toEqual(MISSING);
  expect(await errorsWith({ fullName: undefined, email: undefined })).toEqual(MISSING);
  for (const fullName of ['   ', '\u3164', '\u202e\u200d'])
    expect(await errorsWith({ fullName })).toEqual({ fullName: MISSING['fullName'] });
});

it.each(['ada', 'ada@example', 'Ada <ada@example.org>', 'ada@example.org, eve@example.org'])(
  'applicationSchema > email > rejects %j',
  async (email) => {
    expect(await errorsWith({ email })).toEqual({
      email: form.words.fields['email']?.invalid ?? messages.invalidEmail,
    });
  },
);

describe('applicationSchema > optional fields', () => {
  it.each(['phone', 'position', 'experience'] as const)('accept any text of one line > %s', async (field) => {
    expect(await errorsWith({ [field]: 'anything: 2½ years, ça va? <ok>' })).toBeNull();
    expect(await errorsWith({ [field]: 'x'.repeat(201) })).toEqual({ [field]: tooLong(field, 200) });
    expect(await errorsWith({ [field]: 'a\nb' })).toEqual({ [field]: messages.controlCharacters });
  });

  it('accept any text of several lines > cover letter', async () => {
    expect(await errorsWith({ coverLetter: 'Dear all,\r\n\r\n\tI can.\n' })).toBeNull();
    expect(await errorsWith({ coverLetter: 'x'.repeat(10_001) })).toEqual({
      coverLetter: tooLong('coverLetter', 10_000),
    });
    expect((await applicationSchema.validate({ ...VALID, coverLetter: 'a\u000bb\u0000\r\nc' })).coverLetter).toBe(
      'a\nb \nc',
    );
  });
});

it('applicationSchema > drops unknown fields', async () => {
  expect(await applicationSchema.validate({ ...VALID, resume: 'x', role: 'admin' })).toEqual(VALID);
});

describe('applicationSchema > any input', () => {
  it('is validated without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        await applicationSchema.isValid(value);
        await errorsWith({ fullName: value, email: value, coverLetter: value });
      }),
    );
  });

  it('is stored as it is seen, a one-line field in one line > accepted', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }),
    );
    const fields = fc.record({
      fullName: text,
      email: fc.emailAddress(),
      phone: text,
      position: text,
      experience: text,
      coverLetter: text,
    });
    await fc.assert(
      fc.asyncProperty(fields, async (application) => {
        if ((await errorsWith(application)) !== null) return;
        const accepted = await applicationSchema.validate(application);
        expect(await applicationSchema.validate(accepted)).toEqual(accepted);
        const { coverLetter: _, ...lines } = accepted;
        for (const line of Object.values(lines)) expect(line).not.toMatch(/[\p{Cc}\p{Surrogate}\u2028\u2029]/u);
      }),
    );
  });
});
