import type { Request } from 'express';
import { IDEMPOTENCY_FIELD, IDEMPOTENCY_HEADER } from '../contract/answer.ts';
import { IDEMPOTENCY_KEY_MAX_CHARS, IDEMPOTENCY_KEY_MIN_CHARS } from '../contract/limits.ts';
import { HttpError } from './http-error.ts';

/**
 * The idempotency key that the browser made when the form was first shown: from the header, or from the field of a
 * plain form.
 *
 * @throws HttpError 400 when the value cannot be a key
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const body = request.body as Readonly<Record<string, unknown>> | undefined;
  const field = body && Object.hasOwn(body, IDEMPOTENCY_FIELD) ? body[IDEMPOTENCY_FIELD] : undefined;
  const key = request.get(IDEMPOTENCY_HEADER) ?? field;
  if (key === undefined || key === '') return undefined;
  if (
    typeof key !== 'string' ||
    key.length < IDEMPOTENCY_KEY_MIN_CHARS ||
    key.length > IDEMPOTENCY_KEY_MAX_CHARS ||
    /\p{Cc}|\p{Surrogate}/u.test(key)
  ) {
    throw HttpError.malformed(
      `The idempotency key must have ${IDEMPOTENCY_KEY_MIN_CHARS} to ${IDEMPOTENCY_KEY_MAX_CHARS} characters and no control characters.`,
    );
  }
  return key;
}
