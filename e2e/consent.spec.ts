import type { Page } from '@playwright/test';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry, sendEnquiry } from './pages/enquiry-page.ts';
import {
  cookieBanner,
  hydrate,
  notifications,
  openWithBanner,
  paths,
  SCRIPT_IS_THERE,
  twoFrames,
  UNKNOWN_PATH,
} from './pages/site.ts';

/** A page of 1280 px at 400 %. */
const SMALL = { width: 320, height: 568 };

/** From the smallest phone to a large desktop. */
const FIRST_VIEWS = [
  [320, 568],
  [768, 1024],
  [1280, 800],
  [1920, 1080],
] as const;

/** With a clock that stands still: the script waits for the first paint and a moment, then for the network. */
const scriptComes = (page: Page) =>
  expect
    .poll(async () => {
      await page.clock.runFor(1);
      return page.locator(SCRIPT_IS_THERE).count();
    })
    .toBe(1);

test.describe('The cookie banner', () => {
  test.use({ hasDeclinedCookies: false });

  test('comes right after the skip link in the tab order, covers little, and is announced.', async ({ page }) => {
    await page.setViewportSize(SMALL);
    await openWithBanner(page, '/');
    await expect(cookieBanner(page).locator('xpath=ancestor::*[@aria-live="polite"]')).toHaveCount(1);
    expect((await cookieBanner(page).boundingBox())?.height).toBeLessThan(SMALL.height / 4);
    const stops: string[] = [];
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    for (const _ of Array(5)) {
      await page.keyboard.press('Tab');
      stops.push((await focused()) ?? '');
    }
    expect(stops).toEqual(['Skip to content', 'Privacy', 'Accept', 'Decline', 'Close']);
    const heights = await cookieBanner(page)
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map(({ clientHeight }) => clientHeight));
    expect(Math.max(...heights), 'each button on one line').toBeLessThanOrEqual(44);
  });

  test('moves what has the focus out from under it.', async ({ page }) => {
    await page.clock.install({ time: 0 });
    // The banner is not to come before the focus is where it will lie.
    await page.clock.pauseAt(60_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto('/services/web-development');
    const link = page.getByRole('main').getByRole('link').last();
    await link.evaluate((element: HTMLElement) => {
      element.focus({ preventScroll: true });
      // Right below the top bar.
      scrollTo(0, scrollY + element.getBoundingClientRect().top - 80);
    });
    await expect(link).toBeInViewport({ ratio: 1 });
    await scriptComes(page);
    await page.clock.runFor(1000);
    await expect(cookieBanner(page)).toBeVisible();
    const { y = 0, height = 0 } = (await cookieBanner(page).boundingBox()) ?? {};
    const top = () => link.evaluate((element) => element.getBoundingClientRect().top);
    await expect.poll(top).toBeGreaterThanOrEqual(y + height);
  });

  test('is not covered by the word of what became of an enquiry.', async ({ page }) => {
    await page.setViewportSize(SMALL);
    await openWithBanner(page, '/contact');
    await hydrate(page);
    await fillEnquiry(page, newEnquiry());
    await sendEnquiry(page);
    await expect(notifications(page)).toContainText(messages.contactSent);
    const { y = 0, height = 0 } = (await cookieBanner(page).boundingBox()) ?? {};
    const toast = await notifications(page).locator('.Toastify__toast').boundingBox();
    expect(toast?.y).toBeGreaterThanOrEqual(y + height);
  });
});

test.describe('On first view', () => {
  test.use({ hasDeclinedCookies: false, contextOptions: { reducedMotion: 'reduce' } });

  for (const path of [...paths, UNKNOWN_PATH]) {
    test(`the cookie banner covers no heading, button, badge or line above a heading of ${path}.`, async ({
      page,
      expectedConsoleErrors,
    }) => {
      expectedConsoleErrors.push(/status of 404/);
      await openWithBanner(page, path);
      for (const [width, height] of FIRST_VIEWS) {
        await page.setViewportSize({ width, height });
        await twoFrames(page);
        expect.soft(await page.evaluate(coveredByBanner), `${width} px`).toEqual([]);
      }
    });
  }
});

/** Headings, the lines above them, buttons, badges and figures of which the banner hides a part: of the words, where no edge is drawn. */
function coveredByBanner(): readonly string[] {
  const over = document.querySelector('[aria-label="Cookie consent"]')?.getBoundingClientRect();
  const shown = document.querySelectorAll(
    'h1, h2, h3, header :is(a, button), main :is(.button, button, dd, [data-hero] .kite-before)',
  );
  const boxOf = (element: Element) => {
    if (element.matches('.button, button')) return element.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(element);
    return words.getBoundingClientRect();
  };
  return [...shown]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { left, right, top, bottom } = boxOf(element);
      return !over || (left < over.right && right > over.left && top < over.bottom && bottom > over.top);
    })
    .map((element) => `${element.tagName} "${element.textContent?.trim()}"`);
}
