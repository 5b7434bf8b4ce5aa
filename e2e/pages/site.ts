import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { wording } from '../support/content.ts';
import { readBrand } from '../../frontend/builder/brand.ts';
import { messages } from '../../form-service/src/contract/messages.ts';

const sitemap = readFileSync(new URL('../../frontend/dist/site/sitemap.xml', import.meta.url), 'utf8');

/** Paths of all pages in the sitemap. */
export const paths: readonly string[] = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(
  ([, address = '']) => new URL(address).pathname,
);

/** Path without a page. */
export const UNKNOWN_PATH = '/no-such-page';

/** Scripts of a form: all but the one of every page. */
export const ISLAND_SCRIPTS = /\/assets\/(?!deferred-)[\w-]+\.js$/;

export const mainMenu = (page: Page): Locator => page.getByRole('navigation', { name: wording.frame.mainMenu });
export const cookieBanner = (page: Page): Locator => page.getByRole('region', { name: wording.consent.name });
export const notifications = (page: Page): Locator => page.getByRole('region', { name: messages.notifications });

/** Waits for the mark that the deferred script sets at its end. */
export const waitForScript = (page: Page): Promise<void> =>
  page.locator('html[data-script]').waitFor({ state: 'attached' });

/** Waits until the display font, if the brand has one, is loaded (frontend/src/boot/display-font.ts). */
export async function waitForDisplayFont(page: Page): Promise<void> {
  if (readBrand().font === 'system') return;
  await page.waitForFunction(() =>
    [...document.fonts].some(({ family, status }) => /^"?Display"?$/.test(family) && status === 'loaded'),
  );
}

/** Opens a page with the cookie banner, and skips its delay of a second. */
export async function openWithBanner(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await page.goto(path);
  await waitForScript(page);
  await page.clock.fastForward(1_000);
  await expect(cookieBanner(page)).toBeVisible();
}

/** Moves the pointer to the form or its opener, and waits until the form is hydrated. */
export async function hydrate(page: Page): Promise<void> {
  await waitForScript(page);
  await page.locator('section:has([data-island]), [aria-haspopup=dialog]').first().dispatchEvent('pointerover');
  await expect.poll(() => isHydrated(page)).toBe(true);
}

export const isHydrated = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    Object.keys(document.querySelector('[data-island] form') ?? {}).some((key) => key.startsWith('__react')),
  );

/** Waits for two frames, after which the synchronous effects of an event are rendered. */
export async function waitTwoFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Scrolls to a position without smooth scrolling. */
export async function jumpTo(page: Page, top: number): Promise<void> {
  await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top);
  await waitTwoFrames(page);
}

/** Whether the page behind an overlay is prevented from scrolling. */
export const isScrollLocked = (page: Page): Promise<boolean> =>
  page.evaluate(() => getComputedStyle(document.documentElement).overflowY === 'hidden');

export const styleOf = (locator: Locator, property: string): Promise<string> =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

/** Holds every matching request until `open` is called. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<{ open(): void }> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route(url, async (route) => {
    await opened;
    await route.fallback();
  });
  return { open: () => open() };
}

const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** Extracts the reference of a submission. */
export function referenceIn(text: string): string {
  const reference = REFERENCE.exec(text)?.[0];
  if (reference === undefined) throw new Error('The text has no reference');
  return reference;
}
