import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { applicationDialog } from './pages/application-page.ts';
import { cookieBanner, openWithBanner, waitForScript } from './pages/site.ts';
import { launchOptions } from './playwright.config.ts';
import { wording } from './support/content.ts';

/** Browsers of Windows and of most Linux desktops, whose scrollbars take room. Headless Chromium hides them otherwise. */
test.use({ launchOptions: { ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] } });

const contentWidth = (page: Page) => page.evaluate(() => document.documentElement.clientWidth);

test.describe('page', () => {
  test('does not move > the dialog opens', async ({ page }) => {
    await page.goto('/careers');
    await waitForScript(page);
    expect(await contentWidth(page), 'the scrollbar takes room').toBeLessThan(page.viewportSize()?.width ?? 0);
    const left = () => page.locator('h1').evaluate((heading) => heading.getBoundingClientRect().left);
    const before = await left();
    await page.locator('main [href="#application"]').first().click();
    await expect(applicationDialog(page)).toBeVisible();
    expect(await left()).toBe(before);
  });

  test('does not move > the small screen’s menu opens', async ({ page }) => {
    await page.setViewportSize({ width: 600, height: 800 });
    await page.goto('/about');
    const button = page.getByRole('button', { name: wording.frame.openMenu, exact: true });
    const left = () => button.evaluate((element) => element.getBoundingClientRect().left);
    const before = await left();
    await button.click();
    await expect(page.getByRole('button', { name: wording.frame.closeMenu })).toBeVisible();
    expect(await left()).toBe(before);
  });
});

test.describe('cookie banner', () => {
  test.use({ hasDeclinedCookies: false });

  for (const width of [320, 335, 600])
    test(`is one row > in a window of ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 640 });
      await openWithBanner(page, '/about');
      const tops = await cookieBanner(page)
        .getByRole('button')
        .evaluateAll((buttons) =>
          buttons.map((button) => {
            const { top, bottom } = button.getBoundingClientRect();
            return Math.round((top + bottom) / 2);
          }),
        );
      expect(new Set(tops).size).toBe(1);
      const { height = 0 } = (await cookieBanner(page).boundingBox()) ?? {};
      expect(height, 'below the toast').toBeLessThan(80);
    });
});
