/** Protocol between the forms and the service: paths, limits, headers and responses. */

/** Maximum size of a résumé in bytes, inclusive. */
export const RESUME_MAX_BYTES = 10 * 1024 * 1024;

/** Accepted file extensions, in the order of the hint, and their media types. */
export const RESUME_MEDIA_TYPES = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const;

/** Maximum length of a one-line field, in characters. */
export const LINE_MAX_CHARS = 200;

/** Maximum length of an e-mail address (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX_CHARS = 254;

/** Maximum length of a message or cover letter, in characters. */
export const TEXT_MAX_CHARS = 10_000;

/**
 * Length of an idempotency key in characters. Browsers send a UUID (36). Keys are not bound to a client, so the minimum
 * excludes counters such as `order-0001`, which two clients could share.
 */
export const IDEMPOTENCY_KEY_MIN_CHARS = 16;
export const IDEMPOTENCY_KEY_MAX_CHARS = 200;

/** Header with the idempotency key of a script. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** Field with the idempotency key of a form without JavaScript. */
export const IDEMPOTENCY_FIELD = 'idempotencyKey';

/**
 * Name of the honeypot: a field that people neither see nor reach, and that spam bots fill in. Neither the name nor its
 * label resembles what browsers or password managers fill in.
 */
export const HONEYPOT = 'topicNote';

/** Path of the form token, which the script requests at the visitor's first interaction. */
export const FORM_TOKEN_PATH = '/api/form-token';

/** Header in which a submission returns the {@link FormTokenAnswer.token}. */
export const FORM_TOKEN_HEADER = 'Form-Token';

/** Response with a form token. Submissions without a token are accepted as well. */
export interface FormTokenAnswer {
  /** Signed time of the first interaction with the form. */
  readonly token?: string;
}

/** JSON response to an accepted submission. It is stored durably and will be delivered despite later failures. */
export interface AcceptedAnswer {
  readonly success: true;
  readonly message: string;
  /** Reference of the submission, for example `KW-3F9K-Q7TM-X2VD-8HNC`. The e-mail contains it as well. */
  readonly reference: string;
}

/** JSON response to any other request. */
export interface ErrorAnswer {
  readonly success: false;
  /** One sentence for the visitor. */
  readonly message: string;
  /** Messages by field, with status 422. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}
