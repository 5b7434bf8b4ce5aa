import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';

/** Returns the contents of the files that other programs made, by name. */
export async function readGeneratedFiles(): Promise<Map<string, Buffer>> {
  const entries = await unpackTar(gunzipSync(readFileSync(new URL('files.tar.gz', import.meta.url))));
  return new Map(entries.map(({ header, data = new Uint8Array() }) => [header.name, Buffer.from(data)]));
}
