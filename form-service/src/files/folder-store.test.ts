import { expect, it } from '@jest/globals';
import { freeBytesOf } from './folder-store.ts';

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
