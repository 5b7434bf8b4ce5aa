import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base32: no I, L, O or U, so that a reference can be read out and typed. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PATTERN = /^KW(?:-[0-9A-HJKMNP-TV-Z]{4}){4}$/;

/** A new reference of 80 random bits, for example `KW-3F9K-Q7TM-X2VD-8HNC`. */
export function randomSubmissionId(): string {
  return format(randomBytes(10));
}

/** The reference that belongs to an idempotency key, so that a repeat finds its submission without an index. */
export function keyedSubmissionId(form: string, idempotencyKey: string): string {
  return format(createHash('sha256').update(`${form}:${idempotencyKey}`).digest());
}

/** Whether a text is a reference; only such a text may become part of a path. */
export function isSubmissionId(text: string): boolean {
  return PATTERN.test(text);
}

/** Two hex digits that spread ids over 256 folders. */
export function shardOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 2);
}

function format(bytes: Buffer): string {
  let id = 'KW';
  let bits = 0n;
  for (const byte of bytes.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte);
  for (let char = 15; char >= 0; char--) {
    if (char % 4 === 3) id += '-';
    id += ALPHABET[Number((bits >> BigInt(char * 5)) & 31n)];
  }
  return id;
}
