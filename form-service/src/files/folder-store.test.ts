import { existsSync } from 'node:fs';
import { open, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { FolderStore, freeBytesOf } from './folder-store.ts';

const MEBIBYTE = 2 ** 20;
/** 57 MiB of blocks are free. */
const DISK = { bavail: 57 * 256, bsize: 4_096 };

it.each([
  ['no inode left', { files: 200, ffree: 0 }, 0],
  ['three inodes left', { files: 200, ffree: 3 }, 30 * MEBIBYTE],
  ['enough inodes', { files: 200, ffree: 6 }, 57 * MEBIBYTE],
  ['a disk that numbers no files', { files: 0, ffree: 0 }, 57 * MEBIBYTE],
])('freeBytesOf > counts inodes as files of the largest size > %s', (_what, inodes, bytes) => {
  expect(freeBytesOf({ ...DISK, ...inodes })).toBe(bytes);
});

// The power-cut test has ext4, where the sync of the database also commits a rename.
it('FolderStore > syncs the file, then the folders that name it', async () => {
  const folder = await temporaryFolder();
  const [upload, stored] = [join(folder.path, 'upload'), join(folder.path, 'ab/KW-1')];
  await writeFile(upload, 'bytes');
  const handle = await open(upload);
  await handle.close();
  const synced: [inode: number, isStored: boolean][] = [];
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  const { sync } = handles;
  jest.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    synced.push([(await this.stat()).ino, existsSync(stored)]);
    await sync.call(this);
  });
  await new FolderStore(folder.path).put(upload, 'ab/KW-1');
  const [file, root, inner] = await Promise.all([stat(stored), stat(folder.path), stat(join(folder.path, 'ab'))]);
  expect(synced).toEqual([
    [file.ino, false],
    [root.ino, false],
    [inner.ino, true],
  ]);
  await folder.remove();
});
