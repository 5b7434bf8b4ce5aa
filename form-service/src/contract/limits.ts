/** The limits that both sides of a form agree on. They bound what an anonymous client may send. */

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
