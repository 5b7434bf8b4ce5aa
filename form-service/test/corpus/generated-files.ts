import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';

/** All generated files in one archive. */
export const ARCHIVE = new URL('files.tar.gz', import.meta.url);

/** Returns the contents of the generated files by name. */
export async function readGeneratedFiles(): Promise<Map<string, Buffer>> {
  const entries = await unpackTar(gunzipSync(readFileSync(ARCHIVE)));
  return new Map(entries.map(({ header, data = new Uint8Array() }) => [header.name, Buffer.from(data)]));
}

/** Returns the archive of the files. The same files give the same bytes. */
export async function packGeneratedFiles(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const entries = Array.from(files, ([name, body]) => ({ header: { name, size: body.length, mtime: new Date(0) }, body }));
  return gzipSync(await packTar(entries), { level: 9 });
}
