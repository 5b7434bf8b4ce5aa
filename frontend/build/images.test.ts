import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { imageNames, pictureMistake, readImages } from './images.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-'));
});
afterEach(() => rm(folder, { recursive: true }));

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b6fb3' } });
const put = async (file: string, content: string | Uint8Array) => {
  await mkdir(join(folder, file, '..'), { recursive: true });
  await writeFile(join(folder, file), content);
};
const facts = async (name: string) => (await readImages(folder)).images.get(name);
const widths = async (name: string) => (await facts(name))?.avif.map(({ width }) => width);

test('a picture has the name of its file, its own size, and files no wider than itself', async () => {
  await put('services/large.png', await picture(2000, 1000).png().toBuffer());
  await put('small.jpg', await picture(900, 300).jpeg().toBuffer());
  expect(imageNames(folder)).toEqual(['services/large', 'small']);
  expect(await facts('services/large')).toMatchObject({ width: 2000, height: 1000, src: '/images/services/large.jpg' });
  expect(await widths('services/large')).toEqual([800, 1200, 1920]);
  expect(await widths('small')).toEqual([800, 900]);
});

test('a changed picture has other addresses', async () => {
  await put('a.png', await picture(10, 10).png().toBuffer());
  const before = (await facts('a'))?.avif[0]?.address;
  await put('a.png', await picture(10, 11).png().toBuffer());
  expect((await facts('a'))?.avif[0]?.address).not.toBe(before);
});

test('a photo that the camera was turned for is upright', async () => {
  await put('tall.jpg', await picture(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer());
  expect(await facts('tall')).toMatchObject({ width: 20, height: 40 });
});

test('a drawing is served as it is', async () => {
  await put('figure.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path d="M0 0h9v9z"/></svg>');
  expect(await facts('figure')).toMatchObject({ width: 60, height: 40, avif: [] });
  expect((await facts('figure'))?.src).toMatch(/^\/assets\/images\/figure-[0-9a-f]{8}\.svg$/);
});

test('what cannot be used is named, all of it at once, with what to do', async () => {
  await put('notes.txt', 'no picture');
  await put('moving.gif', await picture(9, 9).gif().toBuffer());
  await put('twice.jpg', await picture(9, 9).jpeg().toBuffer());
  await put('twice.png', await picture(9, 9).png().toBuffer());
  await put('Team Photo.png', await picture(9, 9).png().toBuffer());
  await put('.DS_Store', 'the system’s own');
  expect((await readImages(folder)).mistakes).toEqual([
    'content/images/Team Photo.png: may have only small letters, digits, - and . in its name',
    'content/images/moving.gif: is gif: export it as PNG, JPEG or SVG',
    'content/images/notes.txt: cannot be read as a picture: export it again as PNG, JPEG or SVG',
    'content/images/twice.png: has the name of twice.jpg: rename one of the two',
  ]);
});

test('a place says what is wrong with its picture', async () => {
  await put('small.png', await picture(900, 300).png().toBuffer());
  const images = await readImages(folder);
  const mistake = (image: string, alt?: string) => pictureMistake(images, { image, alt, minWidth: 1200 });
  expect(mistake('big', '')).toBe('"big" is not there: put it into content/images as big.jpg, .png or .svg');
  expect(mistake('small', '')).toBe('"small" is 900 pixels wide, too few for this place: use one of 1200 or more');
  expect(pictureMistake(images, { image: 'small', alt: undefined })).toMatch(/has no alt/);
  expect(pictureMistake(images, { image: 'small', alt: '' })).toBeUndefined();
});
