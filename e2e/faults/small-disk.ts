import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(4 * 1024 * 1024);

/** A tmpfs of a known size that can be filled. Mounting it requires root. */
export class SmallDisk {
  private readonly ballast: string;
  private readonly path: string;

  private constructor(path: string) {
    this.path = path;
    this.ballast = join(path, 'ballast');
  }

  /** Mounts a disk, or returns undefined without the permission. */
  static mount(path: string, bytes: number): SmallDisk | undefined {
    mkdirSync(path, { recursive: true });
    const args = ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', path];
    return spawnSync('mount', args, { stdio: 'ignore' }).status === 0 ? new SmallDisk(path) : undefined;
  }

  /** Fills the disk to the last byte. */
  async fill(): Promise<void> {
    const file = await open(this.ballast, 'w');
    try {
      for (let size = CHUNK.length; size >= 1;) {
        const written = await file.write(CHUNK, 0, size).catch(refuseAnythingButFull);
        if (written === undefined) size = Math.floor(size / 2);
      }
    } finally {
      await file.close();
    }
  }

  async empty(): Promise<void> {
    await rm(this.ballast, { force: true });
  }

  /** Lazy unmount: an ending process may still have an open file. */
  unmount(): void {
    spawnSync('umount', ['--lazy', this.path], { stdio: 'ignore' });
    rmSync(this.path, { recursive: true, force: true });
  }
}

function refuseAnythingButFull(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOSPC') throw error;
}
