import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from './paths.ts';

const FOLDER = join(REPOSITORY, 'node_modules/.cache/site-pictures');

/**
 * Returns the result of `make`, which is kept between builds.
 *
 * @param name file name with a hash of everything that `make` depends on
 */
export async function cache(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const file = join(FOLDER, name);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return kept;
  const made = await make();
  await mkdir(FOLDER, { recursive: true });
  // Atomic write: a build that stops here leaves no partial file, and two pages may make the same file at once.
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, made);
  await rename(unfinished, file);
  return made;
}

/** Short hash that makes file names unique by their content. */
export function hashOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 8);
}
