import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isRunning } from '../stack/process-group.ts';

/** The name of a folder begins with the identity of the process that created it. */
const OWNED = /^kitewright-(\d+-\w+)-/;

const MOUNTS = '/proc/self/mounts';

/** Creates an empty folder for tests. A later run removes it if this process is killed before it does. */
export function makeTemporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), `kitewright-${identify(process.pid)}-`));
}

/** Removes the folders of processes that have ended without removing them, and the disks that are mounted there. */
export function removeAbandonedFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = OWNED.exec(name)?.[1];
    if (owner === undefined || isRunning(owner)) continue;
    const folder = join(tmpdir(), name);
    for (const disk of mountedIn(folder)) spawnSync('umount', ['--lazy', disk], { stdio: 'ignore' });
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // It belongs to another user, or another run removes it at the same time.
    }
  }
}

/** Returns the mount points in a folder, the latest first: it can be in an earlier one. */
function mountedIn(folder: string): string[] {
  if (!existsSync(MOUNTS)) return [];
  const points = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return points.filter((point) => point.startsWith(`${folder}/`)).toReversed();
}
