import { HttpException } from '@nestjs/common';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('errors');

/** HTTP status by error reason. The reasons are also labels in logs and metrics. */
const STATUS = {
  malformed: 400,
  aborted: 400,
  forbidden: 403,
  'not-found': 404,
  method: 405,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  invalid: 422,
  'rate-limited': 429,
  internal: 500,
  unavailable: 503,
} as const;
export type ErrorReason = keyof typeof STATUS;
export const ERROR_REASONS = Object.keys(STATUS) as ErrorReason[];

/** Messages by invalid field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

interface ErrorDetails {
  readonly errors?: FieldErrors;
  readonly retryAfterSeconds?: number;
  /** Further headers of the response, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error for the client: the reason, and a sentence for the reader. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(
    readonly reason: ErrorReason,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.status = STATUS[reason];
  }
}

/** Returns an error about a field. A plain form shows the message next to it. */
export const fieldError = (reason: ErrorReason, field: string, message: string) =>
  new HttpError(reason, message, { errors: { [field]: [message] } });

export const tooManyFields = () => new HttpError('too-large', words.tooManyFields);

export const notFound = () => new HttpError('not-found', words.notFound);

export const aborted = () => new HttpError('aborted', words.aborted);

/** Converts any thrown value. An unknown error is a bug and becomes a 500. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StorageUnavailableError)
    return new HttpError('unavailable', words.unavailable, { retryAfterSeconds: 30, cause: error });
  if (error instanceof HttpException && error.getStatus() === 404) return notFound();
  if (error instanceof HttpException && error.getStatus() < 500) return new HttpError('malformed', words.unreadable);
  return new HttpError('internal', words.internal, { cause: error });
}
