import { readdirSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { generatedCorpus } from '../../test/corpus/generated.ts';
import { messages } from '../contract/messages.ts';
import { identifyDocument } from './identify-document.ts';

const folder = new URL('../../test/corpus/files/', import.meta.url).pathname;

describe('identifyDocument > corpus', () => {
  it.each(generatedCorpus)('identifies $file by its contents', async ({ file, becomes, refused }) => {
    const identified = identifyDocument(folder + file, file, statSync(folder + file).size);
    if (refused) return expect(identified).rejects.toMatchObject({ message: messages[refused] });
    expect(await identified).toBe(becomes ?? extname(file));
  });

  it('has a file for each row of the table, at least 60 of them accepted', () => {
    expect(readdirSync(folder).toSorted()).toEqual(generatedCorpus.map(({ file }) => file).toSorted());
    expect(generatedCorpus.filter(({ refused }) => !refused).length).toBeGreaterThanOrEqual(60);
  });
});
