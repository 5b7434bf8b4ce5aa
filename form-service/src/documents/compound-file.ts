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

/** Reads the container of the binary Office formats ([MS-CFB]), as far as is needed to find a stream in its root. */
export class CompoundFile {
  private readonly file: RandomAccessFile;
  private readonly sectorBytes: number;
  private readonly fat: readonly number[];
  private readonly entries: readonly Buffer[];

  private constructor(file: RandomAccessFile, sectorBytes: number, fat: readonly number[], entries: readonly Buffer[]) {
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
    const entries: Buffer[] = [];
    for (const sector of chainOf(fat, header.readUInt32LE(0x30), (ENTRIES_MAX * ENTRY_BYTES) / sectorBytes)) {
      const bytes = await readSector(file, sectorBytes, sector);
      for (let at = 0; at < bytes.length; at += ENTRY_BYTES) entries.push(bytes.subarray(at, at + ENTRY_BYTES));
    }
    return new CompoundFile(file, sectorBytes, fat, entries);
  }

  /**
   * Finds an entry in the root storage only, since an embedded document may have one of the same name. Names are
   * compared without case.
   */
  find(name: string): Buffer | undefined {
    const seen = new Set<Buffer>();
    const open = [this.entries[0]?.readUInt32LE(0x4c) ?? FIRST_MARK];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const entry = this.entries[index];
      if (!entry || seen.has(entry)) continue;
      const nameBytes = Math.min(Math.max(0, entry.readUInt16LE(0x40) - 2), 62);
      if (entry.toString('utf16le', 0, nameBytes).toLowerCase() === name.toLowerCase()) return entry;
      seen.add(entry);
      open.push(entry.readUInt32LE(0x44), entry.readUInt32LE(0x48));
    }
    return undefined;
  }

  /**
   * Reads the first bytes of a stream, at most a mini sector, and checks that the file reaches to its end.
   *
   * @returns undefined where the entry is a folder
   * @throws DamagedFileError
   */
  async streamHead(entry: Buffer, length: number): Promise<Buffer | undefined> {
    if (entry[0x42] !== 2) return undefined;
    const firstSector = entry.readUInt32LE(0x74);
    const isMini = entry.readUInt32LE(0x78) < MINI_CUTOFF_BYTES;
    const at = isMini ? firstSector * MINI_SECTOR_BYTES : 0;
    const sectors = chainOf(this.fat, isMini ? (this.entries[0]?.readUInt32LE(0x74) ?? FIRST_MARK) : firstSector);
    const sector = sectors[Math.floor(at / this.sectorBytes)];
    // The last sector of a file may be cut to the bytes in use.
    if (sector === undefined || sectors.some((one) => (one + 1) * this.sectorBytes >= this.file.size)) {
      throw new DamagedFileError('stream is cut short');
    }
    return this.file.read((sector + 1) * this.sectorBytes + (at % this.sectorBytes), length);
  }
}

/** Reads the allocation table, only as far as the file has sectors, whatever the header says. */
async function readFat(file: RandomAccessFile, header: Buffer, sectorBytes: number): Promise<number[]> {
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
  return table;
}

/** @throws DamagedFileError when the chain leaves the table or is circular */
function chainOf(fat: readonly number[], first: number, maxSectors = Number.POSITIVE_INFINITY): number[] {
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

function numbersOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
}
