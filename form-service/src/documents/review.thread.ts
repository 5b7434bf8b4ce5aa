import { open, readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { RESUME_HEAD_BYTES, resumeFormat } from '../contract/resume-file.ts';
import { CompoundFile } from './compound-file.ts';
import type { DocumentNote } from './notes.ts';
import { isEncrypted } from './pdf-password.ts';
import { reviewPdf } from './pdf-review.ts';
import { RandomAccessFile } from './random-access-file.ts';
import { unpack, withPackage } from './word-package.ts';

/** Readers look for the end of a PDF within so many last bytes. */
const TRAILER_REACH_BYTES = 1024;

/** Looks through one file and posts each note when it is found, so that those are not lost which came before a limit. */
async function review(path: string): Promise<void> {
  const handle = await open(path, 'r');
  const file = new RandomAccessFile(handle, path, (await handle.stat()).size);
  const head = await file.readUpTo(0, RESUME_HEAD_BYTES);
  const format = resumeFormat(head);
  if (format === 'pdf') await reviewPdfFile(file, head);
  else if (format === 'zip') await reviewPackage(file);
  else if (format === 'compound') reviewCompound(await CompoundFile.open(file));
  else reviewText(await readFile(path, 'latin1'));
  await handle.close();
}

async function reviewPdfFile(file: RandomAccessFile, head: Buffer): Promise<void> {
  const tail = await file.readUpTo(file.size - TRAILER_REACH_BYTES, TRAILER_REACH_BYTES);
  if (!/^(?:\xef\xbb\xbf)?\s*%PDF-[12]\.\d/.test(head.toString('latin1')) || !tail.includes('%%EOF')) note('irregular');
  const encrypted = await isEncrypted(file);
  if (encrypted) note('protected');
  for (const one of reviewPdf(await readFile(file.path), { isEncrypted: encrypted })) note(one);
}

async function reviewPackage(file: RandomAccessFile): Promise<void> {
  await withPackage(file, async (found, zip) => {
    if (found.kind !== 'word') return note('incomplete');
    if (found.hasMacros) note('macros');
    if (found.hasFiles) note('attachments');
    if (found.hasTail) note('irregular');
    await unpack(zip, found.main, false);
  });
}

function reviewCompound(container: CompoundFile): void {
  if (['Macros', '_VBA_PROJECT', '_VBA_PROJECT_CUR'].some((name) => container.holds(name))) note('macros');
  if (['\u0001Ole10Native', 'Package'].some((name) => container.holds(name))) note('attachments');
  if (!container.isListedWhole) note('incomplete');
}

/** Rich text and Word's own XML. */
function reviewText(text: string): void {
  if (/<w:binData[^>]{0,200}\.mso"/.test(text)) note('macros');
  if (/\\obj(?:data|emb|ocx|link|update)\b|<w:docOleData\b/.test(text)) note('attachments');
}

const noted = new Set<DocumentNote>();

function note(one: DocumentNote): void {
  if (!noted.has(one)) parentPort?.postMessage(one);
  noted.add(one);
}

try {
  await review((workerData as { path: string }).path);
} catch {
  note('incomplete');
}
parentPort?.postMessage('done');
