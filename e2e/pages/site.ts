import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';

const sitemap = readFileSync(new URL('../../frontend/dist/site/sitemap.xml', import.meta.url), 'utf8');

/** Every page of the built site, as its sitemap names them. */
export const paths: readonly string[] = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(
  ([, address = '']) => new URL(address).pathname,
);

/** An address that is no page. */
export const UNKNOWN_PATH = '/no-such-page';

/** The scripts that React comes with. */
export const ISLAND_SCRIPTS = /\/assets\/(?:react|islands)-[\w-]+\.js$/;

export const mainMenu = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });
export const cookieBanner = (page: Page): Locator => page.getByRole('region', { name: 'Cookie consent' });
export const notifications = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });

/** The last thing that the part of a page's script does which is fetched after the first paint. */
export const SCRIPT_IS_THERE = 'link[rel=manifest]';

export const scriptIsThere = (page: Page): Promise<void> =>
  page.locator(SCRIPT_IS_THERE).waitFor({ state: 'attached' });

/** Resolves when the display face has come and is in use (frontend/src/boot/display-font.ts). */
export async function displayFaceIsThere(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.fonts].some(({ family, status }) => /^"?Kitewright Display"?$/.test(family) && status === 'loaded'),
  );
  await expect.poll(() => styleOf(page.locator('h1'), 'font-family')).toMatch(/^"Kitewright Display",/);
}

/** Opens a page whose visitor is asked for consent, without the second that the banner waits. */
export async function openWithBanner(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await page.goto(path);
  await scriptIsThere(page);
  await page.clock.fastForward(1_000);
  await expect(cookieBanner(page)).toBeVisible();
}

/** Touches the page's form, or what opens it, and resolves when React has taken it over: then it knows the form's element. */
export async function hydrate(page: Page): Promise<void> {
  await scriptIsThere(page);
  await page.locator('section:has([data-island]), [aria-haspopup=dialog]').first().dispatchEvent('pointerover');
  await expect.poll(() => isHydrated(page)).toBe(true);
}

export const isHydrated = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    Object.keys(document.querySelector('[data-island] form') ?? {}).some((key) => key.startsWith('__react')),
  );

/** Resolves when the browser has drawn twice: what an event brings about at once has happened by then. */
export async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Jumps to a scroll position, without the smooth scrolling of the page's own styles. */
export async function jumpTo(page: Page, top: number): Promise<void> {
  await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top);
  await twoFrames(page);
}

/** Whether the page behind an overlay can be scrolled. */
export const isScrollLocked = (page: Page): Promise<boolean> =>
  page.evaluate(() => getComputedStyle(document.documentElement).overflowY === 'hidden');

export const styleOf = (locator: Locator, property: string): Promise<string> =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

/** Holds back every request to the address until it is opened. */
export async function holdBack(page: Page, url: string | RegExp): Promise<{ open(): void }> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route(url, async (route) => {
    await opened;
    await route.fallback();
  });
  return { open: () => open() };
}

const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** The reference in an answer's text. */
export function referenceIn(text: string): string {
  const reference = REFERENCE.exec(text)?.[0];
  if (reference === undefined) throw new Error('The answer holds no reference');
  return reference;
}
