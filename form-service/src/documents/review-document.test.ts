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

it.each(accepted)('tells of $what what HR should know', async ({ bytes, notes = [] }) => {
  const found = new Set<DocumentNote>();
  for await (const note of reviewFile(await written(bytes()))) found.add(note);
  expect([...found].toSorted()).toEqual([...notes].toSorted());
});

it('tells the same from its thread', async () => {
  expect(await reviewDocument(await written(pdfWith('<</S/JavaScript/JS(1)>>')))).toEqual(['scripts']);
  expect(await reviewDocument(await written(wordOpenXml()))).toEqual([]);
});

describe('a review that does not come to its end', () => {
  it('says so, and what it found before, when its time is over', async () => {
    const path = await written(Buffer.concat([pdfWith('<</S/JavaScript/JS(1)>>'), hostilePdf(9_000_000)]));
    expect(await reviewDocument(path, { timeLimitMs: 1 })).toContain('incomplete');
    const limited = await reviewDocument(path, { timeLimitMs: 3_000 });
    if (limited.includes('incomplete')) expect(limited).toContain('scripts');
  });

  it('says so when it needs too much memory, and nothing else is harmed', async () => {
    expect(await reviewDocument(await written(pdf(9_000_000)), { heapLimitMb: 4 })).toContain('incomplete');
    expect(await reviewDocument(await written(pdf()))).toEqual([]);
  });

  it('says so of a file that is gone', async () => {
    expect(await reviewDocument(join(folder, 'gone'))).toEqual(['incomplete']);
  });

  it('unpacks a bounded part of a bomb', async () => {
    const before = process.memoryUsage().rss;
    const bomb = deflateSync(Buffer.alloc(300_000_000));
    const notes = await reviewDocument(
      await written(Buffer.concat([pdf(), packedObjects(bomb), '%%EOF'].map((part) => Buffer.from(part)))),
    );
    expect(notes).toEqual(['incomplete']);
    expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
  });

  it('tells of a Word document that does not unpack as it says', async () => {
    const [types, main] = wordParts();
    if (!types || !main) throw new Error('no parts');
    expect(await reviewDocument(await written(zip([types, { ...main, statedBytes: 10 }])))).toEqual(['incomplete']);
  });
});

it('leaves the event loop free for others, whatever the file', async () => {
  const loop = monitorEventLoopDelay({ resolution: 5 });
  const path = await written(hostilePdf(10_000_000));
  loop.enable();
  await reviewDocument(path);
  loop.disable();
  expect(loop.percentile(50) / 1e6).toBeLessThan(50);
});
