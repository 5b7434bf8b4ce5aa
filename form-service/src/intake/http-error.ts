import { HttpException } from '@nestjs/common';
import { MulterError } from 'multer';
import { messages } from '../contract/messages.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { UnsuitableDocumentError } from '../documents/identify-document.ts';

/** The labels of errors in logs and metrics. */
export const ERROR_REASONS = [
  'malformed',
  'invalid',
  'wrong-type',
  'too-large',
  'conflict',
  'rate-limited',
  'unavailable',
  'aborted',
  'not-found',
  'method',
  'internal',
] as const;
export type ErrorReason = (typeof ERROR_REASONS)[number];

/** The messages of each field that is wrong. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

interface ErrorDetails {
  readonly errors?: FieldErrors;
  readonly retryAfterSeconds?: number;
  /** The methods that the path has, for a 405. */
  readonly allow?: string;
  readonly cause?: unknown;
}

/** The reason why a submission is not accepted: a status, a label, and one sentence that the visitor reads. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly errors: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: string | undefined;

  constructor(
    readonly status: number,
    readonly reason: ErrorReason,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.allow = details.allow;
  }

  static malformed(message: string): HttpError {
    return new HttpError(400, 'malformed', message);
  }

  static invalid(message: string, errors: FieldErrors): HttpError {
    return new HttpError(422, 'invalid', message, { errors });
  }

  static tooLarge(message: string): HttpError {
    return new HttpError(413, 'too-large', message);
  }

  static tooManyFields(): HttpError {
    return HttpError.tooLarge('The form has too many fields.');
  }

  static unsupported(message: string): HttpError {
    return new HttpError(415, 'wrong-type', message);
  }

  static aborted(): HttpError {
    return new HttpError(400, 'aborted', 'The request ended before its body did.');
  }

  static method(allow: string): HttpError {
    return new HttpError(405, 'method', `This address takes ${allow} only.`, { allow });
  }

  static rateLimited(
    retryAfterSeconds: number,
    message = 'Too many requests. Please wait a minute and try again.',
  ): HttpError {
    return new HttpError(429, 'rate-limited', message, { retryAfterSeconds });
  }

  static unavailable(cause: unknown): HttpError {
    return new HttpError(503, 'unavailable', 'We cannot take your message right now. Please try again in a minute.', {
      retryAfterSeconds: 30,
      cause,
    });
  }

  static internal(cause: unknown): HttpError {
    return new HttpError(500, 'internal', 'Something went wrong on our side. Please try again later.', { cause });
  }
}

/** The answer to any error that is thrown while a request is served. An unknown one is a bug, and a 500. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StorageUnavailableError) return HttpError.unavailable(error);
  if (error instanceof UnsuitableDocumentError) return unsuitable(error.message);
  if (error instanceof MulterError) return UPLOAD_LIMITS[error.code]?.() ?? wrongName();
  if (error instanceof HttpException && error.getStatus() < 500) {
    return error.getStatus() === 404
      ? new HttpError(404, 'not-found', 'There is nothing at this address.')
      : new HttpError(error.getStatus(), 'malformed', 'We could not read this request.');
  }
  return HttpError.internal(error);
}

const DOCUMENT_STATUS: Readonly<Record<string, readonly [status: number, reason: ErrorReason]>> = {
  [messages.resumeTooLarge]: [413, 'too-large'],
  [messages.resumeWrongType]: [415, 'wrong-type'],
  [messages.resumeSaveAsPdf]: [415, 'wrong-type'],
};

/** An error about the file names its field, so that a plain form is shown again with the message beside it. */
function unsuitable(message: string): HttpError {
  const [status, reason] = DOCUMENT_STATUS[message] ?? [422, 'invalid'];
  return new HttpError(status, reason, message, { errors: { resume: [message] } });
}

const oneFile = () => HttpError.invalid('Please attach one file.', { resume: ['Please attach one file.'] });
const wrongName = () => HttpError.malformed('We could not read this form: a field has a wrong name.');

const UPLOAD_LIMITS: Readonly<Partial<Record<string, () => HttpError>>> = {
  LIMIT_UNEXPECTED_FILE: oneFile,
  LIMIT_FILE_COUNT: oneFile,
  LIMIT_FIELD_VALUE: () => HttpError.tooLarge('One of the fields is too long. Please shorten it and send it again.'),
  LIMIT_FIELD_COUNT: HttpError.tooManyFields,
  LIMIT_PART_COUNT: HttpError.tooManyFields,
};
