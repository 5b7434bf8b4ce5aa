import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { socialPicture } from './social-picture.ts';

test('a social picture is a JPEG of 1200 x 630, with the logo where the banner is calm', async () => {
  const picture = await socialPicture('social-card.jpg');
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
  const corner = await sharp(picture).extract({ left: 60, top: 420, width: 150, height: 150 }).toBuffer();
  const { channels } = await sharp(corner).stats();
  expect(Math.min(...channels.map(({ max }) => max))).toBeGreaterThan(220);
});
