import { open } from 'node:fs/promises';
import type { RESUME_EXTENSIONS } from '../contract/protocol.ts';
import { messages } from '../contract/messages.ts';
import { RESUME_HEAD_BYTES, resumeFormat, resumeProblem } from '../contract/resume-file.ts';
import { rootStreams } from './compound-file.ts';
import { DamagedFileError, RandomAccessFile } from './random-access-file.ts';
import { identifyPackage } from './word-package.ts';

export type Extension = (typeof RESUME_EXTENSIONS)[number];

/** A PDF has an object within so many first or last bytes. */
const OBJECT_WITHIN_BYTES = 64 * 1024;

/**
 * The first bytes of Word's main stream ([MS-DOC] 2.5.2): since Word 97, in Word 6 and 95, and in its East Asian
 * editions.
 */
const WORD_MARKS = new Set([0xa5ec, 0xa5dc, 0xa697, 0xa698, 0xa699]);
const ENCRYPTED_FLAG = 0x0100;

/** A file cannot be accepted as a résumé; the message is for the visitor. */
export class UnsuitableDocumentError extends Error {
  override readonly name = 'UnsuitableDocumentError';
}

/**
 * Identifies a file by its contents, whatever its name or declared type, and returns the extension that it should have.
 * It reads only what is needed to decide, since the visitor waits.
 *
 * @throws UnsuitableDocumentError
 */
export async function identifyDocument(path: string, name: string, size: number): Promise<Extension> {
  const handle = await open(path, 'r');
  try {
    return await identify(new RandomAccessFile(handle, path, size), name);
  } catch (error) {
    // Whatever else is thrown here, also by yauzl, zlib and Buffer, is about what the file says.
    if (error instanceof UnsuitableDocumentError || isOfDisk(error)) throw error;
    throw new UnsuitableDocumentError(messages.resumeDamaged, { cause: error });
  } finally {
    await handle.close();
  }
}

/** Whether the operating system failed. A code that begins with `ERR_` is Node.js's own. */
function isOfDisk(error: unknown): boolean {
  return /^E(?!RR_)/.test((error as NodeJS.ErrnoException).code ?? '');
}

async function identify(file: RandomAccessFile, name: string): Promise<Extension> {
  const head = await file.readUpTo(0, RESUME_HEAD_BYTES);
  const problem = resumeProblem({ name, size: file.size }, head);
  if (problem) throw new UnsuitableDocumentError(problem);
  switch (resumeFormat(head)) {
    case 'pdf':
      return identifyPdf(file);
    case 'zip':
      return identifyZip(file);
    case 'compound':
      return identifyCompound(file);
    default:
      // This is rich text or Word's own XML, which Word opens under the extension .doc.
      return '.doc';
  }
}

/** A PDF is taken with a password too: whether it opens without one is not to be seen without its cryptography. */
async function identifyPdf(file: RandomAccessFile): Promise<Extension> {
  const ends = [
    await file.readUpTo(0, OBJECT_WITHIN_BYTES),
    await file.readUpTo(file.size - OBJECT_WITHIN_BYTES, OBJECT_WITHIN_BYTES),
  ];
  if (!ends.some((end) => /\d\s+obj\b/.test(end.toString('latin1')))) throw new DamagedFileError('no object');
  return '.pdf';
}

async function identifyZip(file: RandomAccessFile): Promise<Extension> {
  const kind = await identifyPackage(file);
  if (kind === 'word') return '.docx';
  if (kind === 'password') throw new UnsuitableDocumentError(messages.resumeHasPassword);
  throw new UnsuitableDocumentError(kind === 'open document' ? messages.resumeSaveAsPdf : messages.resumeWrongType);
}

async function identifyCompound(file: RandomAccessFile): Promise<Extension> {
  const streams = await rootStreams(file);
  // Word wraps a .docx with a password into a Compound File ([MS-OFFCRYPTO] 2.3).
  if (streams.has('encryptedpackage')) throw new UnsuitableDocumentError(messages.resumeHasPassword);
  const main = streams.get('worddocument');
  if (!main) throw new UnsuitableDocumentError(messages.resumeWrongType);
  const head = await main(12);
  if (!head) return '.doc';
  if (!WORD_MARKS.has(head.readUInt16LE(0))) throw new DamagedFileError('no Word mark');
  if (head.readUInt16LE(10) & ENCRYPTED_FLAG) throw new UnsuitableDocumentError(messages.resumeHasPassword);
  return '.doc';
}
