import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hostilePdf, packedObjects, pdf, pdfWith } from '../../test/corpus/pdf.ts';
import { resumeCorpus } from '../../test/corpus/resumes.ts';
import { wordOpenXml, wordParts, zip } from '../../test/corpus/zip.ts';
import type { DocumentNote } from './notes.ts';
import { reviewDocument } from './review-document.ts';
import { reviewFile } from './review-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitewright-review-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function written(bytes: Buffer): Promise<string> {
  const path = join(folder, `file${files++}`);
  await writeFile(path, bytes);
  return path;
}

const accepted = resumeCorpus.filter(({ status }) => status === 202);

it.each(accepted)('The review of $what has the expected notes', async ({ bytes, notes = [] }) => {
  const found = new Set<DocumentNote>();
  for await (const note of reviewFile(await written(bytes()))) found.add(note);
  expect([...found].toSorted()).toEqual([...notes].toSorted());
});

it('The review in a thread has the same notes', async () => {
  expect(await reviewDocument(await written(pdfWith('<</S/JavaScript/JS(1)>>')))).toEqual(['scripts']);
  expect(await reviewDocument(await written(wordOpenXml()))).toEqual([]);
});

describe('A review that does not finish', () => {
  it('A review whose time is over is incomplete, and keeps the notes that it found', async () => {
    const path = await written(Buffer.concat([pdfWith('<</S/JavaScript/JS(1)>>'), hostilePdf(9_000_000)]));
    expect(await reviewDocument(path, { timeLimitMs: 1 })).toContain('incomplete');
    const limited = await reviewDocument(path, { timeLimitMs: 3_000 });
    if (limited.includes('incomplete')) expect(limited).toContain('scripts');
  });

  it('A review that needs too much memory is incomplete, and the process survives', async () => {
    expect(await reviewDocument(await written(pdf(9_000_000)), { heapLimitMb: 4 })).toContain('incomplete');
    expect(await reviewDocument(await written(pdf()))).toEqual([]);
  });

  it('The review of a missing file is incomplete', async () => {
    expect(await reviewDocument(join(folder, 'gone'))).toEqual(['incomplete']);
  });

  it('A decompression bomb is unpacked up to a limit', async () => {
    const before = process.memoryUsage().rss;
    const bomb = deflateSync(Buffer.alloc(300_000_000));
    const notes = await reviewDocument(
      await written(Buffer.concat([pdf(), packedObjects(bomb), '%%EOF'].map((part) => Buffer.from(part)))),
    );
    expect(notes).toEqual(['incomplete']);
    expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
  });

  it('A Word document with wrong sizes is reported as incomplete', async () => {
    const [types, main] = wordParts();
    if (!types || !main) throw new Error('no parts');
    expect(await reviewDocument(await written(zip([types, { ...main, statedBytes: 10 }])))).toEqual(['incomplete']);
  });
});

it('A review does not block the event loop, whatever the file', async () => {
  const loop = monitorEventLoopDelay({ resolution: 5 });
  const path = await written(hostilePdf(10_000_000));
  loop.enable();
  await reviewDocument(path);
  loop.disable();
  expect(loop.percentile(50) / 1e6).toBeLessThan(50);
});
