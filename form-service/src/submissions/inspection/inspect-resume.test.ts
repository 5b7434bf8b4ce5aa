import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RESUME_MAX_BYTES } from '../../contract/limits.ts';
import { resumeCorpus, type CorpusFile } from '../../../test/corpus/resumes.ts';
import { HttpError } from '../../intake/http-error.ts';
import { inspectResume } from './inspect-resume.ts';

describe('inspectResume', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kitewright-inspection-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(resumeCorpus)('answers $what with $status', async (file) => {
    const { status, warnings } = await verdictOn(folder, file);
    expect(status).toBe(file.status);
    expect(warnings).toEqual(file.warnings ?? []);
  });

  it('survives any single byte of a Word document being wrong', async () => {
    const files = resumeCorpus.filter(({ what }) => what === 'a .doc' || what === 'a .docx');
    expect(files).toHaveLength(2);
    for (const file of files) {
      const bytes = file.bytes();
      for (let at = 0; at < Math.min(bytes.length, 1600); at += 7) {
        const broken = Buffer.from(bytes);
        broken[at] = 0xff;
        expect([202, 415, 422]).toContain((await verdictOn(folder, { ...file, bytes: () => broken })).status);
      }
    }
  });
});

async function verdictOn(folder: string, file: CorpusFile): Promise<{ status: number; warnings: readonly string[] }> {
  const path = join(folder, 'file');
  const bytes = file.bytes();
  await writeFile(path, bytes);
  const upload = { path, size: bytes.length, tooLarge: bytes.length > RESUME_MAX_BYTES, originalname: file.name, mimetype: file.type };
  try {
    const { warnings } = await inspectResume(upload);
    return { status: 202, warnings };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { status: error.status, warnings: [] };
  }
}
