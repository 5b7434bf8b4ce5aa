import puppeteer, { type HTTPRequest, type Page } from 'puppeteer-core';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './playwright.config.ts';
import { expect, test } from './harness/test.ts';

interface Visit {
  readonly page: Page;
  /** Paths of what was fetched for pages that were not shown yet. */
  readonly prepared: string[];
  /** Where the visitor is, and for how many milliseconds that page had been prepared; 0 for one that was not. */
  shown(): Promise<readonly [path: string, preparedMs: number]>;
}

const NOWHERE = ['', 0] as const;

/** Puppeteer, because Playwright forbids every prerendering. */
async function visit(extraArguments: readonly string[], use: (visit: Visit) => Promise<void>): Promise<void> {
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    args: [...CHROMIUM_ARGUMENTS, ...extraArguments],
  });
  const [page] = await browser.pages();
  if (!page) throw new Error('The browser has no page');
  await page.setViewport({ width: 1280, height: 800 });
  const prepared: string[] = [];
  page.on('requestfinished', (request: HTTPRequest) => {
    if (request.headers()['sec-purpose']) prepared.push(new URL(request.url()).pathname);
  });
  // From a connection of its own: one that sees a page take the other's place can lose both.
  const shown = async () => {
    const observer = await puppeteer.connect({ browserWSEndpoint: browser.wsEndpoint() });
    try {
      const [current] = await observer.pages();
      const state = current?.evaluate(() => {
        const [entry] = performance.getEntriesByType('navigation') as (PerformanceEntry & {
          activationStart?: number;
        })[];
        return [location.pathname, entry?.activationStart ?? 0] as const;
      });
      return (await state) ?? NOWHERE;
    } catch {
      // Asked at the very moment of the change.
      return NOWHERE;
    } finally {
      await observer.disconnect();
    }
  };
  try {
    await use({ page, prepared, shown });
  } finally {
    await browser.close();
  }
}

test('A page whose link is pointed at is there before it is clicked.', async ({ baseURL }) => {
  await visit([], async ({ page, prepared, shown }) => {
    await page.goto(`${baseURL}/privacy`);
    await page.hover('footer a[href="/about"]');
    await expect.poll(() => prepared).toContain('/about');
    await page.mouse.down();
    await page.mouse.up();
    await expect.poll(async () => (await shown())[0]).toBe('/about');
    expect((await shown())[1]).toBeGreaterThan(0);
  });
});

test('Only a page of ours is prepared, not a file.', async ({ baseURL }) => {
  await visit([], async ({ page, prepared }) => {
    await page.goto(`${baseURL}/sitemap`);
    await page.hover('main a[href="/sitemap.xml"]');
    await page.hover('main a[href="/terms"]');
    await expect.poll(() => prepared).toContain('/terms');
    expect(prepared).not.toContain('/sitemap.xml');
  });
});

test('On a very slow line no page is prepared, and the link leads on all the same.', async ({ baseURL }) => {
  await visit(['--force-effective-connection-type=2G'], async ({ page, prepared, shown }) => {
    await page.goto(`${baseURL}/privacy`);
    // From the second page on the browser tells how slow its line is.
    await page.goto(`${baseURL}/terms`);
    prepared.length = 0;
    await page.hover('footer a[href="/about"]');
    await page.click('footer a[href="/about"]');
    await expect.poll(async () => (await shown())[0]).toBe('/about');
    expect((await shown())[1]).toBe(0);
    expect(prepared).toEqual([]);
  });
});

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
    return page.evaluate(() => 'hasTransition' in window && window.hasTransition);
  };
  expect(await hasTransition()).toBe(true);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await hasTransition()).toBe(false);
});
