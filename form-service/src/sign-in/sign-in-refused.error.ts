import { HttpError } from '../http/http-error.ts';

interface Refusal {
  /** Error code of the OpenID Connect library. */
  readonly code?: string | undefined;
  /** Whether another account at the provider may be accepted. */
  readonly isWrongAccount?: boolean;
  /** Path of the page that the user wanted. */
  readonly to?: string;
}

/** A refused sign-in: a sentence for the user, and the reason for the log, which names no person. */
export class SignInRefusedError extends HttpError {
  constructor(
    readonly why: string,
    sentence: string,
    readonly refusal: Refusal = {},
  ) {
    super('forbidden', sentence);
  }
}
