import { rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { readGeneratedFiles } from '../../test/corpus/generated-files.ts';
import { messages } from '../contract/messages.ts';
import { identifyDocument } from './identify-document.ts';

const files = await readGeneratedFiles();
const folder = makeTemporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** Files that do not get the extension of their name. */
const OTHERS: Readonly<Record<string, string>> = {
  'libreoffice-open-document.docx': messages.resumeSaveAsPdf,
  'libreoffice-web-page.doc': messages.resumeSaveAsPdf,
  'docx-renamed.doc': '.docx',
  'doc-renamed.docx': '.doc',
  'pdf-renamed.doc': '.pdf',
  'mail-archive.doc': messages.resumeSaveAsPdf,
  'download-cut-short.docx': messages.resumeDamaged,
  'download-cut-short.doc': messages.resumeWrongType,
};

describe('identifyDocument > corpus', () => {
  it.each([...files])('identifies %s by its contents', async (file, content) => {
    const path = join(folder, file);
    writeFileSync(path, content);
    const verdict = await identifyDocument(path, file, content.length).catch(({ message }: Error) => message);
    expect(verdict).toBe(OTHERS[file] ?? extname(file));
  });

  it('has all files', () => {
    expect([files.size, Object.keys(OTHERS).every((file) => files.has(file))]).toEqual([126, true]);
  });
});
