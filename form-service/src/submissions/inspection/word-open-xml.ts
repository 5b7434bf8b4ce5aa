import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { CompoundFile } from './compound-file.ts';
import type { Finding } from './inspect-resume.ts';
import { DamagedFileError, type RandomAccessFile } from './random-access-file.ts';
import { MACROS } from './warnings.ts';

const LOCAL_HEADER = Buffer.from('504b0304', 'hex');
const CONTENT_TYPES = '[Content_Types].xml';
const MAIN_PART = 'word/document.xml';
const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const MACRO_WORD_TYPE = 'application/vnd.ms-word.document.macroenabled.main+xml';

/** Bounds of an honest résumé, far above any; what passes them is made to fill somebody's memory or disk. */
const ENTRIES_MAX = 2_000;
const UNPACKED_MAX_BYTES = 200 * 1024 * 1024;
const RATIO_MAX = 200;
const RATIO_COUNTS_FROM_BYTES = 1024 * 1024;
const CONTENT_TYPES_MAX_BYTES = 1024 * 1024;

/** A .docx is a zip whose list of content types names a Word document, which is there and can be unpacked. */
export async function inspectWordOpenXml(file: RandomAccessFile): Promise<Finding> {
  if (await CompoundFile.isOne(file)) return inspectEncrypted(file);
  if (!(await file.head(LOCAL_HEADER.length)).equals(LOCAL_HEADER)) return { kind: 'other' };
  const zip = await openZip(file);
  try {
    return await inspectPackage(zip);
  } finally {
    zip.close();
  }
}

/** Word wraps a document with a password into a Compound File ([MS-OFFCRYPTO] 2.3). */
async function inspectEncrypted(file: RandomAccessFile): Promise<Finding> {
  const container = await CompoundFile.open(file);
  return { kind: container.find('EncryptedPackage') ? 'password' : 'other' };
}

async function inspectPackage(zip: ZipFile): Promise<Finding> {
  const entries = await readEntries(zip);
  const types = entries.get(CONTENT_TYPES);
  const main = entries.get(MAIN_PART);
  if (!types || !main) return { kind: 'other' };
  if (types.isEncrypted() || main.isEncrypted()) return { kind: 'password' };
  if (types.uncompressedSize > CONTENT_TYPES_MAX_BYTES) throw new DamagedFileError('content types');
  const declared = (await unpack(zip, types)).toString('utf8').toLowerCase();
  const hasMacroType = declared.includes(MACRO_WORD_TYPE);
  if (!hasMacroType && !declared.includes(WORD_TYPE)) return { kind: 'other' };
  await unpack(zip, main, false);
  const hasMacros = hasMacroType || [...entries.keys()].some((name) => name.toLowerCase().endsWith('vbaproject.bin'));
  return { kind: 'document', warnings: hasMacros ? [MACROS] : [] };
}

/** Also refuses, as damaged, names that lead out of the package: yauzl checks them. */
async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > ENTRIES_MAX) throw new DamagedFileError('too many entries');
  const entries = new Map<string, Entry>();
  let unpackedBytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      unpackedBytes += entry.uncompressedSize;
      const isBomb = entry.uncompressedSize > RATIO_COUNTS_FROM_BYTES && entry.uncompressedSize > RATIO_MAX * entry.compressedSize;
      if (isBomb || unpackedBytes > UNPACKED_MAX_BYTES) throw new DamagedFileError('unpacks to too much');
      if (entries.has(entry.fileName)) throw new DamagedFileError('two entries of one name');
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw asDamaged(error);
  }
  return entries;
}

/** Reads an entry to its end, which proves that it unpacks to the size it states; the bytes are kept only if wanted. */
async function unpack(zip: ZipFile, entry: Entry, keep = true): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    for await (const part of await zip.openReadStreamPromise(entry)) if (keep) parts.push(part as Buffer);
  } catch (error) {
    throw asDamaged(error);
  }
  return Buffer.concat(parts);
}

async function openZip(file: RandomAccessFile): Promise<ZipFile> {
  try {
    return await openPromise(file.path, { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true });
  } catch (error) {
    throw asDamaged(error);
  }
}

/** yauzl and zlib tell a broken archive by plain errors; one of the disk keeps its own code. */
function asDamaged(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const isOfDisk = code?.startsWith('E') && !code.startsWith('ERR_');
  return isOfDisk || error instanceof DamagedFileError ? error : new DamagedFileError('zip', { cause: error });
}
