import puppeteer, { type Browser } from 'puppeteer-core';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './playwright.config.ts';
import { expect, test } from './harness/test.ts';

test('link > prerenders its page > on hover', async ({ baseURL }) => {
  // Puppeteer, because Playwright disables prerendering.
  const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });
  try {
    const [page] = await browser.pages();
    if (!page) throw new Error('The browser has no page');
    await page.setViewport({ width: 1280, height: 800 });
    const prepared: string[] = [];
    page.on('requestfinished', (request) => {
      if (request.headers()['sec-purpose']) prepared.push(new URL(request.url()).pathname);
    });
    await page.goto(`${baseURL}/privacy`);
    await page.hover('footer a[href="/about"]');
    await expect.poll(() => prepared).toContain('/about');
    await page.mouse.down();
    await page.mouse.up();
    await expect.poll(() => shown(browser)).toEqual(['/about', true]);
  } finally {
    await browser.close();
  }
});

/** Returns the current path, and whether the page was prerendered. The path is empty during the navigation. */
async function shown(browser: Browser): Promise<readonly [path: string, wasPrepared: boolean]> {
  // A separate connection: the first one can lose both pages when one replaces the other.
  const observer = await puppeteer.connect({ browserWSEndpoint: browser.wsEndpoint() });
  try {
    const [page] = await observer.pages();
    const state = page?.evaluate(() => {
      const [entry] = performance.getEntriesByType('navigation') as { activationStart?: number }[];
      return [location.pathname, (entry?.activationStart ?? 0) > 0] as const;
    });
    return (await state) ?? ['', false];
  } catch {
    return ['', false];
  } finally {
    await observer.disconnect();
  }
}

test('view transition > runs between pages > not with reduced motion', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener(
      'pagereveal',
      ({ viewTransition }) => void Object.assign(window, { hasTransition: viewTransition !== null }),
    );
  });
  const hasTransition = async () => {
    await page.goto('/privacy');
    await page.locator('footer a[href="/about"]').first().click();
    await expect(page).toHaveURL('/about');
    // The URL changes before the page is revealed.
    await page.waitForFunction(() => 'hasTransition' in window);
    return page.evaluate(() => 'hasTransition' in window && window.hasTransition);
  };
  // Chromium skips the transition if rendering takes long, as on a busy machine.
  await expect.poll(hasTransition).toBe(true);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await hasTransition()).toBe(false);
});
