import type { JSHandle, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, test } from './harness/test.ts';
import { contrast, luminance, type Rgb } from './support/contrast.ts';
import { hasDeclinedCookies, twoFrames } from './support/visitor.ts';

/** Pages whose text stands over a picture. */
const PATHS = [
  'custom-software',
  'web-development',
  'mobile-development',
  'emerging-tech',
  'agentic-ai',
  'sap-consulting',
  'dynamics-crm',
  'staff-augmentation',
  'dedicated-teams',
  'software-outsourcing',
  'resource-outsourcing',
].map((slug) => `/services/${slug}`);

const WIDTHS = [375, 768, 1280, 1920];

/** Share of the pixels behind a line of text that may be worse than what is asked of it: an antialiased edge, not a patch. */
const TOLERATED = 0.01;

/** A line of text: where it stands in the window, its colour, and the contrast WCAG 2.2 AA asks of its size (1.4.3). */
interface Line {
  readonly text: string;
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly colour: Rgb;
  readonly least: number;
}

test.use({ trace: 'off' });

for (const path of PATHS) {
  test(`text over the picture of ${path} stands out @desktop`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await hasDeclinedCookies(page);
    await page.goto(path);
    await expect(page.locator('[data-hero=picture]')).toHaveCount(1);
    await addStyles(page, '*, ::before, ::after { transition: none !important; animation: none !important }');
    for (const width of WIDTHS) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 1400 });
        await pictureIsDrawn(page);
        const lines = await linesOfHero(page);
        expect(lines.length).toBeGreaterThan(3);
        expect.soft(await faintLines(page, lines), `${width} ${colorScheme}`).toEqual([]);
      }
    }
  });
}

/** The page's policy allows no style element from elsewhere. A colour in transition would be read from the theme before. */
function addStyles(page: Page, css: string): Promise<JSHandle<CSSStyleSheet>> {
  return page.evaluateHandle((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
    return sheet;
  }, css);
}

/** A wider window may ask for a larger file. */
async function pictureIsDrawn(page: Page): Promise<void> {
  await twoFrames(page);
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('[data-hero] img')?.complete);
  await page.evaluate(() => document.querySelector<HTMLImageElement>('[data-hero] img')?.decode());
}

function linesOfHero(page: Page): Promise<Line[]> {
  return page.locator('[data-hero]').evaluate((hero) => {
    const lines: Line[] = [];
    const walker = document.createTreeWalker(hero, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const style = getComputedStyle(walker.currentNode.parentElement ?? hero);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const [r = 0, g = 0, b = 0] = (style.color.match(/[\d.]+/g) ?? []).map(Number);
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (const { left, top, width, height } of range.getClientRects()) {
        if (width < 1) continue;
        lines.push({
          text: walker.currentNode.textContent ?? '',
          box: { left, top, width, height },
          colour: [r, g, b],
          least: isLarge ? 3 : 4.5,
        });
      }
    }
    return lines;
  });
}

/** Lines whose background, the text itself taken away, leaves too little contrast. */
async function faintLines(page: Page, lines: readonly Line[]): Promise<string[]> {
  const hide = await addStyles(page, '[data-hero] * { color: transparent !important }');
  await twoFrames(page);
  const clip = around(lines);
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  await hide.evaluate((sheet) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  });
  return lines.flatMap(({ text, box, colour, least }) => {
    const ofText = luminance(colour);
    const contrasts: number[] = [];
    const [left, top] = [Math.floor(box.left) - clip.x, Math.floor(box.top) - clip.y];
    for (let y = top; y < Math.min(info.height, top + box.height); y++) {
      for (let x = left; x < Math.min(info.width, left + box.width); x++) {
        const at = (y * info.width + x) * 3;
        contrasts.push(contrast(ofText, luminance([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0])));
      }
    }
    const worst = contrasts.sort((a, b) => a - b)[Math.floor(contrasts.length * TOLERATED)] ?? 0;
    return worst < least ? [`"${text}": ${worst.toFixed(2)} of ${least}`] : [];
  });
}

/** The part of the window that holds all lines, in whole pixels. */
function around(lines: readonly Line[]) {
  const [x, y] = [Math.min(...lines.map(({ box }) => box.left)), Math.min(...lines.map(({ box }) => box.top))].map(
    Math.floor,
  ) as [number, number];
  const right = Math.max(...lines.map(({ box }) => box.left + box.width));
  const bottom = Math.max(...lines.map(({ box }) => box.top + box.height));
  return { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
}
