import { expect, test } from './harness/test.ts';

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
