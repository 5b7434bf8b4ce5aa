import type { Page } from '@playwright/test';
import { sizes } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { pages } from './support/content.ts';

/** Widths at which a drawing may climb next to its heading. */
const WIDTHS = sizes([1024, 1280, 1440, 1920], [1024, 1440]);

/** Smallest distance in pixels between a line of the heading and a stroke of the drawing. */
const CLEARANCE = 8;

const PATHS = pages
  .filter(({ sections }) => sections.some((section) => 'drawing' in section && section.drawing?.climbs))
  .map(({ path }) => path);

for (const path of PATHS) {
  test(`drawing > climbs next to its heading, clear of its lines > ${path}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(path);
    for (const isLonger of [false, true]) {
      if (isLonger) await lengthenHeadings(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const drawings = await page.evaluate(measureDrawings, CLEARANCE);
        const label = `${width}, ${isLonger ? 'longer' : 'own'} text`;
        expect
          .soft(
            drawings.flatMap(({ touched }) => touched),
            label,
          )
          .toEqual([]);
        expect
          .soft(
            drawings.filter(({ climb, isEmpty }) => climb > 0 && !isEmpty),
            label,
          )
          .toEqual([]);
        expect.soft(Math.max(...drawings.map(({ climb }) => climb)), label).toBeGreaterThan(0.1);
      }
    }
  });
}

const FINALE = pages
  .filter(({ sections }) => sections.some((section) => section.kind === 'figure' && section.drawing.finale))
  .map(({ path }) => path);

for (const path of FINALE) {
  test(`last part of a drawing > rises after the rest, and is complete below the screen > ${path}`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto(path);
    const last = page.locator('picture:has(img[src$="#last"])');
    const opacity = () => last.evaluate((element) => getComputedStyle(element).opacity);
    expect(await opacity()).toBe('1');
    await last.evaluate((element) =>
      scrollBy({ top: element.getBoundingClientRect().top - innerHeight + 60, behavior: 'instant' }),
    );
    await expect.poll(opacity).toBe('0');
    await last.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await expect.poll(opacity).toBe('1');
    await page.emulateMedia({ media: 'print' });
    await expect.poll(opacity).toBe('1');
  });
}

/** Makes the headings of drawings a quarter longer: German needs 23 % more letters than English. */
const lengthenHeadings = (page: Page) =>
  page.evaluate(() => {
    for (const text of document.querySelectorAll('section:has(picture img[src*="-narrow"]) header > *'))
      text.textContent += ` ${(text.textContent ?? '').slice(0, (text.textContent ?? '').length / 4)}`;
  });

/**
 * Returns how far each drawing climbs above the lower edge of its heading, as a share of its width, whether its upper left
 * is empty as docs/writing.md asks for, and the lines that it touches.
 */
async function measureDrawings(clearance: number) {
  const images = document.querySelectorAll<HTMLImageElement>('section picture img[src*="-narrow"]');
  return Promise.all(
    [...images].map(async (image) => {
      image.loading = 'eager';
      await image.decode();
      const header = image.closest('section')?.querySelector('header');
      const { left, top, width, height } = image.getBoundingClientRect();
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d', { willReadFrequently: true });
      if (!context || !header) throw new Error('no canvas or no heading');
      context.drawImage(image, 0, 0, width, height);
      const lines = [...header.children].flatMap((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return [...range.getClientRects()].map((line) => ({ line, text: element.textContent ?? '' }));
      });
      const isEmpty = !context.getImageData(0, 0, width / 2, 0.15 * width).data.some(Boolean);
      const touched = lines.filter(({ line }) => {
        const above = Math.max(0, line.top - top - clearance);
        const below = Math.min(height, line.bottom - top + clearance);
        if (below <= above) return false;
        const { data } = context.getImageData(line.left - left, above, line.width + clearance, below - above);
        return data.some((value, at) => at % 4 === 3 && value > 0);
      });
      const climb = (header.getBoundingClientRect().bottom - top) / width;
      return { climb, isEmpty, touched: touched.map(({ text }) => text) };
    }),
  );
}
