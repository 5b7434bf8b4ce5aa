import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(4 * 1024 * 1024);

/** A disk of a known size that can be filled: a tmpfs, for which one has to be root. */
export class SmallDisk {
  private readonly ballast: string;
  private readonly path: string;

  private constructor(path: string) {
    this.path = path;
    this.ballast = join(path, 'ballast');
  }

  /** Mounts one, or returns undefined where that is not allowed. */
  static mount(path: string, bytes: number): SmallDisk | undefined {
    mkdirSync(path, { recursive: true });
    const args = ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', path];
    return spawnSync('mount', args, { stdio: 'ignore' }).status === 0 ? new SmallDisk(path) : undefined;
  }

  /** Leaves no byte free. */
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

  /** @returns false when a file on it is open for writing */
  setReadOnly(isReadOnly: boolean): boolean {
    const args = ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, this.path];
    return spawnSync('mount', args, { stdio: 'ignore' }).status === 0;
  }

  async empty(): Promise<void> {
    await rm(this.ballast, { force: true });
  }

  /** Lazily: a process that is just ending may still hold a file. */
  unmount(): void {
    spawnSync('umount', ['--lazy', this.path], { stdio: 'ignore' });
    rmSync(this.path, { recursive: true, force: true });
  }
}

function refuseAnythingButFull(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOSPC') throw error;
}
