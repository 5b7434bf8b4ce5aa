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
import type { Sender } from '../spam/spam-filter.service.ts';
import { HttpError, type FieldErrors } from './http-error.ts';

/** The fields of a form as its schema gives them, or what is wrong with each. */
export type Validated<Fields> =
  | { readonly fields: Fields; readonly errors?: undefined }
  | { readonly fields?: undefined; readonly errors: FieldErrors };

/** Validates a body with a form's schema. `errors` is empty where the body is no form at all. */
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

/** The 422 with the messages of all fields that are wrong. */
export function invalidFields(errors: FieldErrors): HttpError {
  const sentence = Object.keys(errors).length > 0 ? 'Please check the form.' : messages.invalidInput;
  return new HttpError('invalid', sentence, { errors });
}

/**
 * The idempotency key that the browser made when the form was first shown: from the header, or from the field of a
 * plain form.
 *
 * @throws HttpError 400 when the value cannot be a key
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get(IDEMPOTENCY_HEADER) ?? valueOf(request.body, IDEMPOTENCY_FIELD);
  if (key === undefined || key === '') return undefined;
  if (
    typeof key !== 'string' ||
    key.length < IDEMPOTENCY_KEY_MIN_CHARS ||
    key.length > IDEMPOTENCY_KEY_MAX_CHARS ||
    /\p{Cc}|\p{Surrogate}/u.test(key)
  ) {
    throw new HttpError(
      'malformed',
      `The idempotency key must have ${IDEMPOTENCY_KEY_MIN_CHARS} to ${IDEMPOTENCY_KEY_MAX_CHARS} characters and no control characters.`,
    );
  }
  return key;
}

/** What the spam filter reads of a request beside the form's fields. */
export function senderOf(request: Request, client: string): Sender {
  const honeypot = valueOf(request.body, HONEYPOT.name);
  return {
    client,
    filledHoneypot: typeof honeypot === 'string' && honeypot.trim() !== '',
    formToken: request.get(FORM_TOKEN_HEADER) || undefined,
  };
}

/** A field of a body as it came, which may be anything. */
export function valueOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
  return (body as Record<string, unknown>)[name];
}
