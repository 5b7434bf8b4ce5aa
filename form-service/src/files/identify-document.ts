import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { RESUME_MEDIA_TYPES } from '../contract/protocol.ts';
import { messages } from '../contract/messages.ts';
import { RESUME_HEAD_BYTES, resumeFormat, resumeProblem, type ResumeProblem } from '../contract/resume-file.ts';
import { DamagedFileError, identifyPackage, type PackageKind } from './word-package.ts';

export type Extension = keyof typeof RESUME_MEDIA_TYPES;

/** Bytes at each end that are read: an object of a PDF is within them, and the end of a zip, with any appended bytes. */
const ENDS_BYTES = 128 * 1024;

/** Names of streams of a Compound File ([MS-CFB]), which are in UTF-16. */
const [MAIN_STREAM, ENCRYPTED_STREAM] = ['WordDocument', 'EncryptedPackage'].map(
  (name) => new RegExp([...name].join('\\0'), 'i'),
) as [RegExp, RegExp];
const NAME_MAX_BYTES = 64;

/** The file cannot be accepted as a résumé. The message is for the visitor. */
export class UnsuitableDocumentError extends Error {
  override readonly name = 'UnsuitableDocumentError';

  constructor(
    readonly problem: ResumeProblem,
    options?: ErrorOptions,
  ) {
    super(messages[problem], options);
  }
}

/**
 * Identifies a file by its contents, not by its name or declared type. Reads as little as possible, because the visitor
 * waits.
 *
 * @returns the extension that the file should have
 * @throws UnsuitableDocumentError
 */
export async function identifyDocument(path: string, name: string, size: number): Promise<Extension> {
  const handle = await open(path, 'r');
  try {
    return await identify(path, name, size, await endsOf(handle, size));
  } catch (error) {
    // Any other error here, also of yauzl, zlib and Buffer, is caused by the contents of the file.
    if (error instanceof UnsuitableDocumentError || isOfDisk(error)) throw error;
    throw new UnsuitableDocumentError('resumeDamaged', { cause: error });
  } finally {
    await handle.close();
  }
}

/** Reads the bytes at the beginning and at the end of a file. */
async function endsOf(handle: FileHandle, size: number): Promise<readonly [head: Buffer, tail: Buffer]> {
  const length = Math.min(ENDS_BYTES, size);
  const read = (at: number) => handle.read(Buffer.alloc(length), 0, length, at);
  return [(await read(0)).buffer, (await read(size - length)).buffer];
}

/** Whether the operating system failed. Codes with `ERR_` are Node.js's own. */
function isOfDisk(error: unknown): boolean {
  return /^E(?!RR_)/.test((error as NodeJS.ErrnoException).code ?? '');
}

async function identify(
  path: string,
  name: string,
  size: number,
  [head, tail]: readonly [Buffer, Buffer],
): Promise<Extension> {
  const problem = resumeProblem({ name, size }, head.subarray(0, RESUME_HEAD_BYTES));
  if (problem) throw new UnsuitableDocumentError(problem);
  switch (resumeFormat(head)) {
    case 'pdf':
      // Accepts encrypted PDFs too: only decryption would show whether they open without a password.
      if (![head, tail].some((end) => /\d\s+obj\b/.test(end.toString('latin1'))))
        throw new DamagedFileError('no object');
      return '.pdf';
    case 'zip':
      return extensionOf(await identifyPackage(path, tail, size));
    case 'compound':
      return identifyCompound(path);
    default:
      // Rich text or Word's own XML, which Word opens with the extension .doc.
      return '.doc';
  }
}

function extensionOf(kind: PackageKind): Extension {
  if (kind === 'word') return '.docx';
  if (kind === 'password') throw new UnsuitableDocumentError('resumeHasPassword');
  throw new UnsuitableDocumentError(kind === 'open document' ? 'resumeSaveAsPdf' : 'resumeWrongType');
}

/** Searches for the names of streams. A workbook in which a Word document is embedded passes as well. */
async function identifyCompound(path: string): Promise<Extension> {
  let [isEncrypted, rest] = [false, ''];
  for await (const chunk of createReadStream(path, 'latin1')) {
    const text = rest + String(chunk);
    if (MAIN_STREAM.test(text)) return '.doc';
    // Word wraps a .docx with a password into a Compound File ([MS-OFFCRYPTO] 2.3).
    isEncrypted ||= ENCRYPTED_STREAM.test(text);
    rest = text.slice(-NAME_MAX_BYTES);
  }
  throw new UnsuitableDocumentError(isEncrypted ? 'resumeHasPassword' : 'resumeWrongType');
}
