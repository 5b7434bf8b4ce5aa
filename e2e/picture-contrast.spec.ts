import type { JSHandle, Page } from '@playwright/test';
import sharp from 'sharp';
import { htmlOf, isComplete, sampledPaths, sizes } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { contrast, luminance, type Rgb } from './pages/accessibility.ts';
import { paths, waitTwoFrames } from './pages/site.ts';

/** Pages with text over a picture; in `npm test` only those of the sample, whose pictures have the same layout. */
const PATHS = sampledPaths.filter(hasPicture);

const WIDTHS = sizes([375, 768, 1280, 1920], [375, 1280]);
/** Picture and background are the same in both themes. */
const THEMES = isComplete ? (['light', 'dark'] as const) : (['light'] as const);
const HEIGHT = 1400;

/** Share of the pixels behind a line of text that may have less contrast, such as an antialiased edge. */
const TOLERATED = 0.01;

/** A line of text with its position in the window. `least` is the minimum contrast for its size (WCAG 2.2, 1.4.3). */
interface Line {
  readonly text: string;
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly colour: Rgb;
  readonly least: number;
}

test('text over a picture > is on several pages', () => expect(paths.filter(hasPicture).length).toBeGreaterThan(5));

for (const path of PATHS) {
  test(`text over a picture > has enough contrast > ${path}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(path);
    await addStyles(page, '*, ::before, ::after { transition: none !important; animation: none !important }');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await pictureIsDrawn(page);
        const lines = await linesOfHero(page);
        expect(lines.length).toBeGreaterThan(3);
        expect.soft(await faintLines(page, lines), `${width} ${colorScheme}`).toEqual([]);
      }
    }
  });
}

function hasPicture(path: string): boolean {
  return htmlOf(path).includes('data-hero="picture"');
}

/** Adds a constructed style sheet: the Content-Security-Policy blocks style elements. */
function addStyles(page: Page, css: string): Promise<JSHandle<CSSStyleSheet>> {
  return page.evaluateHandle((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
    return sheet;
  }, css);
}

/** Waits for the picture: a wider window may load a larger file. */
async function pictureIsDrawn(page: Page): Promise<void> {
  await waitTwoFrames(page);
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
      const line = { text: walker.currentNode.textContent ?? '', colour: [r, g, b] as const, least: isLarge ? 3 : 4.5 };
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (const { left, top, width, height } of range.getClientRects())
        if (width >= 1) lines.push({ ...line, box: { left, top, width, height } });
    }
    return lines;
  });
}

/** Returns the lines whose background gives too little contrast. */
async function faintLines(page: Page, lines: readonly Line[]): Promise<string[]> {
  const picture = await pictureWithoutText(page, lines);
  return lines.flatMap((line) => {
    const ofText = luminance(line.colour);
    const contrasts = pixelsBehind(line, picture).map((pixel) => contrast(ofText, luminance(pixel)));
    const worst = contrasts.sort((a, b) => a - b)[Math.floor(contrasts.length * TOLERATED)] ?? 0;
    return worst < line.least ? [`"${line.text}": ${worst.toFixed(2)} of ${line.least}`] : [];
  });
}

/** Pixels of a window, three bytes each. */
interface Picture {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number };
}

/** Takes a picture of the window down to the last line, while the text is transparent. */
async function pictureWithoutText(page: Page, lines: readonly Line[]): Promise<Picture> {
  const hide = await addStyles(page, '[data-hero] * { color: transparent !important }');
  await waitTwoFrames(page);
  const height = Math.min(HEIGHT, Math.ceil(Math.max(...lines.map(({ box }) => box.top + box.height))));
  const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height };
  const screenshot = await page.screenshot({ clip });
  await hide.evaluate((sheet) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  });
  return sharp(screenshot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}

function pixelsBehind({ box }: Line, { data, info }: Picture): Rgb[] {
  const pixels: Rgb[] = [];
  for (let y = Math.floor(box.top); y < Math.min(info.height, box.top + box.height); y++) {
    for (let x = Math.floor(box.left); x < Math.min(info.width, box.left + box.width); x++) {
      const at = (y * info.width + x) * 3;
      pixels.push([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]);
    }
  }
  return pixels;
}
