import { HttpException } from '@nestjs/common';
import { MulterError } from 'multer';
import { messages } from '../contract/messages.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { UnsuitableDocumentError } from '../documents/identify-document.ts';

/** The status of each reason for which a request is refused. The reasons are labels in logs and metrics too. */
const STATUS = {
  malformed: 400,
  invalid: 422,
  'wrong-type': 415,
  'too-large': 413,
  conflict: 409,
  'rate-limited': 429,
  unavailable: 503,
  aborted: 400,
  'not-found': 404,
  method: 405,
  internal: 500,
} as const;
export type ErrorReason = keyof typeof STATUS;
export const ERROR_REASONS = Object.keys(STATUS) as ErrorReason[];

/** The messages of each field that is wrong. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

interface ErrorDetails {
  readonly errors?: FieldErrors;
  readonly retryAfterSeconds?: number;
  /** The methods that the path has, for a 405. */
  readonly allow?: string;
  readonly cause?: unknown;
}

/** The reason why a submission is not accepted, and one sentence that the visitor reads. */
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

export const tooManyFields = () => new HttpError('too-large', 'The form has too many fields.');

export const aborted = () => new HttpError('aborted', 'The request ended before its body did.');

/** The answer to any error that is thrown while a request is served. An unknown one is a bug, and a 500. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StorageUnavailableError) {
    const sentence = 'We cannot take your message right now. Please try again in a minute.';
    return new HttpError('unavailable', sentence, { retryAfterSeconds: 30, cause: error });
  }
  if (error instanceof UnsuitableDocumentError) return fileError(REFUSED_FILES[error.message], error.message);
  if (error instanceof MulterError) return uploadLimitError(error);
  if (error instanceof HttpException && error.getStatus() === 404)
    return new HttpError('not-found', 'There is nothing at this address.');
  if (error instanceof HttpException && error.getStatus() < 500)
    return new HttpError('malformed', 'We could not read this request.');
  return new HttpError('internal', 'Something went wrong on our side. Please try again later.', { cause: error });
}

const REFUSED_FILES: Readonly<Record<string, ErrorReason>> = {
  [messages.resumeTooLarge]: 'too-large',
  [messages.resumeWrongType]: 'wrong-type',
  [messages.resumeSaveAsPdf]: 'wrong-type',
};

/** An error about the file names its field, so that a plain form is shown again with the message beside it. */
function fileError(reason: ErrorReason = 'invalid', message: string): HttpError {
  return new HttpError(reason, message, { errors: { resume: [message] } });
}

function uploadLimitError({ code }: MulterError): HttpError {
  switch (code) {
    case 'LIMIT_UNEXPECTED_FILE':
    case 'LIMIT_FILE_COUNT':
      return fileError('invalid', 'Please attach one file.');
    case 'LIMIT_FILE_SIZE':
      return fileError('too-large', messages.resumeTooLarge);
    case 'LIMIT_FIELD_VALUE':
      return new HttpError('too-large', 'One of the fields is too long. Please shorten it and send it again.');
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_PART_COUNT':
      return tooManyFields();
    default:
      return new HttpError('malformed', 'We could not read this form: a field has a wrong name.');
  }
}
