import { brotliDecompressSync, constants } from 'node:zlib';
import { reminder, type Finding } from './content/findings.ts';
import { splitPage } from './page-styles.ts';

/** Initial congestion window (RFC 6928): ten segments of 1,460 bytes, less two TLS records. */
const FIRST_ROUND_TRIP_BYTES = 14_600 - 2 * 22;

/** Maximum size of a page's headers over HTTP/1.1, checked by e2e/routing.spec.ts. */
export const HEADER_BYTES = 1_235;

/** Number of bytes of a compressed page that arrive in the first round trip. */
export const FIRST_BYTES = FIRST_ROUND_TRIP_BYTES - HEADER_BYTES;

/** A page as it is sent. */
export interface SentPage {
  /** Content file. */
  readonly file: string;
  readonly html: string;
  /** The brotli copy. */
  readonly sent: Buffer;
}

/**
 * Returns the number of compressed bytes after which the browser has the page's first section: the shortest beginning
 * of the brotli stream from which a decoder gets the section's last byte.
 */
export function firstSectionBytes({ html, sent }: Pick<SentPage, 'html' | 'sent'>): number {
  const end = Buffer.byteLength(splitPage(html)[0]);
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

/** Reminds writers of pages that do not arrive in the first round trip. A long text is no mistake. */
export const lengthReminders = (pages: readonly SentPage[]): readonly Finding[] =>
  pages.flatMap((page) => {
    const over = firstSectionBytes(page) - FIRST_BYTES;
    if (over > 0)
      return [
        reminder(
          page.file,
          1,
          `the first screen is ${over} bytes too long to arrive at once, so visitors see it later: shorten its texts, or those of the menu`,
        ),
      ];
    const rest = page.sent.length - FIRST_BYTES;
    return rest > 0
      ? [
          reminder(
            page.file,
            1,
            `is long: compressed, its last ${rest} bytes arrive later than the rest. The first screen is not affected`,
          ),
        ]
      : [];
  });
