import { afterEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { makeTemporaryFolder, removeAbandonedFolders } from './temporary-folder.ts';

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder whose owner has ended: its start time differs from that of any process. */
function abandoned(): string {
  const folder = join(tmpdir(), `kitewright-${process.pid}-1-${crypto.randomUUID()}`);
  mkdirSync(join(folder, 'disk'), { recursive: true });
  folders.push(folder);
  return folder;
}

describe('abandoned folders', () => {
  it('are removed, and others stay', () => {
    const kept = join(tmpdir(), `kitewright-faults-${basename(abandoned())}`);
    mkdirSync(kept);
    folders.push(kept, makeTemporaryFolder());
    removeAbandonedFolders();
    expect(folders.map(existsSync)).toEqual([false, true, true]);
  });

  (isRoot ? it : it.skip)('are removed with the disks that are mounted there', () => {
    const folder = abandoned();
    const { status } = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', join(folder, 'disk')]);
    // A container without the permission to mount.
    if (status !== 0) return;
    removeAbandonedFolders();
    expect(existsSync(folder)).toBe(false);
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(folder);
  });
});
