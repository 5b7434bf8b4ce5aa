import { DamagedFileError, type RandomAccessFile } from './random-access-file.ts';

const HEADER_BYTES = 512;
const HEADER_DIFAT_ENTRIES = 109;
const ENTRY_BYTES = 128;
const MINI_SECTOR_BYTES = 64;
/** Smaller streams are in the mini stream, which is the root entry's own stream. */
const MINI_CUTOFF_BYTES = 4096;
/** Sector numbers from here on are special: end of chain, free, allocation table. */
const FIRST_MARK = 0xfffffffa;
/** A résumé has some dozens of entries; entries beyond this number are not read. */
const ENTRIES_MAX = 1_024;

interface Entry {
  /** The name in lower case, because names are compared without case. */
  readonly name: string;
  readonly isStream: boolean;
  readonly siblings: readonly [left: number, right: number];
  readonly child: number;
  readonly firstSector: number;
  /** Size in bytes. */
  readonly size: number;
}

/** Reads the directory of a Compound File, the container of the binary Office formats ([MS-CFB]). */
export class CompoundFile {
  private readonly file: RandomAccessFile;
  private readonly sectorBytes: number;
  private readonly fat: Uint32Array;
  private readonly entries: readonly Entry[];

  private constructor(file: RandomAccessFile, sectorBytes: number, fat: Uint32Array, entries: readonly Entry[]) {
    this.file = file;
    this.sectorBytes = sectorBytes;
    this.fat = fat;
    this.entries = entries;
  }

  /** @throws DamagedFileError */
  static async open(file: RandomAccessFile): Promise<CompoundFile> {
    const header = await file.read(0, HEADER_BYTES);
    const shift = header.readUInt16LE(0x1e);
    if (shift !== 9 && shift !== 12) throw new DamagedFileError('sector size');
    const sectorBytes = 1 << shift;
    const fat = await readFat(file, header, sectorBytes);
    const sectors = chainOf(fat, header.readUInt32LE(0x30), (ENTRIES_MAX * ENTRY_BYTES) / sectorBytes);
    const entries: Entry[] = [];
    for (const sector of sectors) entries.push(...entriesOf(await readSector(file, sectorBytes, sector)));
    return new CompoundFile(file, sectorBytes, fat, entries);
  }

  get isListedWhole(): boolean {
    return this.entries.length < ENTRIES_MAX;
  }

  /** Whether an entry with this name is anywhere, also in embedded documents. */
  holds(name: string): boolean {
    return this.entries.some((entry) => entry.name === name.toLowerCase());
  }

  /** Finds an entry in the root storage only, since an embedded document may have one of the same name. */
  find(name: string): Entry | undefined {
    const seen = new Set<Entry>();
    const open = [this.entries[0]?.child ?? FIRST_MARK];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const entry = this.entries[index];
      if (!entry || seen.has(entry)) continue;
      if (entry.name === name.toLowerCase()) return entry;
      seen.add(entry);
      open.push(...entry.siblings);
    }
    return undefined;
  }

  /**
   * Reads the first bytes of a stream, at most a mini sector, and checks that the file reaches to the end of the
   * stream.
   */
  async streamHead({ firstSector, size }: Entry, length: number): Promise<Buffer> {
    const isMini = size < MINI_CUTOFF_BYTES;
    const at = isMini ? firstSector * MINI_SECTOR_BYTES : 0;
    const sectors = chainOf(this.fat, isMini ? (this.entries[0]?.firstSector ?? FIRST_MARK) : firstSector);
    const sector = sectors[Math.floor(at / this.sectorBytes)];
    // The last sector of a file may be cut to the bytes in use.
    if (sector === undefined || sectors.some((one) => (one + 1) * this.sectorBytes >= this.file.size)) {
      throw new DamagedFileError('stream is cut short');
    }
    return this.file.read((sector + 1) * this.sectorBytes + (at % this.sectorBytes), length);
  }
}

async function readFat(file: RandomAccessFile, header: Buffer, sectorBytes: number): Promise<Uint32Array> {
  // The table is read only as far as the file has sectors, whatever the header says.
  const needed = Math.ceil(file.size / sectorBytes / (sectorBytes / 4));
  const sectors = numbersOf(header.subarray(0x4c, 0x4c + HEADER_DIFAT_ENTRIES * 4));
  for (let next = header.readUInt32LE(0x44); next < FIRST_MARK && sectors.length < needed;) {
    const numbers = numbersOf(await readSector(file, sectorBytes, next));
    next = numbers.pop() ?? FIRST_MARK;
    sectors.push(...numbers);
  }
  const table: number[] = [];
  for (const sector of sectors.slice(0, needed)) {
    if (sector >= FIRST_MARK) break;
    table.push(...numbersOf(await readSector(file, sectorBytes, sector)));
  }
  return Uint32Array.from(table);
}

/** @throws DamagedFileError when the chain leaves the table or is circular */
function chainOf(fat: Uint32Array, first: number, maxSectors = Number.POSITIVE_INFINITY): number[] {
  const sectors: number[] = [];
  for (let sector = first; sector < FIRST_MARK && sectors.length < maxSectors; sector = fat[sector] ?? FIRST_MARK) {
    if (sector >= fat.length || sectors.length >= fat.length) throw new DamagedFileError('chain leads nowhere');
    sectors.push(sector);
  }
  return sectors;
}

function readSector(file: RandomAccessFile, sectorBytes: number, sector: number): Promise<Buffer> {
  return file.read((sector + 1) * sectorBytes, sectorBytes);
}

function entriesOf(sector: Buffer): Entry[] {
  return Array.from({ length: sector.length / ENTRY_BYTES }, (_, index) => {
    const bytes = sector.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    return {
      name: bytes.toString('utf16le', 0, Math.min(Math.max(0, bytes.readUInt16LE(0x40) - 2), 62)).toLowerCase(),
      isStream: bytes[0x42] === 2,
      siblings: [bytes.readUInt32LE(0x44), bytes.readUInt32LE(0x48)] as const,
      child: bytes.readUInt32LE(0x4c),
      firstSector: bytes.readUInt32LE(0x74),
      size: bytes.readUInt32LE(0x78),
    };
  });
}

function numbersOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
}
