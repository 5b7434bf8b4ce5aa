/** Header that carries the browser's idempotency key. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** Field that carries it when a plain HTML form posts. */
export const IDEMPOTENCY_FIELD = 'idempotencyKey';

/** The JSON answer to a submission that was accepted: stored durably, and delivered whatever fails afterwards. */
export interface Accepted {
  readonly success: true;
  readonly message: string;
  /** Public name of the submission, for example `KW-3F9K-Q7TM-X2VD-8HNC`; also in the e-mail. */
  readonly reference: string;
}

/** The JSON answer to anything else. */
export interface Refused {
  readonly success: false;
  /** One sentence a person can read. */
  readonly message: string;
  /** On 422: what is wrong, by field. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}
