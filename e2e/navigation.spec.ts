import type { Page } from '@playwright/test';
import { menuGroups, wording } from './support/content.ts';
import { expect, test } from './harness/test.ts';
import { cookieBanner, isScrollLocked, jumpTo, mainMenu, waitForScript, styleOf } from './pages/site.ts';

const bar = (page: Page) => page.getByRole('banner');
/** A dropdown of the top bar by its name. `<summary>` has no role to query. */
const dropdown = (page: Page, name: string) =>
  mainMenu(page)
    .locator('details')
    .filter({ has: page.locator('summary', { hasText: name }) });
const summary = (page: Page, name: string) => dropdown(page, name).locator('summary');
const openOnes = (page: Page) => mainMenu(page).locator('details[open]');
const [, second] = menuGroups;

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForScript(page);
}

test('top bar and back-to-top > follow the scroll position @also-phone', async ({ page }) => {
  await visit(page, '/about');
  await jumpTo(page, 10);
  expect(await styleOf(bar(page), 'box-shadow')).toBe('none');
  expect(await styleOf(bar(page), 'border-bottom-color')).toBe('rgba(0, 0, 0, 0)');
  await jumpTo(page, 11);
  await expect.poll(() => styleOf(bar(page), 'box-shadow')).not.toBe('none');
  await expect.poll(() => styleOf(bar(page), 'border-bottom-color')).not.toBe('rgba(0, 0, 0, 0)');
  await expect(bar(page)).toBeInViewport();
  const button = page.getByRole('button', { name: wording.frame.backToTop });
  const height = await page.evaluate(() => innerHeight);
  await jumpTo(page, height + 1);
  await expect(button).toBeVisible();
  await jumpTo(page, height);
  await expect(button).toBeHidden();
});

test.describe('The mobile menu', () => {
  const open = async (page: Page) => {
    await page.getByRole('button', { name: wording.frame.openMenu, exact: true }).tap();
    await expect(mainMenu(page)).toBeVisible();
  };

  test('lists every service and locks the page behind it @phone', async ({ page }) => {
    await visit(page, '/');
    await expect(mainMenu(page)).toBeHidden();
    await open(page);
    expect(await isScrollLocked(page)).toBe(true);
    for (const { name, services } of menuGroups) {
      await summary(page, name).tap();
      for (const service of services)
        await expect(mainMenu(page).getByRole('link', { name: service.name })).toBeVisible();
    }
    await page.getByRole('button', { name: wording.frame.closeMenu }).tap();
    await expect(mainMenu(page)).toBeHidden();
    expect(await isScrollLocked(page)).toBe(false);
  });
});

test.describe('Navigation without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('opens and closes every dropdown, and hides elements that need a script', async ({ page }) => {
    await page.goto('/about');
    for (const { name, services } of menuGroups) {
      await summary(page, name).click();
      for (const service of services)
        await expect(dropdown(page, name).getByRole('link', { name: service.name })).toBeVisible();
      await summary(page, name).click();
      await expect(openOnes(page)).toHaveCount(0);
    }
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await expect(cookieBanner(page)).toBeHidden();
    await expect(page.getByRole('button', { name: wording.frame.backToTop })).toBeHidden();
  });

  test('opens the mobile menu and follows a link @phone', async ({ page }) => {
    await page.goto('/about');
    const toggle = page.getByRole('button', { name: wording.frame.openMenu, exact: true });
    await toggle.tap();
    await page.getByRole('button', { name: wording.frame.closeMenu }).tap();
    await expect(mainMenu(page)).toBeHidden();
    await toggle.tap();
    await summary(page, second.name).tap();
    await mainMenu(page).getByRole('link', { name: second.services[0].name }).tap();
    await expect(page).toHaveURL(second.services[0].href);
    await expect(mainMenu(page)).toBeHidden();
  });
});
