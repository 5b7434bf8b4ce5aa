import { rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { readGeneratedFiles } from '../../test/corpus/generated-files.ts';
import { generatedCorpus } from '../../test/corpus/generated.ts';
import { messages } from '../contract/messages.ts';
import { identifyDocument } from './identify-document.ts';

const files = await readGeneratedFiles();
const folder = makeTemporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

describe('identifyDocument > corpus', () => {
  it.each(generatedCorpus)('identifies $file by its contents', async ({ file, becomes, refused }) => {
    const [path, content] = [join(folder, file), files.get(file) ?? Buffer.alloc(0)];
    writeFileSync(path, content);
    const identified = identifyDocument(path, file, content.length);
    if (refused) return expect(identified).rejects.toMatchObject({ message: messages[refused] });
    expect(await identified).toBe(becomes ?? extname(file));
  });

  it('has a file for each row of the table, at least 60 of them accepted', () => {
    expect([...files.keys()].toSorted()).toEqual(generatedCorpus.map(({ file }) => file).toSorted());
    expect(generatedCorpus.filter(({ refused }) => !refused).length).toBeGreaterThanOrEqual(60);
  });
});
