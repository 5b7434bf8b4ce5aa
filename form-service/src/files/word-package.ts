import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';

const END_RECORD = Buffer.from('504b0506', 'hex');
const END_RECORD_BYTES = 22;

/** The file begins correctly but contradicts its own structure, for example because it is truncated. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/** Zip bomb guard: decompression limits, far above any honest résumé. */
const ENTRIES_MAX = 1_000;
const UNPACKED_MAX_BYTES = 200 * 1024 * 1024;
const RATIO_MAX = 200;
const RATIO_COUNTS_FROM_BYTES = 1024 * 1024;
const LIST_MAX_BYTES = 1024 * 1024;

const MAIN_TYPE = /(?:wordprocessingml|ms-word)\.(?:document|template)(?:\.macroenabled\w*)?\.main\+xml/i;

/** Content of a zip: a Word document, one with a password, an OpenDocument, or anything else. */
export type PackageKind = 'word' | 'password' | 'open document' | 'other';

/**
 * Identifies a zip archive.
 *
 * @param tail last bytes of the file
 * @throws DamagedFileError, or an error of yauzl or zlib for a broken archive
 */
export async function identifyPackage(path: string, tail: Buffer, size: number): Promise<PackageKind> {
  const end = endOf(tail, size);
  return inspect(await fromRandomAccessReaderPromise(new PackageReader(path), end, { autoClose: false }));
}

/**
 * Returns the position after the end record. Mail programs and web servers append a line break, which yauzl would reject.
 */
function endOf(tail: Buffer, size: number): number {
  const at = tail.lastIndexOf(END_RECORD, -END_RECORD_BYTES);
  if (at < 0) throw new DamagedFileError('no end record');
  const commentBytes = tail.readUInt16LE(at + END_RECORD_BYTES - 2);
  return Math.min(size, size - tail.length + at + END_RECORD_BYTES + commentBytes);
}

async function inspect(zip: ZipFile): Promise<PackageKind> {
  const entries = await readEntries(zip);
  const list = entries.get('[content_types].xml');
  if (!list) return entries.has('content.xml') ? 'open document' : 'other';
  if (list.isEncrypted()) return 'password';
  const types = await readText(zip, list);
  return MAIN_TYPE.test(types) ? 'word' : 'other';
}

/** Reads the list of entries. yauzl rejects names that leave the package (path traversal). */
async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > ENTRIES_MAX) throw new DamagedFileError('too many entries');
  const entries = new Map<string, Entry>();
  let unpackedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const { uncompressedSize, compressedSize } = entry;
    unpackedBytes += uncompressedSize;
    const isBomb = uncompressedSize > RATIO_COUNTS_FROM_BYTES && uncompressedSize > RATIO_MAX * compressedSize;
    if (isBomb || unpackedBytes > UNPACKED_MAX_BYTES) throw new DamagedFileError('unpacks to too much');
    const name = entry.fileName.toLowerCase();
    if (entries.has(name)) throw new DamagedFileError('two entries of one name');
    entries.set(name, entry);
  }
  return entries;
}

async function readText(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > LIST_MAX_BYTES) throw new DamagedFileError('list');
  const bytes = await buffer(await zip.openReadStreamPromise(entry));
  return bytes.toString(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8');
}

class PackageReader extends RandomAccessReader {
  constructor(private readonly path: string) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.path, { start, end: end - 1 });
  }
}
