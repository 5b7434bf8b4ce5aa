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

interface ErrorDetails {
  /** The message of each field that is wrong. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterSeconds?: number;
  /** The methods that the path has, for a 405. */
  readonly allow?: string;
  readonly cause?: unknown;
}

/** The reason why a submission is not accepted: a status, a label, and one sentence that the visitor reads. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly errors: Readonly<Record<string, readonly string[]>> | undefined;
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

  static invalid(message: string, errors: Readonly<Record<string, readonly string[]>>): HttpError {
    return new HttpError(422, 'invalid', message, { errors });
  }

  static tooLarge(message: string): HttpError {
    return new HttpError(413, 'too-large', message);
  }

  static unsupported(message: string): HttpError {
    return new HttpError(415, 'wrong-type', message);
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
