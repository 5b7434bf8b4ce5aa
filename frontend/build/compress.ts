import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(?:html|css|js|svg|xml|txt|json|webmanifest)$/;

/** Bytes below which a compressed copy is not worth a second file. */
const MIN_BYTES = 256;

/** Writes a brotli and a gzip copy beside every text file, at the highest level, so that nginx never compresses. */
export async function compressAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      if (content.length < MIN_BYTES) return;
      const [brotlied, gzipped] = await Promise.all([brotli(content), promisify(gzip)(content, { level: 9 })]);
      await Promise.all([writeFile(`${file}.br`, brotlied), writeFile(`${file}.gz`, gzipped)]);
    }),
  );
}

/** Which block size is best differs from file to file, by some 40 bytes of a page. */
async function brotli(content: Buffer): Promise<Buffer> {
  const compressed = await Promise.all(
    [0, 16].flatMap((block) =>
      [0, 1].map((postfix) =>
        promisify(brotliCompress)(content, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 11,
            [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
            [constants.BROTLI_PARAM_LGBLOCK]: block,
            [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
          },
        }),
      ),
    ),
  );
  return compressed.toSorted((a, b) => a.length - b.length)[0] ?? content;
}
