import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { generatedCorpus } from '../../test/corpus/generated.ts';
import { pdfTraits } from './pdf-traits.ts';

const folder = new URL('../../test/corpus/files/', import.meta.url).pathname;
const files = generatedCorpus.map(({ file }) => file).filter((file) => file.endsWith('.pdf'));

const traitsOf = (...pieces: string[]) => pdfTraits(Readable.from(pieces.map((piece) => Buffer.from(piece))));

describe('pdfTraits', () => {
  it.each(files)('finds encryption and the end > %s', async (file) => {
    const isEncrypted = file.includes('password');
    expect(await pdfTraits(createReadStream(folder + file))).toEqual({
      isEncrypted,
      isCutOff: file.includes('cut-short'),
    });
  });

  it('finds both marks > split between two chunks', async () => {
    const text = 'trailer << /Size 9 /Encrypt 12 0 R >>\nstartxref';
    for (let cut = 0; cut <= text.length; cut++)
      expect(await traitsOf(text.slice(0, cut), text.slice(cut))).toEqual({ isEncrypted: true, isCutOff: false });
    expect(await traitsOf('(the word /Encrypted)')).toMatchObject({ isEncrypted: false });
  });

  it('reports a missing end > without startxref and %%EOF', async () => {
    const whole = await readFile(`${folder}npm-pdfkit.pdf`);
    expect(await pdfTraits(Readable.from([whole.subarray(0, whole.length / 2)]))).toEqual({
      isEncrypted: false,
      isCutOff: true,
    });
    expect(await traitsOf('%PDF-1.4 startxref 0')).toMatchObject({ isCutOff: false });
    expect(await traitsOf('%PDF-1.4 %%EOF and what a mail program added')).toMatchObject({ isCutOff: false });
  });
});
