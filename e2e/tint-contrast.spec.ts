import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { colourToken, hueNames } from '../frontend/build/brand.ts';
import { CONTENT } from '../frontend/build/paths.ts';
import { expect, test } from './harness/test.ts';
import { contrast, luminance, type Rgb } from './pages/accessibility.ts';

const BRAND = parse(readFileSync(join(CONTENT, 'brand.yaml'), 'utf8')) as { hues: object };
const STYLES = readFileSync(new URL('../frontend/src/styles/app.css', import.meta.url), 'utf8');
/** CSS formula of a page's tint in the light theme. */
const [, TINT = ''] = /--color-daylight: (.+);/.exec(STYLES) ?? [];

/** Text colours on a tint: a token, or mixed with the hue as in the style sheet. */
const TEXTS = {
  ink: () => colourToken('ink'),
  muted: () => colourToken('muted'),
  signal: () => colourToken('signal'),
  'hue-ink': (hue: string) => `color-mix(in oklab, ${hue} 62%, ${colourToken('ink')})`,
} as const;

/** WCAG 2.2 AA, for text of any size. */
const MIN_CONTRAST = 4.5;

test('tint > is not grey and has enough contrast with all text > every hue', async ({ page }) => {
  await page.goto('/');
  const paint = (colour: string) =>
    page.evaluate((css) => {
      const context = document.createElement('canvas').getContext('2d');
      if (!context) throw new Error('no canvas');
      context.fillStyle = css;
      context.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
      return [red, green, blue] as const;
    }, colour);
  expect(hueNames()).toEqual(Object.keys(BRAND.hues));
  for (const name of hueNames()) {
    const hue = colourToken(`hue-${name}`);
    const ground: Rgb = await paint(TINT.replace('var(--hue)', hue));
    expect(Math.max(...ground) - Math.min(...ground), `${name} is no grey`).toBeGreaterThan(10);
    for (const [text, of] of Object.entries(TEXTS))
      expect
        .soft(contrast(luminance(await paint(of(hue))), luminance(ground)), `${text} on ${name}`)
        .toBeGreaterThanOrEqual(MIN_CONTRAST);
  }
});
