/** What both sides of a form agree on beside its fields: limits, headers, and the answers. */

/** The largest accepted résumé in bytes: exactly 10 MiB passes, one byte more does not. */
export const RESUME_MAX_BYTES = 10 * 1024 * 1024;

/** The extensions that the file picker offers and the server accepts, in the order of the hint. */
export const RESUME_EXTENSIONS = ['.pdf', '.doc', '.docx'] as const;

/** The media types of {@link RESUME_EXTENSIONS}, by extension. */
export const RESUME_MEDIA_TYPES = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const satisfies Record<(typeof RESUME_EXTENSIONS)[number], string>;

/** The longest value of a one-line field, in characters. */
export const LINE_MAX_CHARS = 200;

/** The longest e-mail address, in characters (RFC 5321, 4.5.3.1.3, less the angle brackets). */
export const EMAIL_MAX_CHARS = 254;

/** The longest enquiry message or cover letter, in characters. */
export const TEXT_MAX_CHARS = 10_000;

/** The lengths that an idempotency key may have, in characters; a browser sends a UUID (36). */
export const IDEMPOTENCY_KEY_MIN_CHARS = 8;
export const IDEMPOTENCY_KEY_MAX_CHARS = 200;

/** The header with the browser's idempotency key. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** The field with the idempotency key when a plain HTML form posts. */
export const IDEMPOTENCY_FIELD = 'idempotencyKey';

/**
 * A field that people neither see nor reach, and that programs which fill every field betray themselves by. Its name
 * and label resemble nothing that browsers or password managers fill in.
 */
export const HONEYPOT = { name: 'topicNote', label: 'Leave this field empty' } as const;

/** The address that a form's script asks for a token when a visitor first touches the form. */
export const FORM_TOKEN_PATH = '/api/form-token';

/** The header in which a submission returns the {@link FormTokenAnswer.token}. */
export const FORM_TOKEN_HEADER = 'Form-Token';

/** The answer of that address. A submission is accepted without a token too. */
export interface FormTokenAnswer {
  /** The signed time at which the form was first touched. */
  readonly token?: string;
}

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
