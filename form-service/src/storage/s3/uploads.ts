import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Holder } from '../holder.ts';
import { StorageUnavailableError } from '../submission-store.ts';

const PREFIX = 'kitewright-uploads-';

/** Uploads at once in one process. With the 10 MiB that each may have, this bounds what the folder needs: 640 MiB. */
const UPLOADS_MAX = 64;

/** Where uploads wait, on this machine's own disk, until they were looked at and are in the bucket. */
export class Uploads {
  private readonly folder: string;
  private opened: Promise<void> | undefined;
  private count = 0;

  constructor(
    private readonly parent: string,
    private readonly holder: Holder,
  ) {
    this.folder = join(parent, `${PREFIX}${holder.name}`);
  }

  /** A path that is free. @throws StorageUnavailableError when too many are under way, or the disk is full */
  async create(): Promise<string> {
    try {
      await (this.opened ??= this.open());
      if ((await readdir(this.folder)).length >= UPLOADS_MAX) throw new StorageUnavailableError('storage: too many uploads at once');
    } catch (error) {
      this.opened = undefined;
      if (error instanceof StorageUnavailableError) throw error;
      throw new StorageUnavailableError(`storage: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
    }
    return join(this.folder, String(++this.count));
  }

  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Makes a folder of this process's own, and removes those that dead ones of this machine left. */
  private async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.parent)) {
      if (name.startsWith(PREFIX) && this.holder.knowsDead(name.slice(PREFIX.length))) await rm(join(this.parent, name), { recursive: true, force: true });
    }
  }
}
