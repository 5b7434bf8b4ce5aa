import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** Facts about a font file. Lengths are parts of the font's size. */
export interface Face {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly has: (codePoint: number) => boolean;
}

/** Tags that a WOFF2 directory names by their number (W3C, WOFF File Format 2.0, 4.1). Others are not needed. */
const TAGS: Readonly<Record<number, string>> = { 0: 'cmap', 1: 'head', 2: 'hhea', 10: 'glyf', 11: 'loca' };

/** Tag number in whose place the tag itself follows. */
const OTHER = 63;

/** Transform version of glyf and loca that leaves them as they are; for all other tables it is 0. */
const UNCHANGED = 3;

/**
 * Reads metrics and characters of a WOFF2 file.
 *
 * @throws if the file is missing or is none, with advice
 */
export function readFace(file: string): Face {
  const tables = tablesOf(file);
  const unit = tables('head').getUint16(18);
  const hhea = tables('hhea');
  const characters = charactersOf(tables('cmap'));
  return {
    ascent: hhea.getInt16(4) / unit,
    descent: -hhea.getInt16(6) / unit,
    lineGap: hhea.getInt16(8) / unit,
    has: (codePoint) => characters.some(([first, last]) => first <= codePoint && codePoint <= last),
  };
}

function tablesOf(file: string): (tag: string) => DataView {
  try {
    const bytes = readFileSync(file);
    if (bytes.toString('latin1', 0, 4) !== 'wOF2') throw new Error('another format');
    let at = 48;
    const length = () => {
      let value = 0;
      let byte: number;
      do {
        byte = bytes.readUInt8(at++);
        value = value * 128 + (byte & 127);
      } while (byte & 128);
      return value;
    };
    let offset = 0;
    const places = Array.from({ length: bytes.readUInt16BE(12) }, () => {
      const flags = bytes.readUInt8(at++);
      const [number, version] = [flags & OTHER, flags >> 6];
      if (number === OTHER) at += 4;
      const tag = TAGS[number] ?? '';
      const original = length();
      const isTransformed = version !== (/^(?:glyf|loca)$/.test(tag) ? UNCHANGED : 0);
      const place = { tag, start: offset, size: isTransformed ? length() : original };
      offset += place.size;
      return place;
    });
    const { buffer, byteOffset } = brotliDecompressSync(bytes.subarray(at, at + bytes.readUInt32BE(20)));
    return (tag) => {
      const { start, size } = places.find((place) => place.tag === tag) ?? { start: 0, size: 0 };
      return new DataView(buffer, byteOffset + start, size);
    };
  } catch (error) {
    throw new Error('is no .woff2 file within content/: write its path, such as fonts/our-face.woff2, or "system"', {
      cause: error,
    });
  }
}

/** Returns the ranges of the characters that have a glyph (OpenType, cmap formats 4 and 12). */
function charactersOf(cmap: DataView): readonly (readonly [first: number, last: number])[] {
  return Array.from({ length: cmap.getUint16(2) }, (_, index) => cmap.getUint32(8 + index * 8)).flatMap((start) => {
    const format = cmap.getUint16(start);
    if (format === 12)
      return Array.from({ length: cmap.getUint32(start + 12) }, (_, group) => {
        const at = start + 16 + group * 12;
        return [cmap.getUint32(at), cmap.getUint32(at + 4)] as const;
      });
    if (format !== 4) return [];
    const bytes = cmap.getUint16(start + 6);
    return Array.from({ length: bytes / 2 }, (_, segment) => {
      const last = start + 14 + segment * 2;
      return [cmap.getUint16(last + bytes + 2), cmap.getUint16(last)] as const;
    });
  });
}
