import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { compressAll } from './compress.ts';

const LONG = '<p>Building the future of software</p>\n'.repeat(100);

let folder: string;
const write = (name: string, content: string) => writeFile(join(folder, name), content);
const names = async (path = '') => (await readdir(join(folder, path))).toSorted();

beforeEach(async () => {
  folder = makeTemporaryFolder();
});
afterEach(() => rm(folder, { recursive: true }));

test('writes a brotli and a gzip copy of a text file, also in a folder', async () => {
  await mkdir(join(folder, 'services'));
  await write('services/page.html', LONG);
  await compressAll(folder);
  expect(await names('services')).toEqual(['page.html', 'page.html.br', 'page.html.gz']);
  const [brotli, gzip] = await Promise.all(
    ['br', 'gz'].map((kind) => readFile(join(folder, `services/page.html.${kind}`))),
  );
  expect(brotliDecompressSync(brotli ?? '').toString()).toBe(LONG);
  expect(gunzipSync(gzip ?? '').toString()).toBe(LONG);
});

test.each(['a.html', 'a.css', 'a.js', 'a.svg', 'a.xml', 'a.txt', 'a.json'])('compresses %s', async (name) => {
  await write(name, LONG);
  await compressAll(folder);
  expect(await names()).toHaveLength(3);
});

test.each(['a.png', 'a.avif', 'a.woff2', 'a.html.br', 'a.html.gz', 'html'])('does not compress %s', async (name) => {
  await write(name, LONG);
  await compressAll(folder);
  expect(await names()).toEqual([name]);
});

test('does not compress a small file', async () => {
  await write('small.txt', 'x'.repeat(255));
  await write('enough.txt', 'x'.repeat(256));
  await compressAll(folder);
  expect(await names()).toEqual(['enough.txt', 'enough.txt.br', 'enough.txt.gz', 'small.txt']);
});
