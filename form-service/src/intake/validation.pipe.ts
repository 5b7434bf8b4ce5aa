import { StandardSchemaValidationPipe, type StandardSchemaValidationPipeOptions } from '@nestjs/common';
import { messages } from '../contract/messages.ts';
import { HttpError } from './http-error.ts';

type Issues = Parameters<NonNullable<StandardSchemaValidationPipeOptions['exceptionFactory']>>[0];

/** Validates `@Body({ schema })` with the form's Yup schema, and throws a 422 with the message of each field. */
export const validationPipe = new StandardSchemaValidationPipe({ exceptionFactory: errorOf });

function errorOf(issues: Issues): HttpError {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const name = path?.[0];
    if (typeof name === 'string') (errors[name] ??= []).push(message);
  }
  return HttpError.invalid(Object.keys(errors).length > 0 ? 'Please check the form.' : messages.invalidInput, errors);
}
