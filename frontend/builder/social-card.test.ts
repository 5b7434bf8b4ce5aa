import { expect, test } from '@jest/globals';
import sharp, { type Region } from 'sharp';
import { socialCard } from './social-card.ts';

/** Returns the part of an area that is light, as the letters are. */
async function lightPart(name: string, area: Region): Promise<number> {
  const grey = await sharp(await socialCard(name))
    .extract(area)
    .greyscale()
    .raw()
    .toBuffer();
  return grey.filter((value) => value > 200).length / grey.length;
}

test('a social card has the name of the company', async () => {
  const place = { left: 96, top: 380, width: 500, height: 110 };
  expect(await lightPart('Garance', place)).toBeGreaterThan(0.25);
  expect(await lightPart('....', place)).toBeLessThan(0.05);
});

test('a social card has a long name within its margins', async () => {
  const [inside, margin] = [{ left: 1050 }, { left: 1106 }].map((from) => ({
    top: 400,
    width: 54,
    height: 150,
    ...from,
  }));
  const name = 'Müller & Söhne Ingenieurgesellschaft und Partner';
  expect(await lightPart(name, inside as Region)).toBeGreaterThan(0);
  expect(await lightPart(name, margin as Region)).toBe(0);
});

test('a social card has the mark alone > a letter is missing in the face', async () => {
  const middle = { left: 540, top: 230, width: 120, height: 120 };
  expect(await lightPart('風船 Garance', middle)).toBeGreaterThan(0.25);
  expect(await lightPart('Garance', middle)).toBe(0);
});
