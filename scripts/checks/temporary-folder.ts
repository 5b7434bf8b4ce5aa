import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { identify, isRunning, PID_NAMESPACE } from '../stack/process-group.ts';

/** The name of a folder begins with the identity of the process that created it, and the PID namespace where it holds. */
const OWNED = /^kitewright-(\d+-\w+)-(\d+)-/;

const MOUNTS = '/proc/self/mounts';

/** A space or tab of a path in the list of mounts. */
const ESCAPED = /\\([0-7]{3})/g;

/** File system in memory (tmpfs), and the room that it and the machine must have. In a container it often has 64 MiB. */
const MEMORY = '/dev/shm';
const MEMORY_MIN_BYTES = 4 * 1024 ** 3;

/** Folders in which temporary folders are created. */
export function temporaryParents(): string[] {
  return [tmpdir(), MEMORY].filter((path, at, all) => existsSync(path) && all.indexOf(path) === at);
}

/** Creates an empty folder for tests. A later run removes it if this process is killed before it does. */
export function makeTemporaryFolder(parent = tmpdir()): string {
  return mkdtempSync(join(parent, `kitewright-${identify(process.pid)}-${PID_NAMESPACE}-`));
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

/**
 * Removes the folders of this user's processes that have ended without removing them, and the disks that are mounted there.
 * Those of a container that shares the folder of temporary files stay: whether its processes run is not visible.
 */
export function removeAbandonedFolders(): void {
  const folders = temporaryParents().flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)));
  for (const folder of folders) {
    const [, owner, namespace] = OWNED.exec(basename(folder)) ?? [];
    if (owner === undefined || namespace !== PID_NAMESPACE || isRunning(owner)) continue;
    try {
      if (isOwnFolder(folder)) removeWithDisks(folder);
    } catch {
      // Another run removes it at the same time.
    }
  }
}

/** Whether a path is a folder of this user: another user could exchange a part of it for a link during the removal. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === userInfo().uid;
}

/** Removes a folder, unless a disk stays mounted there: its files may be those of somebody else. */
function removeWithDisks(folder: string): void {
  for (const disk of mountedIn(folder)) spawnSync('umount', ['--lazy', disk], { stdio: 'ignore' });
  if (mountedIn(folder).length === 0) rmSync(folder, { recursive: true, force: true });
}

/** Returns the mount points of a folder and in it, the latest first: it can be in an earlier one. */
function mountedIn(folder: string): string[] {
  if (!existsSync(MOUNTS)) return [];
  const path = realpathSync(folder);
  const points = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .map((line) => (line.split(' ')[1] ?? '').replaceAll(ESCAPED, (_, code) => String.fromCharCode(parseInt(code, 8))));
  return points.filter((point) => point === path || point.startsWith(`${path}/`)).toReversed();
}
