import { open } from 'node:fs/promises';
import { RESUME_MEDIA_TYPES } from '../../contract/limits.ts';
import { extensionOf } from '../../intake/upload/file-name.ts';
import { damaged, passwordProtected, tooLarge, unusable, wrongType } from './file-refusal.ts';
import { DamagedFileError, RandomAccessFile } from './random-access-file.ts';
import { inspectPdf } from './pdf.ts';
import { inspectWordBinary } from './word-binary.ts';
import { inspectWordOpenXml } from './word-open-xml.ts';

type Extension = keyof typeof RESUME_MEDIA_TYPES;

/** What an inspector finds: what kind of file it really is, and whether it can be used. */
export type Finding =
  | { readonly kind: 'document'; readonly warnings: readonly string[] }
  | { readonly kind: 'other' }
  | { readonly kind: 'password' };

export interface InspectedResume {
  readonly extension: Extension;
  readonly mediaType: string;
  readonly warnings: readonly string[];
}

const INSPECTORS: Readonly<Record<Extension, (file: RandomAccessFile) => Promise<Finding>>> = {
  '.pdf': inspectPdf,
  '.doc': inspectWordBinary,
  '.docx': inspectWordOpenXml,
};

/** What a browser declares when it does not know the type: no statement, so nothing to disagree with. */
const NO_STATEMENT = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/**
 * Judges an uploaded file by what it is: extension, declared type and content must agree.
 *
 * @throws Refusal 413 too large, 415 another kind of file, 422 empty, damaged or protected
 */
export async function inspectResume(upload: { path: string; size: number; tooLarge: boolean; originalname: string; mimetype: string }): Promise<InspectedResume> {
  if (upload.tooLarge) throw tooLarge();
  const extension = extensionOf(upload.originalname);
  if (!isExtension(extension)) throw wrongType();
  const mediaType = RESUME_MEDIA_TYPES[extension];
  const declared = upload.mimetype.toLowerCase();
  if (declared !== mediaType && !NO_STATEMENT.has(declared)) throw wrongType();
  if (upload.size === 0) throw unusable('The file is empty.');
  const finding = await inspect(upload.path, upload.size, INSPECTORS[extension]);
  if (finding.kind === 'other') throw wrongType();
  if (finding.kind === 'password') throw passwordProtected();
  return { extension, mediaType, warnings: finding.warnings };
}

async function inspect(path: string, size: number, inspector: (file: RandomAccessFile) => Promise<Finding>): Promise<Finding> {
  const handle = await open(path, 'r');
  try {
    return await inspector(new RandomAccessFile(handle, path, size));
  } catch (error) {
    throw error instanceof DamagedFileError ? damaged() : error;
  } finally {
    await handle.close();
  }
}

function isExtension(text: string): text is Extension {
  return Object.hasOwn(RESUME_MEDIA_TYPES, text);
}
