import { open, readFile } from 'node:fs/promises';
import { RESUME_HEAD_BYTES, resumeFormat } from '../contract/resume-file.ts';
import { CompoundFile } from './compound-file.ts';
import type { DocumentNote } from './notes.ts';
import { isEncrypted } from './pdf-password.ts';
import { reviewPdf } from './pdf-review.ts';
import { RandomAccessFile } from './random-access-file.ts';
import { unpack, withPackage } from './word-package.ts';

/** Readers look for the end of a PDF within so many last bytes. */
const TRAILER_REACH_BYTES = 1024;

/** Reviews one file and yields each note as it is found, some of them more than once. */
export async function* reviewFile(path: string): AsyncGenerator<DocumentNote> {
  const handle = await open(path, 'r');
  try {
    const file = new RandomAccessFile(handle, path, (await handle.stat()).size);
    const head = await file.readUpTo(0, RESUME_HEAD_BYTES);
    const format = resumeFormat(head);
    if (format === 'pdf') yield* reviewPdfFile(file, head);
    else if (format === 'zip') yield* await reviewPackage(file);
    else if (format === 'compound') yield* reviewCompound(await CompoundFile.open(file));
    else yield* reviewText(await readFile(path, 'latin1'));
  } finally {
    await handle.close();
  }
}

async function* reviewPdfFile(file: RandomAccessFile, head: Buffer): AsyncGenerator<DocumentNote> {
  const tail = await file.readUpTo(file.size - TRAILER_REACH_BYTES, TRAILER_REACH_BYTES);
  const isUsual = /^(?:\xef\xbb\xbf)?\s*%PDF-[12]\.\d/.test(head.toString('latin1')) && tail.includes('%%EOF');
  if (!isUsual) yield 'irregular';
  const encrypted = await isEncrypted(file);
  if (encrypted) yield 'protected';
  yield* reviewPdf(await readFile(file.path), { isEncrypted: encrypted });
}

function reviewPackage(file: RandomAccessFile): Promise<DocumentNote[]> {
  return withPackage(file, async (document, zip) => {
    if (document.kind !== 'word') return ['incomplete'];
    const { hasMacros, hasFiles, hasTail, main } = document;
    const isWhole = await unpack(zip, main, false).then(
      () => true,
      () => false,
    );
    const notes = { macros: hasMacros, attachments: hasFiles, irregular: hasTail, incomplete: !isWhole };
    return (Object.keys(notes) as (keyof typeof notes)[]).filter((note) => notes[note]);
  });
}

function* reviewCompound(container: CompoundFile): Generator<DocumentNote> {
  if (['Macros', '_VBA_PROJECT', '_VBA_PROJECT_CUR'].some((name) => container.holds(name))) yield 'macros';
  if (['\u0001Ole10Native', 'Package'].some((name) => container.holds(name))) yield 'attachments';
  if (!container.isListedWhole) yield 'incomplete';
}

/** Reviews rich text and Word's own XML. */
function* reviewText(text: string): Generator<DocumentNote> {
  if (/<w:binData[^>]{0,200}\.mso"/.test(text)) yield 'macros';
  if (/\\obj(?:data|emb|ocx|link|update)\b|<w:docOleData\b/.test(text)) yield 'attachments';
}
