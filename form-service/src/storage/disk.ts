import { constants, linkSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { link, mkdir, open, readFile, readlink, rename, statfs, symlink, unlink, type FileHandle } from 'node:fs/promises';
import { GroupCommit } from './group-commit.ts';
import { StorageUnavailableError } from './submission-store.ts';

const UNAVAILABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM', 'ESTALE', 'ENODEV', 'ENXIO']);

/**
 * The few durable steps that the folder store is made of. One step either happens or does not, whatever dies meanwhile.
 * Trouble of the disk itself becomes a {@link StorageUnavailableError}.
 */
export class Disk {
  private readonly commits = new Map<string, FolderCommit>();

  async makeFolder(path: string): Promise<void> {
    await guard(mkdir(path, { recursive: true, mode: 0o700 }));
  }

  /** Creates a file that must not exist yet, with its content on the disk; its name is durable after `syncFolder`. */
  async create(path: string, content: string): Promise<void> {
    const file = await guard(open(path, 'wx', 0o600));
    try {
      await guard(file.writeFile(content));
      await guard(file.datasync());
    } finally {
      await file.close();
    }
  }

  /**
   * Puts a short text under a name that must be free; it need not survive a power cut. A symbolic link that leads nowhere:
   * made in one step, so that a process that dies, or a full disk, never leaves a name without its text.
   */
  async mark(path: string, text: string): Promise<void> {
    try {
      await symlink(text, path);
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** The text put by {@link mark}, or undefined when there is none. */
  async readMark(path: string): Promise<string | undefined> {
    return unlessMissing(readlink(path));
  }

  /**
   * Makes a complete file appear under a name that must be free; false when it is taken. Neither content nor name is
   * durable. Synchronous: these steps in a cached folder cost less than the turns of the thread pool they would take.
   */
  publish(draft: string, path: string, content: string): boolean {
    try {
      writeFileSync(draft, content, { flag: 'wx', mode: 0o600 });
      linkSync(draft, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw unavailable(error);
    } finally {
      removeIfThere(draft);
    }
  }

  /** Puts the content of a file on the disk. False when it is not there. */
  async syncFile(path: string): Promise<boolean> {
    let file: FileHandle;
    try {
      file = await open(path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw unavailable(error);
    }
    try {
      await guard(file.datasync());
      return true;
    } finally {
      await file.close();
    }
  }

  /** Adds to a file and puts it on the disk; nothing happens when it is not there. */
  async append(path: string, content: string): Promise<void> {
    if (!this.has(path)) return;
    const file = await guard(open(path, 'a'));
    try {
      await guard(file.appendFile(content));
      await guard(file.datasync());
    } finally {
      await file.close();
    }
  }

  /** Gives a file a second name. False when that name is taken. */
  async link(from: string, to: string): Promise<boolean> {
    return expecting('EEXIST', link(from, to));
  }

  /** Moves a file, replacing what is there. False when there is nothing to move. */
  async rename(from: string, to: string): Promise<boolean> {
    return expecting('ENOENT', rename(from, to));
  }

  /** Removes a name. False when it is not there. */
  async unlink(path: string): Promise<boolean> {
    return expecting('ENOENT', unlink(path));
  }

  /** Whether a name is there. Synchronous: a look at a cached folder costs less than a turn of the thread pool. */
  has(path: string): boolean {
    try {
      return statSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** The file's text, or undefined when it is not there. */
  async read(path: string): Promise<string | undefined> {
    return unlessMissing(readFile(path, 'utf8'));
  }

  /** Makes all names durable that were changed in a folder before the call. Concurrent calls share one fsync. */
  async syncFolder(path: string): Promise<void> {
    let commit = this.commits.get(path);
    if (!commit) this.commits.set(path, (commit = new FolderCommit(path)));
    await guard(commit.request());
  }

  /** Free bytes for a process that is not root. */
  async freeBytes(path: string): Promise<number> {
    const { bavail, bsize } = await guard(statfs(path));
    return bavail * bsize;
  }

  async close(): Promise<void> {
    await Promise.all([...this.commits.values()].map((commit) => commit.close()));
    this.commits.clear();
  }
}

/** A folder held open for its fsyncs, which concurrent callers share. */
class FolderCommit {
  private handle: FileHandle | undefined;
  private readonly commit = new GroupCommit(async () => {
    this.handle ??= await open(this.path, constants.O_RDONLY | constants.O_DIRECTORY);
    await this.handle.sync();
  });

  constructor(private readonly path: string) {}

  request(): Promise<void> {
    return this.commit.request();
  }

  async close(): Promise<void> {
    await this.commit.idle();
    await this.handle?.close();
    this.handle = undefined;
  }
}

/** What a look at the disk found, or undefined when nothing is there. */
async function unlessMissing<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unavailable(error);
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unavailable(error);
  }
}

async function expecting(code: string, step: Promise<void>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return false;
    throw unavailable(error);
  }
}

async function guard<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw unavailable(error);
  }
}

/** Tells trouble of the disk, which may pass, from other errors. A path may hold a reference only, so the cause is kept. */
export function unavailable(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  return code && UNAVAILABLE.has(code) ? new StorageUnavailableError(`storage: ${code}`, { cause: error }) : error;
}
