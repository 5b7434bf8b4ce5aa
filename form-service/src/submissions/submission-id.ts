import { hash } from 'node:crypto';

/** Crockford's Base32: without I, L, O and U, so that a reference can be read out and typed. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PATTERN = /^KW(?:-[0-9A-HJKMNP-TV-Z]{4}){4}$/;

/** Returns the reference of an idempotency key, so that a retry finds its submission without an index: 80 bits, `KW-3F9K-Q7TM-X2VD-8HNC`. */
export function keyedSubmissionId(form: string, idempotencyKey: string): string {
  return format(hash('sha256', `${form}:${idempotencyKey}`, 'buffer'));
}

/** Whether a text is a reference. Only a reference may become part of a path (path traversal). */
export function isSubmissionId(text: string): boolean {
  return PATTERN.test(text);
}

/** Formats the first 80 bits, five per character. */
function format(bytes: Buffer): string {
  let id = '';
  let bits = 0;
  let count = 0;
  for (const byte of bytes.subarray(0, 10)) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; count -= 5) id += ALPHABET[(bits >> (count - 5)) & 31];
    bits &= (1 << count) - 1;
  }
  return `KW-${id.slice(0, 4)}-${id.slice(4, 8)}-${id.slice(8, 12)}-${id.slice(12)}`;
}
