import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Holder } from '../holder.ts';
import { StorageUnavailableError } from '../submission-store.ts';

const PREFIX = 'kitewright-uploads-';

/** Uploads at once in one process. With the 10 MiB that each may have, this bounds what the folder needs: 640 MiB. */
const UPLOADS_MAX = 64;

/** An upload takes minutes at most, in milliseconds. */
const ABANDONED_MS = 3_600_000;

/** Where uploads wait, on this machine's own disk, until they were looked at and are in the bucket. */
export class Uploads {
  private readonly folder: string;
  private tidied = false;
  private count = 0;

  constructor(
    private readonly parent: string,
    private readonly holder: Holder,
  ) {
    this.folder = join(parent, `${PREFIX}${holder.name}`);
  }

  /** A path that is free. @throws StorageUnavailableError when too many are under way, or the disk cannot be written */
  async create(): Promise<string> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      if (!this.tidied) await this.removeAbandoned();
      this.tidied = true;
      if ((await readdir(this.folder)).length < UPLOADS_MAX) return join(this.folder, String(++this.count));
    } catch (error) {
      throw new StorageUnavailableError(`storage: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
    }
    throw new StorageUnavailableError('storage: too many uploads at once');
  }

  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Removes the folders of processes that are known to be dead, or that received nothing for long. */
  private async removeAbandoned(): Promise<void> {
    for (const name of await readdir(this.parent)) {
      if (!name.startsWith(PREFIX) || name === basename(this.folder)) continue;
      const path = join(this.parent, name);
      const isOld = await stat(path).then(({ mtimeMs }) => Date.now() - mtimeMs > ABANDONED_MS, () => false);
      if (isOld || this.holder.knowsDead(name.slice(PREFIX.length))) await rm(path, { recursive: true, force: true });
    }
  }
}
