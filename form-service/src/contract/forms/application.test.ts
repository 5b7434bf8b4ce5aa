import { describe, expect, it } from '@jest/globals';
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

it('résumé > is offered by extension and by media type', () => {
  expect(form.file?.accept?.split(',')).toEqual(
    expect.arrayContaining(['.pdf', '.docx', 'application/pdf', 'application/msword']),
  );
});

it('applicationSchema > accepts name and e-mail only', async () => {
  expect(await errorsWith({})).toBeNull();
});

it('applicationSchema > requires name and e-mail', async () => {
  expect(await errorsWith(emptyApplication)).toEqual(MISSING);
  expect(await errorsWith({ fullName: undefined, email: undefined })).toEqual(MISSING);
  for (const fullName of ['   ', '\u3164', '\u202e\u200d'])
    expect(await errorsWith({ fullName })).toEqual({ fullName: MISSING['fullName'] });
});

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
