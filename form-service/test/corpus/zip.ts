import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
  /** General purpose flags; bit 0 means encrypted. */
  readonly flags?: number;
  /** Declared size, if it differs from the true one. */
  readonly statedBytes?: number;
}

/** Builds a zip archive from entries, without any check. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = deflateRawSync(entry.bytes);
    const name = Buffer.from(entry.name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE((entry.flags ?? 0) | 0x0800, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(entry.bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(entry.statedBytes ?? entry.bytes.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), shared, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), shared, rest, name]));
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  Buffer.from('504b0506', 'hex').copy(end);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}

const types = (main: string) =>
  Buffer.from(`<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`);

export const WORD_MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
export const MACRO_MAIN = 'application/vnd.ms-word.document.macroEnabled.main+xml';
export const SHEET_MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

const DOCUMENT = Buffer.from('<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body/></w:document>');

/** The two parts that a Word document needs. */
export function wordParts(main = WORD_MAIN): ZipEntry[] {
  return [
    { name: '[Content_Types].xml', bytes: types(main) },
    { name: 'word/document.xml', bytes: DOCUMENT },
  ];
}

export function wordOpenXml(more: readonly ZipEntry[] = []): Buffer {
  return zip([...wordParts(), ...more]);
}
