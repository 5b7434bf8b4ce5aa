import { constants, createInflate } from 'node:zlib';
import { BEFORE_BYTES, NAME_MAX_BYTES, namesIn } from './pdf-names.ts';
import type { RandomAccessFile } from './random-access-file.ts';

/** Bytes looked at in one go; a little more is read on both sides, so that what lies on the border is seen whole. */
export const PIECE_BYTES = 256 * 1024;

/** A dictionary is searched so far for the beginning of its stream. */
const DICTIONARY_BYTES = 1024;

/** Bounds of what is unpacked: an honest object stream has some tens of kilobytes, and a résumé some dozens of them. */
const PACKED_MAX_BYTES = 256 * 1024;
const UNPACKED_MAX_BYTES = 1024 * 1024;
const UNPACKED_MAX_BYTES_IN_ALL = 16 * 1024 * 1024;
const STREAMS_MAX = 500;

/** Scans wait for each other: they are work of one processor, and a hundred at once would hold a hundred pieces. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Looks for what makes a PDF active, in its plain objects and in its object streams, in pieces and within bounds. It finds
 * what programs ordinarily write; it is no virus scanner.
 *
 * @returns what HR is to be told
 */
export function scanPdf(file: RandomAccessFile): Promise<string[]> {
  const scan = last.then(() => scanPieces(file));
  last = scan.catch(() => undefined);
  return scan;
}

async function scanPieces(file: RandomAccessFile): Promise<string[]> {
  const warnings = new Set<string>();
  let streamsLeft = STREAMS_MAX;
  let bytesLeft = UNPACKED_MAX_BYTES_IN_ALL;
  for (let start = 0; start < file.size; start += PIECE_BYTES) {
    const before = Math.min(start, BEFORE_BYTES);
    const length = Math.min(before + PIECE_BYTES + Math.max(DICTIONARY_BYTES, NAME_MAX_BYTES), file.size - start + before);
    const piece = await file.read(start - before, length);
    const found = namesIn(piece, before, before + PIECE_BYTES);
    for (const warning of found.warnings) warnings.add(warning);
    for (const at of found.objectStreams) {
      if (streamsLeft-- <= 0 || bytesLeft <= 0) break;
      const objects = await objectsAfter(file, start - before, piece, at);
      bytesLeft -= objects.length;
      for (const warning of namesIn(objects).warnings) warnings.add(warning);
    }
  }
  return [...warnings].toSorted();
}

/** The bytes of the object stream whose dictionary names it here; empty where it is none, or not packed as usual. */
async function objectsAfter(file: RandomAccessFile, start: number, piece: Buffer, at: number): Promise<Buffer> {
  const begin = /stream\r?\n/.exec(piece.toString('latin1', at, at + DICTIONARY_BYTES));
  if (!begin) return Buffer.alloc(0);
  const position = start + at + begin.index + begin[0].length;
  return unpacked(await file.read(position, Math.min(PACKED_MAX_BYTES, file.size - position)));
}

/** As much as can be unpacked, up to a bound; what comes after the packed bytes does not matter. */
async function unpacked(packed: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
  inflate.end(packed);
  try {
    let bytes = 0;
    for await (const part of inflate) {
      parts.push(part as Buffer);
      bytes += (part as Buffer).length;
      if (bytes >= UNPACKED_MAX_BYTES) break;
    }
  } catch {
    // Not packed, or damaged: what came before counts.
  }
  return Buffer.concat(parts);
}
