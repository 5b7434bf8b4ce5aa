import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { serveSlowly, type ArrivingSite } from './support/arriving-site.ts';
import { paths, UNKNOWN_PATH } from './support/paths.ts';
import { hasDeclinedCookies } from './support/visitor.ts';

/** The boot notes here that the display face has come (frontend/src/boot/display-font.ts). */
const FACE_KEY = 'display-font';

const WIDTHS = [375, 768, 1280];

declare global {
  interface Window {
    shifts: string[];
  }
}

/** What the browser's layout-shift entries say; TypeScript's library does not know them. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

test.use({ trace: 'off' });

test.describe('nothing moves while a page arrives, the font comes and it is scrolled through @desktop', () => {
  let site: ArrivingSite;
  test.beforeAll(async ({ baseURL }) => {
    site = await serveSlowly(baseURL ?? '');
  });
  test.afterAll(() => site.close());

  for (const path of [...paths, UNKNOWN_PATH]) {
    test(path, async ({ browser }) => {
      test.slow();
      for (const width of WIDTHS) {
        // A cold cache: nothing is there but what arrives.
        const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
        const page = await context.newPage();
        await hasDeclinedCookies(page);
        await page.addInitScript(noteShifts);
        await page.goto(site.origin + path);
        await page.waitForFunction((key) => sessionStorage.getItem(key) !== null, FACE_KEY);
        await scrollThrough(page);
        expect.soft(await page.evaluate(() => window.shifts), `${path} at ${width}`).toEqual([]);
        await context.close();
      }
    });
  }
});

function noteShifts(): void {
  window.shifts = [];
  const observer = new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as LayoutShift[]) {
      const what = sources.map(({ node }) =>
        node instanceof Element ? `${node.tagName}.${node.getAttribute('class')}` : node?.nodeName,
      );
      window.shifts.push(`${value}: ${what.join(', ')}`);
    }
  });
  observer.observe({ type: 'layout-shift', buffered: true });
}

/** To the end, a screen a frame, so that pictures below the fold come too. */
const scrollThrough = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => void requestAnimationFrame(resolve));
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: 'instant' });
      await frame();
    }
    await Promise.all([...document.images].map((picture) => picture.decode()));
    await frame();
    await frame();
  });
