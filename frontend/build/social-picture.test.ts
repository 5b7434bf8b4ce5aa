import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { drawWords, socialPicture } from './social-picture.ts';

const words = { title: 'Agentic AI', kicker: 'Agents', company: 'Kitewright', hue: 'hue-teal' };

test('a social picture is a JPEG of 1200 x 630', async () => {
  const picture = await socialPicture({ ...words, picture: 'social-card.jpg' });
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
});

test('its words are outlines, so that it needs no font of the machine', async () => {
  const drawn = await drawWords({ ...words, title: 'Fähige Teams – “99 %” für €8,000 & más' });
  expect(drawn).not.toContain('<text');
  expect(await drawWords({ ...words, company: 'Another' })).not.toBe(await drawWords(words));
});

test.each([
  'Young Ambitious People Enhancing Your Business',
  'Flexible Development Teams & Outsourcing Solutions',
  'Senior Internationalisation and Localisation Engineer (German, French and Spanish)',
])('the title "%s" ends above the logo and left of the picture', async (title) => {
  const drawing = await sharp(Buffer.from(await drawWords({ ...words, title })))
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer();
  const ink = async (box: { left: number; top: number; width: number; height: number }) => {
    const { channels } = await sharp(await sharp(drawing).extract(box).toBuffer()).stats();
    return Math.min(...channels.map(({ min }) => min));
  };
  expect(await ink({ left: 60, top: 140, width: 500, height: 60 })).toBeLessThan(100);
  expect(await ink({ left: 60, top: 470, width: 500, height: 36 })).toBeGreaterThan(200);
  expect(await ink({ left: 602, top: 140, width: 10, height: 330 })).toBeGreaterThan(200);
});
