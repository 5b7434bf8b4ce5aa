import type { Request } from 'express';
import { ValidationError, type Schema } from 'yup';
import {
  FORM_TOKEN_HEADER,
  HONEYPOT,
  IDEMPOTENCY_FIELD,
  IDEMPOTENCY_HEADER,
  IDEMPOTENCY_KEY_MAX_CHARS,
  IDEMPOTENCY_KEY_MIN_CHARS,
} from '../contract/protocol.ts';
import { messages } from '../contract/messages.ts';
import type { SenderFacts } from '../spam/spam-filter.service.ts';
import { HttpError, type ErrorReason, type FieldErrors } from '../http/http-error.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('errors');

/** Fields as the schema converts them, or the errors of each field. */
export type Validated<Fields> =
  | { readonly fields: Fields; readonly errors?: undefined }
  | { readonly fields?: undefined; readonly errors: FieldErrors };

/** Validates a body with the schema of a form. `errors` is empty if the body is not an object. */
export function validate<Fields>(schema: Schema<Fields>, body: unknown): Validated<Fields> {
  try {
    return { fields: schema.validateSync(body, { abortEarly: false }) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const errors: Record<string, string[]> = {};
    for (const { path, message } of error.inner) if (path) (errors[path] ??= []).push(message);
    return { errors };
  }
}

/** Returns a 422 with the messages of all invalid fields. */
export function invalidFields(errors: FieldErrors): HttpError {
  const sentence = Object.keys(errors).length > 0 ? words.checkForm : messages.invalidInput;
  return new HttpError('invalid', sentence, { errors });
}

/** Returns an error about the file. It names the field, so that a plain form shows the message next to it. */
export function fileError(reason: ErrorReason, message: string, field: string): HttpError {
  return new HttpError(reason, message, { errors: { [field]: [message] } });
}

/**
 * Returns the idempotency key that the browser created with the form: from the header, or from the field of a plain form.
 *
 * @throws HttpError 400 if the value is not a valid key
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get(IDEMPOTENCY_HEADER) ?? typedIn(request.body, IDEMPOTENCY_FIELD);
  if (key === undefined || key === '') return undefined;
  if (
    typeof key !== 'string' ||
    key.length < IDEMPOTENCY_KEY_MIN_CHARS ||
    key.length > IDEMPOTENCY_KEY_MAX_CHARS ||
    /\p{Cc}|\p{Surrogate}/u.test(key)
  ) {
    throw new HttpError(
      'malformed',
      words.idempotencyKey({ min: IDEMPOTENCY_KEY_MIN_CHARS, max: IDEMPOTENCY_KEY_MAX_CHARS }),
    );
  }
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
