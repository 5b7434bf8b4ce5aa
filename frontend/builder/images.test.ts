import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { encodePhotos } from './image-files.ts';
import { readImages } from './images.ts';

let folder: string;
beforeEach(async () => {
  folder = makeTemporaryFolder();
});
afterEach(() => rm(folder, { recursive: true }));

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b6fb3' } });
const put = async (file: string, content: string | Uint8Array) => {
  await mkdir(join(folder, file, '..'), { recursive: true });
  await writeFile(join(folder, file), content);
};
const facts = (name: string) => readImages(folder).images.get(name);
const widths = (name: string) => facts(name)?.avif.map(({ width }) => width);

test('returns size and files of a picture, none wider than the master', async () => {
  await put('services/large.png', await picture(2000, 1000).png().toBuffer());
  await put('small.jpg', await picture(900, 300).jpeg().toBuffer());
  await put('photo.webp', await picture(1300, 900).webp().toBuffer());
  expect(facts('photo')).toMatchObject({ width: 1300, height: 900, src: '/images/photo.jpg' });
  expect(facts('services/large')).toMatchObject({ width: 2000, height: 1000, src: '/images/services/large.jpg' });
  expect(widths('services/large')).toEqual([800, 1200, 1920]);
  expect(widths('small')).toEqual([800, 900]);
});

test('rotates a photo by its EXIF orientation', async () => {
  await put('tall.jpg', await picture(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer());
  expect(facts('tall')).toMatchObject({ width: 20, height: 40 });
});

test('reports all unusable files at once, with what to do', async () => {
  await put('notes.txt', 'no picture');
  await put('moving.gif', await picture(9, 9).gif().toBuffer());
  await put('twice.jpg', await picture(9, 9).jpeg().toBuffer());
  await put('twice.png', await picture(9, 9).png().toBuffer());
  await put('Team Photo.png', await picture(9, 9).png().toBuffer());
  await put('drawings/kite.png', await picture(9, 9).png().toBuffer());
  await put('figures/plan.png', await picture(9, 9).png().toBuffer());
  await put('.DS_Store', 'the system’s own');
  expect(readImages(folder).mistakes.map(({ file, message }) => `${file}: ${message}`)).toEqual([
    'images/Team Photo.png: may have only small letters, digits, - and . in its name: rename it team-photo.png',
    'images/drawings/kite.png: must be an SVG. A photo stands in images/, at the place of a page\'s "picture:"',
    'images/figures/plan.png: must be an SVG. A photo stands in images/, at the place of a page\'s "picture:"',
    'images/moving.gif: is gif: export it as PNG, JPEG, WebP or SVG',
    'images/notes.txt: cannot be read as a picture: export it again as PNG, JPEG, WebP or SVG',
    'images/twice.png: has the name of twice.jpg: delete or rename one of the two',
  ]);
});

test('reads a drawing with single quotes and remarks, and reports one without a viewBox', async () => {
  const xmlns = 'xmlns="http://www.w3.org/2000/svg"';
  const shape = '<path d="M0 0h9v9z"/>';
  await put('drawings/kite.svg', `<?xml version='1.0'?><!-- <svg> --><svg ${xmlns} viewBox='0 0 9 9'>${shape}</svg>`);
  await put('logo.svg', `<svg ${xmlns} width="9" height="9">${shape}</svg>`);
  expect(facts('drawings/kite')?.drawing).toMatchObject({ viewBox: '0 0 9 9', inner: shape });
  expect(readImages(folder).mistakes).toMatchObject([
    { file: 'images/logo.svg', line: 1, message: expect.stringContaining('has no viewBox with four numbers') },
  ]);
});

test.each(['jpeg', 'png', 'webp'] as const)('names a damaged photo > %s', async (format) => {
  const pixels = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * index) % 251));
  const whole = await sharp(pixels, { raw: { width: 300, height: 300, channels: 3 } })
    .toFormat(format)
    .toBuffer();
  await put(`team.${format.replace('jpeg', 'jpg')}`, whole.subarray(0, whole.length / 3));
  expect(readImages(folder).mistakes).toEqual([]);
  await expect(encodePhotos(folder)).rejects.toThrow(
    /^content\/images\/team\.\w+:1: is damaged: copy it again, or export it again$/,
  );
});
