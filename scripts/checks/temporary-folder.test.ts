import { afterEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PID_NAMESPACE } from '../stack/process-group.ts';
import { makeTemporaryFolder, removeAbandonedFolders, temporaryParents } from './temporary-folder.ts';

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
const disks: string[] = [];
afterEach(() => {
  for (const disk of disks.splice(0)) spawnSync('umount', ['--lazy', disk], { stdio: 'ignore' });
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Returns the path of a folder whose owner has ended: its start time differs from that of any process. */
function abandonedPath(namespace = PID_NAMESPACE, suffix = '', parent = tmpdir()): string {
  const folder = join(parent, `kitewright-${process.pid}-1-${namespace}-${crypto.randomUUID()}${suffix}`);
  folders.push(folder);
  return folder;
}

function abandoned(...parts: Parameters<typeof abandonedPath>): string {
  const folder = abandonedPath(...parts);
  mkdirSync(join(folder, 'disk'), { recursive: true });
  return folder;
}

/** Mounts a disk or a folder. Returns false in a container without the permission to. */
function isMounted(at: string, ...options: readonly string[]): boolean {
  disks.push(at);
  return spawnSync('mount', [...options, at]).status === 0;
}

describe('abandoned folders', () => {
  it('are removed, and others stay', () => {
    const kept = join(tmpdir(), `kitewright-faults-${basename(abandoned())}`);
    mkdirSync(kept);
    folders.push(kept, makeTemporaryFolder());
    removeAbandonedFolders();
    expect(folders.map(existsSync)).toEqual([false, true, true]);
  });

  it.each(temporaryParents())('are removed, and the folder in use stays > %s', (parent) => {
    abandoned(PID_NAMESPACE, '', parent);
    folders.push(makeTemporaryFolder(parent));
    removeAbandonedFolders();
    expect(folders.map(existsSync)).toEqual([false, true]);
  });

  it('stay > their process runs perhaps, in another container', () => {
    const folder = abandoned(`${PID_NAMESPACE}1`);
    removeAbandonedFolders();
    expect(existsSync(folder)).toBe(true);
  });

  it('stay > the name is a link to another folder', () => {
    const [target, link] = [makeTemporaryFolder(), abandonedPath()];
    folders.push(target);
    writeFileSync(join(target, 'file'), '');
    symlinkSync(target, link);
    removeAbandonedFolders();
    expect([link, join(target, 'file')].map(existsSync)).toEqual([true, true]);
  });

  (isRoot ? it : it.skip)('stay > they belong to another user', () => {
    const folder = abandoned();
    chownSync(folder, 65_534, 65_534);
    removeAbandonedFolders();
    expect(existsSync(folder)).toBe(true);
  });

  (isRoot ? it : it.skip).each(['', ' with a space'])('are removed with their disks > name%s', (suffix) => {
    const folder = abandoned(PID_NAMESPACE, suffix);
    if (!isMounted(join(folder, 'disk'), '-t', 'tmpfs', 'tmpfs')) return;
    removeAbandonedFolders();
    expect(existsSync(folder)).toBe(false);
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(
      basename(folder).slice(0, -suffix.length || undefined),
    );
  });

  (isRoot ? it : it.skip).each([
    ['at the folder', ''],
    ['in the folder', 'disk'],
  ])('are removed without the files of another folder > it is mounted %s', (_where, name) => {
    const [other, folder] = [makeTemporaryFolder(), abandoned()];
    folders.push(other);
    writeFileSync(join(other, 'file'), '');
    if (!isMounted(join(folder, name), '--bind', other)) return;
    removeAbandonedFolders();
    expect([folder, join(other, 'file')].map(existsSync)).toEqual([false, true]);
  });
});
