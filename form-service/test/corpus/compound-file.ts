const SECTOR_BYTES = 512;
const END_OF_CHAIN = 0xfffffffe;
const FREE = 0xffffffff;
const FAT_SECTOR = 0xfffffffd;

export interface CompoundStream {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Builds a Compound File ([MS-CFB] version 3) with these streams and storages in its root, each stream of at least 4096
 * bytes. Embedded streams are in the first storage and listed before those of the root.
 */
export function compoundFile(
  own: readonly CompoundStream[],
  storages: readonly string[] = [],
  embedded: readonly CompoundStream[] = [],
): Buffer {
  const streams = [...embedded, ...own];
  const contents = streams.map(({ bytes }) => padded(bytes));
  const directorySectors = Math.ceil((1 + streams.length + storages.length) / 4);
  const contentSectors = contents.reduce((sum, { length }) => sum + length / SECTOR_BYTES, 0);
  const fatSectors = Math.ceil((directorySectors + contentSectors + 8) / 127);
  const fat: number[] = [];
  const chain = (count: number) => {
    const first = fat.length;
    for (let index = 1; index <= count; index++) fat.push(index === count ? END_OF_CHAIN : first + index);
    return first;
  };
  for (let index = 0; index < fatSectors; index++) fat.push(FAT_SECTOR);
  const directoryStart = chain(directorySectors);
  const starts = contents.map(({ length }) => chain(length / SECTOR_BYTES));
  const entries = [
    entry('Root Entry', 5, END_OF_CHAIN, 0, { child: embedded.length + 1 }),
    ...streams.map(({ name, bytes }, index) =>
      entry(name, 2, starts[index] ?? END_OF_CHAIN, bytes.length, {
        right: index + 1 === embedded.length ? FREE : index + 2,
      }),
    ),
    ...storages.map((name, index) =>
      entry(name, 1, 0, 0, { right: streams.length + index + 2, child: index === 0 && embedded.length > 0 ? 1 : FREE }),
    ),
  ];
  return Buffer.concat([
    header(fatSectors, directoryStart),
    numbers(fat, fatSectors),
    padded(Buffer.concat(entries)),
    ...contents,
  ]);
}

/** Builds a minimal .doc: the main stream begins with Word's mark. */
export function wordBinary({
  mark = 0xa5ec,
  storages = [] as readonly string[],
  embedded = [] as readonly CompoundStream[],
  extraBytes = 0,
} = {}): Buffer {
  const main = Buffer.alloc(4096 + extraBytes);
  main.writeUInt16LE(mark, 0);
  main.writeUInt16LE(0x00c1, 2);
  return compoundFile(
    [
      { name: 'WordDocument', bytes: main },
      { name: '1Table', bytes: Buffer.alloc(4096) },
    ],
    storages,
    embedded,
  );
}

function header(fatSectors: number, directoryStart: number): Buffer {
  const bytes = Buffer.alloc(SECTOR_BYTES);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(0x3e, 0x18);
  bytes.writeUInt16LE(3, 0x1a);
  bytes.writeUInt16LE(0xfffe, 0x1c);
  bytes.writeUInt16LE(9, 0x1e);
  bytes.writeUInt16LE(6, 0x20);
  bytes.writeUInt32LE(fatSectors, 0x2c);
  bytes.writeUInt32LE(directoryStart, 0x30);
  bytes.writeUInt32LE(4096, 0x38);
  bytes.writeUInt32LE(END_OF_CHAIN, 0x3c);
  bytes.writeUInt32LE(END_OF_CHAIN, 0x44);
  for (let index = 0; index < 109; index++) bytes.writeUInt32LE(index < fatSectors ? index : FREE, 0x4c + index * 4);
  return bytes;
}

function entry(name: string, type: number, start: number, size: number, { child = FREE, right = FREE }): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(name, 'utf16le');
  bytes.writeUInt16LE((name.length + 1) * 2, 0x40);
  bytes[0x42] = type;
  bytes.writeUInt32LE(FREE, 0x44);
  bytes.writeUInt32LE(right, 0x48);
  bytes.writeUInt32LE(child, 0x4c);
  bytes.writeUInt32LE(start, 0x74);
  bytes.writeUInt32LE(size, 0x78);
  return bytes;
}

function numbers(fat: readonly number[], sectors: number): Buffer {
  const bytes = Buffer.alloc(sectors * SECTOR_BYTES, 0xff);
  fat.forEach((number, index) => bytes.writeUInt32LE(number, index * 4));
  return bytes;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((SECTOR_BYTES - (bytes.length % SECTOR_BYTES)) % SECTOR_BYTES)]);
}
