import type { Finding } from './inspect-resume.ts';
import { scanPdf } from './pdf-scan.ts';
import { DamagedFileError, type RandomAccessFile } from './random-access-file.ts';

/** Readers look for the trailer in about this many last bytes (ISO 32000-1, 7.5.5 and Annex H). */
const TRAILER_REACH_BYTES = 2048;

/**
 * A PDF begins with its header, after a byte order mark or white space at most: readers tolerate other bytes before it,
 * and that is how a file is a program and a PDF at once.
 */
export async function inspectPdf(file: RandomAccessFile): Promise<Finding> {
  const head = (await file.head(64)).toString('latin1');
  if (!/^(?:\u00EF\u00BB\u00BF)?\s*%PDF-[12]\.\d/.test(head)) return { kind: 'other' };
  const tail = (await file.tail(TRAILER_REACH_BYTES)).toString('latin1');
  if (!tail.includes('%%EOF')) throw new DamagedFileError('no trailer');
  return { kind: 'document', warnings: await scanPdf(file) };
}
