import { brotliDecompressSync, constants } from 'node:zlib';

/** End of the first section of a page, which is the first screen together with the top bar. */
const FIRST_SECTION_END = /(?<=<main.*?<\/section>)/s;

/** Initial congestion window (RFC 6928): ten segments of 1,460 bytes, less two TLS records. */
const FIRST_ROUND_TRIP_BYTES = 14_600 - 2 * 22;

/** Maximum size of a page's headers over HTTP/1.1, checked by e2e/routing.spec.ts. */
export const HEADER_BYTES = 1_098;

/** Number of bytes of a compressed page that arrive in the first round trip. */
export const FIRST_BYTES = FIRST_ROUND_TRIP_BYTES - HEADER_BYTES;

/**
 * Returns the number of compressed bytes after which the browser has the page's first section: the shortest beginning
 * of the brotli stream from which a decoder gets the section's last byte.
 *
 * @param sent the brotli copy
 */
export function firstSectionBytes(html: string, sent: Buffer): number {
  const [first = ''] = html.split(FIRST_SECTION_END);
  const end = Buffer.byteLength(first);
  let [tooFew, enough] = [0, sent.length];
  while (enough - tooFew > 1) {
    const half = (tooFew + enough) >> 1;
    if (decoded(sent.subarray(0, half)) < end) tooFew = half;
    else enough = half;
  }
  return enough;
}

/** Returns the number of bytes that a decoder gets from the beginning of a stream. */
const decoded = (beginning: Buffer) =>
  brotliDecompressSync(beginning, { finishFlush: constants.BROTLI_OPERATION_FLUSH }).length;
