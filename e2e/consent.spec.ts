import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry, sendEnquiry } from './pages/enquiry-page.ts';
import { servicePath, wording } from './support/content.ts';
import { cookieBanner, hydrate, notifications, openWithBanner, SCRIPT_LOADED } from './pages/site.ts';
import { enquiryWords } from './pages/words.ts';

/** A window of 1280 px at a zoom of 400 %. */
const SMALL = { width: 320, height: 568 };

/** Advances the paused clock until the script is loaded, which waits for the first paint. */
const runUntilScriptLoaded = (page: Page) =>
  expect
    .poll(async () => {
      await page.clock.runFor(1);
      return page.locator(SCRIPT_LOADED).count();
    })
    .toBe(1);

test.describe('The cookie banner', () => {
  test.use({ hasDeclinedCookies: false });

  test('follows the skip link in the tab order, is small and announced', async ({ page }) => {
    await page.setViewportSize(SMALL);
    await openWithBanner(page, '/');
    await expect(cookieBanner(page).locator('xpath=ancestor::*[@aria-live="polite"]')).toHaveCount(1);
    expect((await cookieBanner(page).boundingBox())?.height).toBeLessThan(SMALL.height / 4);
    const { privacy, accept, decline, close } = wording.consent;
    const stops: string[] = [];
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    for (const _ of Array(5)) {
      await page.keyboard.press('Tab');
      stops.push((await focused()) ?? '');
    }
    expect(stops).toEqual([wording.frame.skip, privacy, accept, decline, close]);
    const heights = await cookieBanner(page)
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map(({ clientHeight }) => clientHeight));
    expect(Math.max(...heights), 'each button on one line').toBeLessThanOrEqual(44);
  });

  test('does not cover the focused element', async ({ page }) => {
    await page.clock.install({ time: 0 });
    // The banner must not appear before the focus is in its place.
    await page.clock.pauseAt(60_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto(servicePath);
    const link = page.getByRole('main').getByRole('link').last();
    await link.evaluate((element: HTMLElement) => {
      element.focus({ preventScroll: true });
      // At the bottom edge.
      scrollTo(0, scrollY + element.getBoundingClientRect().bottom + 10 - innerHeight);
    });
    await expect(link).toBeInViewport({ ratio: 1 });
    await runUntilScriptLoaded(page);
    await page.clock.runFor(1000);
    await expect(cookieBanner(page)).toBeVisible();
    const { y = 0 } = (await cookieBanner(page).boundingBox()) ?? {};
    const bottom = () => link.evaluate((element) => element.getBoundingClientRect().bottom);
    await expect.poll(bottom).toBeLessThanOrEqual(y);
  });

  test('is not covered by the toast of a sent enquiry', async ({ page }) => {
    await page.setViewportSize(SMALL);
    await openWithBanner(page, '/contact');
    await hydrate(page);
    await fillEnquiry(page, newEnquiry());
    await sendEnquiry(page);
    await expect(notifications(page)).toContainText(enquiryWords.sent);
    const { y: top = 0 } = (await cookieBanner(page).boundingBox()) ?? {};
    const { y = 0, height = 0 } = (await notifications(page).locator('.Toastify__toast').boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(top);
  });

  test('does not cover the last line of the page and the button to the top @also-phone', async ({ page }) => {
    await openWithBanner(page, '/careers');
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    const { x: left = 0, y: top = 0 } = (await cookieBanner(page).boundingBox()) ?? {};
    for (const element of [
      page.getByRole('contentinfo').getByRole('link', { name: wording.frame.sitemap, exact: true }),
      page.getByRole('button', { name: wording.frame.backToTop }),
    ]) {
      // On a wide screen the banner is next to the last line.
      const isCovered = async () => {
        const { x = 0, y = 0, width = 0, height = 0 } = (await element.boundingBox()) ?? {};
        return width === 0 || (y + height > top && x + width > left);
      };
      await expect.poll(isCovered).toBe(false);
    }
  });
});
