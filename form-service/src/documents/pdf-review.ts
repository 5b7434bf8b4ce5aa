import { constants, inflateSync } from 'node:zlib';
import type { DocumentNote } from './notes.ts';

/**
 * Names that mark active content, and the note for HR. `OpenAction` is not among them: ordinary documents have it to
 * say which page they open at, and what it could start has one of these names.
 */
const ACTIVE = new Map<string, DocumentNote>([
  ['JavaScript', 'scripts'],
  ['JS', 'scripts'],
  ['Launch', 'launches'],
  ['EmbeddedFile', 'attachments'],
  ['EmbeddedFiles', 'attachments'],
  ['EF', 'attachments'],
]);

/**
 * A name in the place of a key or a value; a producer called "HTML/JavaScript" is only text. A letter may be written as
 * `#` and two digits.
 */
const NAME = /\/(?<=(?:[\0\s)<>[\]{}%]|\/S|\/#53|\/Type|\d R)\/)([JLEO#][^\0\s()<>[\]{}/%]{1,40})/g;

/**
 * Compressed bytes contain a slash and two letters by chance, so a short name counts only where its operand follows.
 */
const OPERAND = /^\s{0,8}(?:[(<]|\d+ \d+ R)/;

/**
 * The limits of one stream, of all streams, and of their number. An honest stream has tens of kilobytes, and a résumé
 * dozens of them.
 */
const PACKED_MAX_BYTES = 1024 * 1024;
const UNPACKED_MAX_BYTES = 8 * 1024 * 1024;
const UNPACKED_MAX_BYTES_IN_ALL = 32 * 1024 * 1024;
const STREAMS_MAX = 2_000;

/**
 * Finds active content in a PDF, in its plain objects and in its object streams (ISO 32000-2, 7.5.7). It finds what
 * programs ordinarily write; it is not a virus scanner.
 */
export function* reviewPdf(bytes: Buffer, { isEncrypted }: { readonly isEncrypted: boolean }): Generator<DocumentNote> {
  let streamsLeft = STREAMS_MAX;
  let bytesLeft = UNPACKED_MAX_BYTES_IN_ALL;
  for (const { name, end } of namesIn(bytes.toString('latin1'))) {
    const note = ACTIVE.get(name);
    if (note) yield note;
    if (name !== 'ObjStm' || isEncrypted) continue;
    const objects = streamsLeft-- > 0 && bytesLeft > 0 ? objectsAfter(bytes, end) : undefined;
    bytesLeft -= objects?.length ?? 0;
    if (!objects) yield 'incomplete';
    else for (const inner of namesIn(objects)) yield* [ACTIVE.get(inner.name) ?? []].flat();
  }
}

/** The names of interest in a text, and where each ends. */
function* namesIn(text: string): Generator<{ name: string; end: number }> {
  for (const match of text.matchAll(NAME)) {
    const name = (match[1] ?? '').replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    const end = match.index + match[0].length;
    if (name.length > 2 || OPERAND.test(text.slice(end, end + 40))) yield { name, end };
  }
}

/**
 * The contents of the object stream whose dictionary has its type at this place, or undefined when they exceed the
 * limits.
 */
function objectsAfter(bytes: Buffer, at: number): string | undefined {
  const begin = /stream\r?\n/.exec(bytes.toString('latin1', at, at + 1024));
  if (!begin) return undefined;
  const start = at + begin.index + begin[0].length;
  const rest = bytes.subarray(start, start + PACKED_MAX_BYTES);
  const end = rest.indexOf('endstream');
  if (end < 0) return undefined;
  try {
    return inflateSync(rest.subarray(0, end), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: UNPACKED_MAX_BYTES,
    }).toString('latin1');
  } catch {
    return undefined;
  }
}
