import puppeteer, { type Browser } from 'puppeteer-core';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './playwright.config.ts';
import { expect, test } from './harness/test.ts';

test('A page whose link is pointed at is there before it is clicked.', async ({ baseURL }) => {
  // Puppeteer, because Playwright forbids every prerendering.
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

/** Where the visitor is, and whether that page had been prepared; at the very moment of the change nowhere. */
async function shown(browser: Browser): Promise<readonly [path: string, wasPrepared: boolean]> {
  // From a connection of its own: one that sees a page take the other's place can lose both.
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

test('The browser moves from page to page by a transition, unless the visitor minds motion.', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener(
      'pagereveal',
      ({ viewTransition }) => void Object.assign(window, { hasTransition: viewTransition !== null }),
    );
  });
  const hasTransition = async () => {
    await page.goto('/privacy');
    await page.getByRole('contentinfo').getByRole('link', { name: 'About Us' }).click();
    await expect(page).toHaveURL('/about');
    // The page is there some time before it is shown.
    await page.waitForFunction(() => 'hasTransition' in window);
    return page.evaluate(() => 'hasTransition' in window && window.hasTransition);
  };
  // A page that takes long to draw, as on a busy machine, is shown without one.
  await expect.poll(hasTransition).toBe(true);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await hasTransition()).toBe(false);
});
