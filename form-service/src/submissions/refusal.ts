/** Labels of refusals in logs and metrics. */
export const REFUSAL_REASONS = [
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
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

interface RefusalDetails {
  /** What is wrong, by field. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterSeconds?: number;
  /** Methods that the path has, for a 405. */
  readonly allow?: string;
  readonly cause?: unknown;
}

/** A submission is not accepted, and why: status, a label, and one sentence that the visitor reads. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly errors: Readonly<Record<string, readonly string[]>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: string | undefined;

  constructor(
    readonly status: number,
    readonly reason: RefusalReason,
    message: string,
    details: RefusalDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.allow = details.allow;
  }

  static malformed(message: string): Refusal {
    return new Refusal(400, 'malformed', message);
  }

  static invalid(message: string, errors: Readonly<Record<string, readonly string[]>>): Refusal {
    return new Refusal(422, 'invalid', message, { errors });
  }

  static tooLarge(message: string): Refusal {
    return new Refusal(413, 'too-large', message);
  }

  static unsupported(message: string): Refusal {
    return new Refusal(415, 'wrong-type', message);
  }

  static method(allow: string): Refusal {
    return new Refusal(405, 'method', `This address takes ${allow} only.`, { allow });
  }

  static rateLimited(retryAfterSeconds: number): Refusal {
    return new Refusal(429, 'rate-limited', 'Too many requests. Please wait a minute and try again.', { retryAfterSeconds });
  }

  static unavailable(cause: unknown): Refusal {
    return new Refusal(503, 'unavailable', 'We cannot take your message right now. Please try again in a minute.', {
      retryAfterSeconds: 30,
      cause,
    });
  }

  static internal(cause: unknown): Refusal {
    return new Refusal(500, 'internal', 'Something went wrong on our side. Please try again later.', { cause });
  }
}
