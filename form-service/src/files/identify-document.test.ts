import { randomBytes } from 'node:crypto';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { hostilePdf } from '../../test/corpus/pdf.ts';
import { wordOpenXml } from '../../test/corpus/zip.ts';
import { resumeCorpus, type CorpusFile } from '../../test/corpus/resumes.ts';
import type { ResumeProblem } from '../contract/resume-file.ts';
import { identifyDocument, UnsuitableDocumentError } from './identify-document.ts';

const REFUSALS: { readonly [problem in ResumeProblem]?: number } = {
  resumeWrongType: 415,
  resumeSaveAsPdf: 415,
  resumeDamaged: 422,
  resumeHasPassword: 422,
  resumeEmpty: 422,
};

describe('identifyDocument', () => {
  let folder: string;
  beforeAll(async () => {
    folder = makeTemporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true }));

  const verdictOn = async ({ name, bytes }: Pick<CorpusFile, 'name' | 'bytes'>): Promise<number | string> => {
    const path = join(folder, 'file');
    const content = bytes();
    await writeFile(path, content);
    return identifyDocument(path, name, content.length).catch((error: unknown) => {
      if (error instanceof UnsuitableDocumentError) return REFUSALS[error.problem] ?? error.problem;
      throw error;
    });
  };

  it.each(resumeCorpus)('answers $what with $status', async (file) => {
    expect(await verdictOn(file)).toBe(
      file.status === 202 ? (file.becomes ?? extname(file.name).toLowerCase()) : file.status,
    );
  });

  it.each([
    ['a PDF that is marked as encrypted', 'cv.pdf', () => hostilePdf(10_000_000)],
    ['a .docx', 'cv.docx', () => wordOpenXml([{ name: 'word/media/a', bytes: randomBytes(9_900_000) }])],
  ])('reads at most 400 kB > %s of the largest size', async (_what, name, bytes) => {
    const handle = await open(import.meta.filename);
    const reads = jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'read');
    await handle.close();
    expect(await verdictOn({ name, bytes })).toBe(extname(name));
    const results = await Promise.all(reads.mock.results.map(({ value }) => value as Promise<{ bytesRead: number }>));
    const read = results.map(({ bytesRead }) => bytesRead);
    expect(read.length).toBeGreaterThan(0);
    expect(read.reduce((sum, length) => sum + length)).toBeLessThan(400_000);
  });

  it('rejects or accepts a Word document without an exception > any byte wrong', async () => {
    const files = resumeCorpus.filter(({ what }) => what === 'a .doc' || what === 'a .docx');
    expect(files).toHaveLength(2);
    for (const file of files) {
      const bytes = file.bytes();
      for (let at = 0; at < Math.min(bytes.length, 1600); at += 7) {
        const broken = Buffer.from(bytes);
        broken[at] = 0xff;
        expect(['.doc', '.docx', 415, 422]).toContain(await verdictOn({ ...file, bytes: () => broken }));
      }
    }
  });
});
