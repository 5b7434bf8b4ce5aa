import { constants, inflateSync } from 'node:zlib';
import type { DocumentNote } from './notes.ts';

/**
 * Names that give an active document away, and what HR is told. `OpenAction` is none of them: it is how an ordinary
 * document says which page it opens at, and what it could start has one of these names.
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
 * A name where a key or a value may stand; a developer's "HTML/JavaScript" is text. A letter may be `#` and two
 * digits.
 */
const NAME = /\/(?<=(?:[\0\s)<>[\]{}%]|\/S|\/#53|\/Type|\d R)\/)([JLEO#][^\0\s()<>[\]{}/%]{1,40})/g;

/** Packed bytes hold two letters after a slash by chance: a short name counts where its operand follows. */
const OPERAND = /^\s{0,8}(?:[(<]|\d+ \d+ R)/;

/**
 * Bounds of one stream, of all, and of their number: an honest one has tens of kilobytes, and a résumé dozens of them.
 */
const PACKED_MAX_BYTES = 1024 * 1024;
const UNPACKED_MAX_BYTES = 8 * 1024 * 1024;
const UNPACKED_MAX_BYTES_IN_ALL = 32 * 1024 * 1024;
const STREAMS_MAX = 2_000;

/**
 * Looks for what makes a PDF active, in its plain objects and in its object streams (ISO 32000-2, 7.5.7). It finds what
 * programs ordinarily write; it is no virus scanner.
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

/** The contents of the object stream whose dictionary has its type here, where they unpack within bounds. */
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
