import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resumeCorpus, type CorpusFile } from '../../test/corpus/resumes.ts';
import { messages } from '../contract/messages.ts';
import { identifyDocument, UnsuitableDocumentError } from './identify-document.ts';

const REFUSALS: Readonly<Record<string, number>> = {
  [messages.resumeTooLarge]: 413,
  [messages.resumeWrongType]: 415,
  [messages.resumeSaveAsPdf]: 415,
  [messages.resumeDamaged]: 422,
  [messages.resumeHasPassword]: 422,
  [messages.resumeEmpty]: 422,
};

describe('Files that the test makes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kitewright-documents-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const verdictOn = async ({ name, bytes }: Pick<CorpusFile, 'name' | 'bytes'>): Promise<number | string> => {
    const path = join(folder, 'file');
    const content = bytes();
    await writeFile(path, content);
    return identifyDocument(path, name, content.length).catch((error: unknown) => {
      if (error instanceof UnsuitableDocumentError) return REFUSALS[error.message] ?? error.message;
      throw error;
    });
  };

  it.each(resumeCorpus)('$what is answered with $status', async (file) => {
    expect(await verdictOn(file)).toBe(
      file.status === 202 ? (file.becomes ?? extname(file.name).toLowerCase()) : file.status,
    );
  });

  it('Any single wrong byte in a Word document is survived', async () => {
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
