import { expect, test } from './harness/test.ts';
import { cookieBanner, openWithBanner } from './pages/site.ts';
import { wording } from './support/content.ts';

/** A window of 1280 px at a zoom of 400 %. */
const SMALL = { width: 320, height: 568 };

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
});
