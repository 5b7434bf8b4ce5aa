import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesIn } from './content/file-names.ts';

const TEXT = /\.(?:html|css|js|svg|xml|txt|json)$/;

/** Size in bytes below which a file is not compressed. */
const MIN_BYTES = 256;

/** Writes a brotli and a gzip copy next to every text file, at the highest level, which is brotli's default, so that nginx never compresses. */
export async function compressAll(folder: string): Promise<void> {
  const names = filesIn(folder).filter((name) => TEXT.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const content = await readFile(file);
      if (content.length < MIN_BYTES) return;
      const [brotli, gzipped] = await Promise.all([
        promisify(brotliCompress)(content),
        promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
    }),
  );
}
