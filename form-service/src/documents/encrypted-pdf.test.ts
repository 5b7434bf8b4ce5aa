import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { generatedCorpus } from '../../test/corpus/generated.ts';
import { isEncryptedPdf } from './encrypted-pdf.ts';

const folder = new URL('../../test/corpus/files/', import.meta.url).pathname;
const files = generatedCorpus.map(({ file }) => file).filter((file) => file.endsWith('.pdf'));

describe('A PDF', () => {
  it.each(files)('%s says that it is encrypted if, and only if, it was made with a password', async (file) => {
    expect(await isEncryptedPdf(createReadStream(folder + file))).toBe(file.includes('password'));
  });

  it('The entry is found where it is cut in two by the pieces in which a file is read', async () => {
    const text = 'trailer << /Size 9 /Encrypt 12 0 R >>';
    for (let cut = 0; cut <= text.length; cut++)
      expect(await isEncryptedPdf(Readable.from([Buffer.from(text.slice(0, cut)), Buffer.from(text.slice(cut))]))).toBe(
        true,
      );
    expect(await isEncryptedPdf(Readable.from([Buffer.from('(the word /Encrypted)')]))).toBe(false);
  });
});
