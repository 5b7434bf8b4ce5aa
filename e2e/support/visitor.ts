import type { Page } from '@playwright/test';

export const CONSENT_KEY = 'kitewright-cookie-consent';

/** A visitor who has answered the cookie banner on an earlier visit. */
export async function hasDeclinedCookies(page: Page): Promise<void> {
  await page.addInitScript((key) => localStorage.setItem(key, 'declined'), CONSENT_KEY);
}

/** Touches the page's form, or what opens it, and resolves when React has taken it over: then it knows the form's element. */
export async function hydrate(page: Page): Promise<void> {
  await page.locator('section:has([data-island]), [aria-haspopup=dialog]').first().dispatchEvent('pointerover');
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('[data-island] form') ?? {}).some((key) => key.startsWith('__react')),
  );
}

/** Resolves when the browser has drawn twice: what an event brings about at once has happened by then. */
export async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Jumps to a scroll position, without the smooth scrolling of the page's own styles. */
export async function jumpTo(page: Page, top: number): Promise<void> {
  await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top);
  await twoFrames(page);
}

export const scrollTop = (page: Page): Promise<number> => page.evaluate(() => scrollY);

/** Whether the page behind an overlay can be scrolled. */
export const isScrollLocked = (page: Page): Promise<boolean> =>
  page.evaluate(() => getComputedStyle(document.documentElement).overflowY === 'hidden');
