import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { parse } from 'yaml';
import { colourToken, hueNames, type Theme } from '../frontend/builder/brand.ts';
import { CONTENT } from '../frontend/builder/paths.ts';
import { htmlOf } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { contrast, luminance, type Rgb } from './pages/accessibility.ts';
import { paths } from './pages/site.ts';
import { servicePath } from './support/content.ts';

const BRAND = parse(readFileSync(join(CONTENT, 'brand.yaml'), 'utf8')) as { hues: object };
const STYLES = readFileSync(new URL('../frontend/src/styles/app.css', import.meta.url), 'utf8');
const THEMES = ['light', 'dark'] as const;

/** CSS formulas of a page's tint, and of the sky of a card. */
const [, TINT = ''] = /--color-tint: ([^;]+);/.exec(STYLES) ?? [];
const [, PLATE = ''] = /--color-plate: ([^;]+);/.exec(STYLES) ?? [];

/** Text colours: a token, or mixed with the hue as in the style sheet. */
const colourOf = (text: string, hue: string, theme: Theme) =>
  text === 'hue-ink' ? `color-mix(in oklab, ${hue} 62%, ${colourToken('ink', theme)})` : colourToken(text, theme);

/** Backgrounds, each with the text on it, and the least difference of its channels: no grey. */
const GROUNDS = [
  { name: 'tint', formula: TINT, texts: ['ink', 'muted', 'signal', 'hue-ink'], colourful: 10 },
  { name: 'sky of a card', formula: PLATE, texts: ['ink', 'muted', 'hue-ink'], colourful: 15 },
];

/** WCAG 2.2 AA, for text of any size. */
const MIN_CONTRAST = 4.5;

/** Returns the colour that the browser paints for one of CSS. */
const paint = (page: Page, colour: string, variables: Readonly<Record<string, string>>, theme: Theme) =>
  page.evaluate(
    ([css, values, scheme]) => {
      const element = document.body.appendChild(document.createElement('i'));
      for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value);
      element.style.colorScheme = scheme;
      element.style.color = css;
      const context = document.createElement('canvas').getContext('2d');
      if (!context) throw new Error('no canvas');
      context.fillStyle = getComputedStyle(element).color;
      context.fillRect(0, 0, 1, 1);
      element.remove();
      const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
      return [red, green, blue] as const;
    },
    [colour, variables, theme] as const,
  );

for (const theme of THEMES)
  for (const { name, formula, texts, colourful } of GROUNDS)
    test(`${name} > is not grey and has enough contrast with all text > ${theme}`, async ({ page }) => {
      await page.goto('/');
      expect(formula).toContain('oklch');
      expect(hueNames()).toEqual(Object.keys(BRAND.hues));
      for (const hueName of hueNames()) {
        const hue = colourToken(`hue-${hueName}`, theme);
        const tokens = { '--hue': hue, '--color-surface': colourToken('surface', theme) };
        const ground: Rgb = await paint(page, formula, tokens, theme);
        expect(Math.max(...ground) - Math.min(...ground), `${hueName} is no grey`).toBeGreaterThan(colourful);
        for (const text of texts)
          expect
            .soft(
              contrast(luminance(await paint(page, colourOf(text, hue, theme), {}, theme)), luminance(ground)),
              `${text} on ${hueName}`,
            )
            .toBeGreaterThanOrEqual(MIN_CONTRAST);
      }
    });

/** Least difference of two skies in a channel. */
const LEAST = 5;

/** Greatest difference of two colours in a channel. */
const distance = (one: Rgb, other: Rgb) => Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? 0))));

for (const theme of THEMES)
  test(`skies of neighbouring cards > can be told apart > ${theme}`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    await page.goto('/');
    const cards = page.locator('[data-section=service-cards] li:has(h3)');
    const skies = new Map<string, Rgb>();
    for (const card of await cards.all()) {
      const hue = await card.evaluate((element) => getComputedStyle(element).getPropertyValue('--hue'));
      skies.set(hue, await pixelOf(await card.screenshot(), 12, 8));
    }
    for (const [index, sky] of [...skies.values()].entries())
      for (const other of [...skies.values()].slice(index + 1)) expect(distance(sky, other)).toBeGreaterThan(LEAST);
  });

const TWO_TINTS = /data-ground="tint"(?:(?!<section).)*<section[^>]*data-ground="tint"/s;

for (const path of paths.filter((one) => TWO_TINTS.test(htmlOf(one))))
  for (const theme of THEMES)
    test(`tinted sections > meet without an edge > ${path}, ${theme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(path);
      const second = page.locator('[data-ground=tint] + [data-ground=tint]').first();
      const top = await second.evaluate((section) => {
        section.scrollIntoView({ block: 'center', behavior: 'instant' });
        scrollBy({ top: section.getBoundingClientRect().top - innerHeight / 2, behavior: 'instant' });
        return section.getBoundingClientRect().top;
      });
      const picture = await page.screenshot();
      const [above, below] = [await pixelOf(picture, 4, top - 4), await pixelOf(picture, 4, top + 4)];
      expect(distance(above, below)).toBeLessThan(3);
    });

test('hero with a picture > ends with a line > in the dark theme only', async ({ page }) => {
  await page.goto(servicePath);
  const line = () => page.locator('[data-hero=picture]').evaluate((hero) => getComputedStyle(hero).borderBottomWidth);
  expect(await line()).toBe('0px');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await line()).toBe('1px');
});

async function pixelOf(picture: Buffer, left: number, top: number): Promise<Rgb> {
  const [red = 0, green = 0, blue = 0] = await sharp(picture)
    .extract({ left, top: Math.round(top), width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer();
  return [red, green, blue];
}
