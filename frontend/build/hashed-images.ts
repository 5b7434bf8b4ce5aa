import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

/** What only pages name; a JPEG keeps its address, for those who know it from elsewhere. */
const HASHED = new Set(['.avif', '.webp']);

/**
 * Moves the pictures to names with a hash of their content, which browsers may keep for ever.
 *
 * @returns what puts the new addresses into a page
 */
export async function hashImages(site: string): Promise<(html: string) => string> {
  const addresses = new Map<string, string>();
  const files = await readdir(join(site, 'images'), { recursive: true });
  for (const file of files.filter((name) => HASHED.has(extname(name)))) {
    const extension = extname(file);
    const hash = createHash('sha256')
      .update(await readFile(join(site, 'images', file)))
      .digest('hex')
      .slice(0, 8);
    const hashed = `assets/images/${dirname(file)}/${basename(file, extension)}-${hash}${extension}`;
    await mkdir(join(site, dirname(hashed)), { recursive: true });
    await rename(join(site, 'images', file), join(site, hashed));
    addresses.set(`/images/${file}`, `/${hashed}`);
  }
  return (html) => html.replaceAll(/\/images\/[\w/-]+\.(?:avif|webp)/g, (address) => addresses.get(address) ?? address);
}
