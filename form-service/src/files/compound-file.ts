import { DamagedFileError, type RandomAccessFile } from './random-access-file.ts';

const HEADER_BYTES = 512;
/** Allocation table: the header lists its first 109 sectors. One further sector lists enough for the largest résumé. */
const TABLE_AT = 0x4c;
const TABLE_MAX_IN_HEADER = 109;
const ENTRY_BYTES = 128;
/** A résumé has a few dozen entries. */
const ENTRIES_MAX = 1_024;
const STREAM = 2;
/** Smaller streams are stored in the mini stream. */
const MINI_CUTOFF_BYTES = 4_096;
/** Special sector numbers begin here: end of chain, free, allocation table. */
const FIRST_MARK = 0xfffffffa;

/**
 * Finds the streams in the root storage of a Compound File ([MS-CFB]). Ignores streams of embedded documents, which may
 * have the same names.
 *
 * @returns by lower-case name, a function that reads the first bytes of the stream; undefined for a mini stream
 * @throws DamagedFileError
 */
export async function rootStreams(
  file: RandomAccessFile,
): Promise<ReadonlyMap<string, (length: number) => Promise<Buffer | undefined>>> {
  const header = await file.read(0, HEADER_BYTES);
  const shift = header.readUInt16LE(0x1e);
  if (shift !== 9 && shift !== 12) throw new DamagedFileError('sector size');
  const sectorBytes = 1 << shift;
  const read = (sector: number, length = sectorBytes) => file.read((sector + 1) * sectorBytes, length);
  const isInHeader = header.readUInt32LE(0x2c) <= TABLE_MAX_IN_HEADER;
  const further = isInHeader ? [] : [await read(header.readUInt32LE(0x44))];
  const table = Buffer.concat([header.subarray(TABLE_AT), ...further]);
  const nextOf = async (sector: number) => {
    const at = sector * 4;
    const numbers = await read(table.readUInt32LE(Math.floor(at / sectorBytes) * 4));
    return numbers.readUInt32LE(at % sectorBytes);
  };

  const entries: Buffer[] = [];
  for (let sector = header.readUInt32LE(0x30); sector < FIRST_MARK; sector = await nextOf(sector)) {
    const bytes = await read(sector);
    for (let at = 0; at < sectorBytes; at += ENTRY_BYTES) entries.push(bytes.subarray(at, at + ENTRY_BYTES));
    if (entries.length > ENTRIES_MAX) throw new DamagedFileError('too many entries');
  }

  const streams = new Map<string, (length: number) => Promise<Buffer | undefined>>();
  const seen = new Set<Buffer>();
  const open = [entries[0]?.readUInt32LE(0x4c) ?? FIRST_MARK];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const entry = entries[index];
    if (!entry || seen.has(entry)) continue;
    seen.add(entry);
    open.push(entry.readUInt32LE(0x44), entry.readUInt32LE(0x48));
    const name = entry.toString('utf16le', 0, Math.max(0, entry.readUInt16LE(0x40) - 2)).toLowerCase();
    const bytes = entry.readUInt32LE(0x78);
    if (entry[0x42] === STREAM)
      streams.set(name, async (length) => {
        if (bytes > file.size) throw new DamagedFileError('stream is cut short');
        return bytes < MINI_CUTOFF_BYTES ? undefined : read(entry.readUInt32LE(0x74), length);
      });
  }
  return streams;
}
