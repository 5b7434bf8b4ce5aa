/** The header with the browser's idempotency key. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** The field with the idempotency key when a plain HTML form posts. */
export const IDEMPOTENCY_FIELD = 'idempotencyKey';

/**
 * The JSON answer to an accepted submission, which is stored durably and will be delivered whatever fails afterwards.
 */
export interface Accepted {
  readonly success: true;
  readonly message: string;
  /** The reference of the submission, for example `KW-3F9K-Q7TM-X2VD-8HNC`; it is in the e-mail too. */
  readonly reference: string;
}

/** The JSON answer to any other request. */
export interface Refused {
  readonly success: false;
  /** One sentence that a person can read. */
  readonly message: string;
  /** With status 422, the message of each field that is wrong. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}
