/**
 * The figures both sides of a form agree on. Where the specification names one, its section is given; the others bound
 * what an anonymous client may send.
 */

/** Largest résumé accepted, in bytes: exactly 10 MiB passes, one byte more does not (spec 5 and 9). */
export const RESUME_MAX_BYTES = 10 * 1024 * 1024;

/** Extensions the file picker offers and the server accepts, in the order of the hint (spec 5). */
export const RESUME_EXTENSIONS = ['.pdf', '.doc', '.docx'] as const;

/** Media types that go with {@link RESUME_EXTENSIONS}, by extension (spec 5). */
export const RESUME_MEDIA_TYPES = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const satisfies Record<(typeof RESUME_EXTENSIONS)[number], string>;

/** Longest value of a one-line field, in characters. */
export const LINE_MAX_CHARS = 200;

/** Longest e-mail address, in characters (RFC 5321, 4.5.3.1.3, less the angle brackets). */
export const EMAIL_MAX_CHARS = 254;

/** Longest enquiry message or cover letter, in characters. */
export const TEXT_MAX_CHARS = 10_000;

/** Lengths an idempotency key may have, in characters; a browser sends a UUID (36). */
export const IDEMPOTENCY_KEY_MIN_CHARS = 8;
export const IDEMPOTENCY_KEY_MAX_CHARS = 200;
