import { DamagedFileError, type RandomAccessFile } from './random-access-file.ts';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
const HEADER_DIFAT_ENTRIES = 109;
const ENTRY_BYTES = 128;
/** Sector numbers from here on are marks: end of chain, free, allocation table. */
const FIRST_MARK = 0xfffffffa;
/** Streams smaller than this live in the mini stream. */
const MINI_CUTOFF_BYTES = 4096;

export interface CompoundEntry {
  readonly name: string;
  readonly isStream: boolean;
  readonly firstSector: number;
  /** Bytes. */
  readonly size: number;
}

/** Reads the directory of a Compound File, the container of the binary Office formats ([MS-CFB]). */
export class CompoundFile {
  private constructor(
    private readonly file: RandomAccessFile,
    private readonly sectorBytes: number,
    private readonly fat: Uint32Array,
    readonly entries: readonly CompoundEntry[],
  ) {}

  static async isOne(file: RandomAccessFile): Promise<boolean> {
    return (await file.head(SIGNATURE.length)).equals(SIGNATURE);
  }

  /** @throws DamagedFileError */
  static async open(file: RandomAccessFile): Promise<CompoundFile> {
    const header = await file.read(0, HEADER_BYTES);
    const shift = header.readUInt16LE(0x1e);
    if (shift !== 9 && shift !== 12) throw new DamagedFileError('sector size');
    const sectorBytes = 1 << shift;
    const fat = await readFat(file, header, sectorBytes);
    const directory = await readChain(file, fat, sectorBytes, header.readUInt32LE(0x30));
    return new CompoundFile(file, sectorBytes, fat, entriesOf(directory));
  }

  find(name: string): CompoundEntry | undefined {
    return this.entries.find((entry) => entry.name === name);
  }

  /** The first bytes of a large stream, after making sure that all of it is there; undefined for a stream in the mini stream. */
  async streamHead(entry: CompoundEntry, length: number): Promise<Buffer | undefined> {
    if (entry.size < MINI_CUTOFF_BYTES) return undefined;
    const sectors = chainOf(this.fat, entry.firstSector);
    if (sectors.length * this.sectorBytes < entry.size) throw new DamagedFileError('stream is cut short');
    const end = Math.max(...sectors.map((sector) => (sector + 1) * this.sectorBytes));
    // The last sector of a file may be cut to the bytes in use.
    if (end >= this.file.size + this.sectorBytes) throw new DamagedFileError('stream points past the end');
    const [first] = sectors;
    return this.file.read(((first ?? 0) + 1) * this.sectorBytes, length);
  }
}

async function readFat(file: RandomAccessFile, header: Buffer, sectorBytes: number): Promise<Uint32Array> {
  const sectorCount = header.readUInt32LE(0x2c);
  if (sectorCount * sectorBytes > file.size) throw new DamagedFileError('allocation table');
  const sectors = numbersOf(header.subarray(0x4c, 0x4c + HEADER_DIFAT_ENTRIES * 4));
  let next = header.readUInt32LE(0x44);
  for (let left = header.readUInt32LE(0x48); next < FIRST_MARK && left > 0; left--) {
    if (sectors.length > sectorCount + HEADER_DIFAT_ENTRIES) break;
    const numbers = numbersOf(await readSector(file, sectorBytes, next));
    next = numbers.pop() ?? FIRST_MARK;
    sectors.push(...numbers);
  }
  const used = sectors.filter((sector) => sector < FIRST_MARK).slice(0, sectorCount);
  if (used.length < sectorCount) throw new DamagedFileError('allocation table');
  const table: number[] = [];
  for (const sector of used) table.push(...numbersOf(await readSector(file, sectorBytes, sector)));
  return Uint32Array.from(table);
}

async function readChain(file: RandomAccessFile, fat: Uint32Array, sectorBytes: number, first: number): Promise<Buffer> {
  const sectors = chainOf(fat, first);
  const parts: Buffer[] = [];
  for (const sector of sectors) parts.push(await readSector(file, sectorBytes, sector));
  return Buffer.concat(parts);
}

/** @throws DamagedFileError when the chain leaves the table or runs in a circle */
function chainOf(fat: Uint32Array, first: number): number[] {
  const sectors: number[] = [];
  for (let sector: number | undefined = first; sector < FIRST_MARK; sector = fat[sector] ?? Number.NaN) {
    if (sectors.length >= fat.length) throw new DamagedFileError('chain runs in a circle');
    sectors.push(sector);
    if (sector >= fat.length) throw new DamagedFileError('chain leaves the table');
  }
  return sectors;
}

function readSector(file: RandomAccessFile, sectorBytes: number, sector: number): Promise<Buffer> {
  return file.read((sector + 1) * sectorBytes, sectorBytes);
}

function entriesOf(directory: Buffer): CompoundEntry[] {
  const entries: CompoundEntry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const type = directory[at + 0x42];
    const nameBytes = directory.readUInt16LE(at + 0x40);
    if (type === 0 || nameBytes < 2 || nameBytes > 64) continue;
    const name = directory.toString('utf16le', at, at + nameBytes - 2);
    entries.push({ name, isStream: type === 2, firstSector: directory.readUInt32LE(at + 0x74), size: directory.readUInt32LE(at + 0x78) });
  }
  return entries;
}

function numbersOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
}
