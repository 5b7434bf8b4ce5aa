import type { StatsFs } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { RESUME_MAX_BYTES } from '../contract/protocol.ts';

/** A stored file in a listing. */
export interface StoredFile {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Storage for the bytes of files. A key has at most one `/`. */
export interface FileStore {
  /** Stores a file of the local disk under a key. Resolves when it is durable. */
  put(path: string, key: string): Promise<void>;
  /** @throws an error with the code ENOENT or NoSuchKey if there is no such file */
  get(key: string): Promise<Readable>;
  /** Deletes a file, if it exists. */
  delete(key: string): Promise<void>;
  list(): AsyncIterable<StoredFile>;
  /** Returns the free bytes, or undefined if there is no such limit. */
  freeBytes(): Promise<number | undefined>;
}

/** Files in a folder on a local disk. */
export class FolderStore implements FileStore {
  constructor(private readonly root: string) {}

  /** Moves the file, which must be on the same disk. Syncs the file before and the folder after the rename. */
  async put(from: string, key: string): Promise<void> {
    const path = join(this.root, key);
    await sync(from);
    if (await mkdir(dirname(path), { recursive: true })) await sync(this.root);
    await rename(from, path);
    await sync(dirname(path));
  }

  async get(key: string): Promise<Readable> {
    const handle = await open(join(this.root, key));
    return handle.createReadStream();
  }

  async delete(key: string): Promise<void> {
    await rm(join(this.root, key), { force: true });
  }

  async *list(): AsyncGenerator<StoredFile> {
    for (const folder of await readdir(this.root).catch(() => [])) {
      if (folder.length !== 2) continue;
      for (const name of await readdir(join(this.root, folder)).catch(() => [])) {
        const found = await stat(join(this.root, folder, name)).catch(() => undefined);
        if (found) yield { key: `${folder}/${name}`, modifiedAt: found.mtimeMs };
      }
    }
  }

  async freeBytes(): Promise<number> {
    await mkdir(this.root, { recursive: true });
    return freeBytesOf(await statfs(this.root));
  }
}

/**
 * Returns the free bytes of a disk. A disk on which few files can be created (inodes) has no more than these files can hold.
 * One that does not number its files, such as Btrfs, has no such limit.
 */
export const freeBytesOf = ({ bavail, bsize, files, ffree }: Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>) =>
  Math.min(bavail * bsize, files > 0 ? ffree * RESUME_MAX_BYTES : Infinity);

/** Makes the bytes of a file, or the entries of a folder, durable (fsync). */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
