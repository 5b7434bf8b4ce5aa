import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Request } from 'express';
import { ValidationError, type Schema } from 'yup';
import type { Form, FormField, FormValues } from '../contract/define-form.ts';
import {
  FORM_TOKEN_HEADER,
  HONEYPOT,
  IDEMPOTENCY_FIELD,
  IDEMPOTENCY_HEADER,
  IDEMPOTENCY_KEY_MAX_CHARS,
  IDEMPOTENCY_KEY_MIN_CHARS,
  RESUME_MEDIA_TYPES,
} from '../contract/protocol.ts';
import { messages } from '../contract/messages.ts';
import type { ResumeProblem } from '../contract/resume-file.ts';
import { identifyDocument, UnsuitableDocumentError, type Extension } from '../files/identify-document.ts';
import type { SenderFacts } from './spam-filter.service.ts';
import { fieldError, HttpError, type ErrorReason, type FieldErrors } from '../http/http-error.ts';
import type { ReceivedFile } from './file-upload.service.ts';
import type { SubmitCommand } from './intake.service.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('errors');

/** Fields and file of a submission. */
type Content = Omit<SubmitCommand['content'], 'form'>;

/** Error reasons of rejected files. Any other problem is `invalid`. */
const REASONS: { readonly [problem in ResumeProblem]?: ErrorReason } = {
  resumeTooLarge: 'too-large',
  resumeWrongType: 'wrong-type',
  resumeSaveAsPdf: 'wrong-type',
};

/**
 * Validates a body with the schema of a form. Returns the fields as the schema converts them, or the errors of each field,
 * which are empty if the body is not an object.
 */
export function validate<Fields>(schema: Schema<Fields>, body: unknown) {
  try {
    return { fields: schema.validateSync(body, { abortEarly: false }) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const errors: Record<string, string[]> = {};
    for (const { path, message } of error.inner) if (path) (errors[path] ??= []).push(message);
    return { errors };
  }
}

/** Returns the fields of a body. @throws HttpError 422 */
export function fieldsIn({ schema }: Form, body: unknown): FormValues {
  const { fields, errors } = validate(schema, body);
  if (errors) throw invalidFields(errors);
  return fields;
}

/**
 * Checks the fields and the file, and reports the errors of both, so that a visitor without JavaScript can correct
 * everything at once.
 *
 * @throws HttpError
 */
export async function contentIn(
  form: Form,
  { name: field, required }: FormField,
  body: unknown,
  file: ReceivedFile | undefined,
): Promise<Content> {
  const { fields, errors } = validate(form.schema, body);
  if (!file && required) throw invalidFields({ ...errors, [field]: [messages.required] });
  if (!file) return { fields: fieldsIn(form, body) };
  try {
    const { path, originalname, size } = file;
    const extension = await identifyDocument(path, originalname, size);
    if (!fields) throw invalidFields(errors);
    const [name, mediaType] = [safeFileName(originalname, extension), RESUME_MEDIA_TYPES[extension]];
    return { fields, upload: { path, facts: { name, mediaType, size, sha256: await sha256Of(path) } } };
  } catch (error) {
    if (!(error instanceof UnsuitableDocumentError)) throw error;
    if (errors) throw invalidFields({ ...errors, [field]: [error.message] });
    throw fieldError(REASONS[error.problem] ?? 'invalid', field, error.message);
  }
}

/** Returns the SHA-256 digest of a file in hex. */
async function sha256Of(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

/** Returns a 422 with the messages of all invalid fields. */
function invalidFields(errors: FieldErrors): HttpError {
  const sentence = Object.keys(errors).length > 0 ? words.checkForm : messages.invalidInput;
  return new HttpError('invalid', sentence, { errors });
}

/**
 * Returns the idempotency key that the browser created with the form: from the header, or from the field of a plain form.
 *
 * @throws HttpError 400 if the value is not a valid key
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get(IDEMPOTENCY_HEADER) ?? typedIn(request.body, IDEMPOTENCY_FIELD);
  if (key === undefined || key === '') return undefined;
  const [min, max] = [IDEMPOTENCY_KEY_MIN_CHARS, IDEMPOTENCY_KEY_MAX_CHARS];
  if (typeof key !== 'string' || key.length < min || key.length > max || /\p{Cc}|\p{Surrogate}/u.test(key))
    throw new HttpError('malformed', words.idempotencyKey({ min, max }));
  return key;
}

/** Returns the facts about the sender that the spam filter uses in addition to the form's fields. */
export function senderOf(request: Request, client: string): SenderFacts {
  const honeypot = typedIn(request.body, HONEYPOT);
  return {
    client,
    filledHoneypot: typeof honeypot === 'string' && honeypot.trim() !== '',
    formToken: request.get(FORM_TOKEN_HEADER) || undefined,
  };
}

/** Returns a field of an unvalidated body. */
export function typedIn(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
  return (body as Record<string, unknown>)[name];
}

/** Maximum length of a stored file name, in UTF-16 code units. */
const NAME_MAX_CHARS = 120;

/** Maximum length that is processed. File systems allow 255 characters; a hostile client can send 16,000. */
const ORIGINAL_MAX_CHARS = 1_000;

/** Control characters, bidi overrides, invisible format characters, line separators and lone surrogates. */
const INVISIBLE =
  /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\p{Surrogate}/gu;

/** Characters that are special to a file system or a shell. */
const SPECIAL = /[<>:"|?*]/g;

/**
 * Returns a file name that is safe in file systems and mail headers (path traversal, header injection), in the visitor's
 * own script. The extension is that of the content.
 */
export function safeFileName(original: string, extension: Extension): string {
  const base = original
    .slice(-ORIGINAL_MAX_CHARS)
    .replace(/^.*[/\\]/s, '')
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(SPECIAL, '_');
  const trimmed = trim(base.replace(/\.(?:pdf|docx?)\s*$/i, ''));
  // Not in the middle of a surrogate pair.
  const short = trimmed.slice(0, NAME_MAX_CHARS - extension.length).replace(/\p{Surrogate}$/u, '');
  const stem = trim(short) || 'file';
  return stem + extension;
}

function trim(name: string): string {
  // The lookbehind keeps the pattern linear: it tries each run of dots and blanks once.
  return name.replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '').replace(/\s+/g, ' ');
}
