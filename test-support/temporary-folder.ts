import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** File system in memory (tmpfs), and the room that it and the machine must have. In a container it often has 64 MiB. */
const MEMORY = '/dev/shm';
const MEMORY_MIN_BYTES = 2 * 1024 ** 3;

/** Folders in which temporary folders are created. */
export const temporaryParents = (): string[] => [...new Set([tmpdir(), MEMORY])].filter((path) => existsSync(path));

/** Creates an empty folder, which the caller removes. */
export function makeTemporaryFolder(parent = tmpdir()): string {
  return mkdtempSync(join(parent, 'kitewright-'));
}

/**
 * Creates an empty folder for databases, in memory if there is room: an fsync that waits for a busy disk makes statements of
 * other connections reach their time limits.
 */
export function makeFolderInMemory(): string {
  return makeTemporaryFolder(hasRoomInMemory() ? MEMORY : tmpdir());
}

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= MEMORY_MIN_BYTES;
}
