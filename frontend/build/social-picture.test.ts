import { describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { SOCIAL_SIZE, socialDrawing, socialPicture, type SocialWords } from './social-picture.ts';

jest.setTimeout(60_000);

const AGENTS: SocialWords = { title: 'Agentic AI', kicker: 'Agentic AI', hue: 'teal', slug: 'agentic-ai' };

describe('the social picture', () => {
  test('is a JPEG of 1200 x 630 and at most 80 kB, whatever the scene', async () => {
    for (const slug of ['emerging-tech', 'sap-consulting', 'about', 'contact']) {
      const picture = await socialPicture({ ...AGENTS, slug });
      expect(picture.length).toBeLessThanOrEqual(80_000);
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', ...SOCIAL_SIZE });
    }
  });

  test('is the same for the same words, and another for other words', async () => {
    expect(await socialDrawing(AGENTS)).toBe(await socialDrawing(AGENTS));
    expect(await socialDrawing(AGENTS)).not.toBe(await socialDrawing({ ...AGENTS, title: 'Agents' }));
    expect(await socialDrawing(AGENTS)).not.toBe(await socialDrawing({ ...AGENTS, slug: 'contact' }));
  });

  test('needs no system font for the letters of the display face', async () => {
    const drawing = await socialDrawing({ ...AGENTS, title: 'Fähige Teams – “99 %” für €8,000 & más' });
    expect(drawing).not.toContain('<text');
    expect(drawing).not.toContain('NaN');
  });

  test('still shows, escaped, a title in another script', async () => {
    expect(await socialDrawing({ ...AGENTS, title: 'தமிழ் <b>&' })).toMatch(/<text[^>]*>தமிழ் &lt;b>&amp;<\/text>/);
  });
});
