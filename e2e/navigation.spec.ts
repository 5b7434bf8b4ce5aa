import type { Page } from '@playwright/test';
import { menuGroups } from './support/navigation.ts';
import { expect, test } from './harness/test.ts';
import { cookieBanner, isScrollLocked, jumpTo, mainMenu, scriptIsThere, styleOf } from './pages/site.ts';

const bar = (page: Page) => page.getByRole('banner');
/** A dropdown of the top bar by its name; `<summary>` has no role to ask for. */
const dropdown = (page: Page, name: string) =>
  mainMenu(page)
    .locator('details')
    .filter({ has: page.locator('summary', { hasText: name }) });
const summary = (page: Page, name: string) => dropdown(page, name).locator('summary');
const openOnes = (page: Page) => mainMenu(page).locator('details[open]');
const [, second] = menuGroups;

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await scriptIsThere(page);
}

test('The top bar gains a border and a shadow above 10 px. @both', async ({ page }) => {
  await visit(page, '/about');
  await jumpTo(page, 10);
  expect(await styleOf(bar(page), 'box-shadow')).toBe('none');
  expect(await styleOf(bar(page), 'border-bottom-color')).toBe('rgba(0, 0, 0, 0)');
  await jumpTo(page, 11);
  await expect.poll(() => styleOf(bar(page), 'box-shadow')).not.toBe('none');
  await expect.poll(() => styleOf(bar(page), 'border-bottom-color')).not.toBe('rgba(0, 0, 0, 0)');
  await expect(bar(page)).toBeInViewport();
});

test('The top bar shows where the visitor is.', async ({ page }) => {
  const marked = async () => {
    const shadows = await Promise.all(menuGroups.map(({ name }) => styleOf(summary(page, name), 'box-shadow')));
    return menuGroups.filter((_, index) => shadows[index] !== 'none').map(({ name }) => name);
  };
  await visit(page, '/careers');
  await expect(mainMenu(page).locator('[aria-current=page]')).toHaveText(['Careers']);
  expect(await marked()).toEqual([]);
  await visit(page, second.services[0].href);
  expect(await marked()).toEqual([second.name]);
});

test.describe('The menu of small screens', () => {
  const open = async (page: Page) => {
    await page.getByRole('button', { name: 'Menu', exact: true }).tap();
    await expect(mainMenu(page)).toBeVisible();
  };

  test('opens the full list, and locks the page behind it. @phone', async ({ page }) => {
    await visit(page, '/');
    await expect(mainMenu(page)).toBeHidden();
    await open(page);
    expect(await isScrollLocked(page)).toBe(true);
    for (const { name, services } of menuGroups) {
      await summary(page, name).tap();
      for (const service of services)
        await expect(mainMenu(page).getByRole('link', { name: service.name })).toBeVisible();
    }
    await page.getByRole('button', { name: 'Close menu' }).tap();
    await expect(mainMenu(page)).toBeHidden();
    expect(await isScrollLocked(page)).toBe(false);
  });
});

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('every dropdown opens and closes, and nothing shows that would need a script.', async ({ page }) => {
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
    await expect(page.getByRole('button', { name: 'Back to top' })).toBeHidden();
  });

  test('headings come in the display face, which no script fetches.', async ({ page }) => {
    await page.goto('/about');
    const face = await page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
    });
    expect(face.join()).toContain('Kitewright Display');
    expect(await styleOf(page.getByRole('heading', { level: 1 }), 'font-family')).toMatch(/^"Kitewright Display",/);
  });

  test('the menu of small screens opens, leads on and closes. @phone', async ({ page }) => {
    await page.goto('/about');
    const toggle = page.getByRole('button', { name: 'Menu', exact: true });
    await toggle.tap();
    await page.getByRole('button', { name: 'Close menu' }).tap();
    await expect(mainMenu(page)).toBeHidden();
    await toggle.tap();
    await summary(page, second.name).tap();
    await mainMenu(page).getByRole('link', { name: second.services[0].name }).tap();
    await expect(page).toHaveURL(second.services[0].href);
    await expect(mainMenu(page)).toBeHidden();
  });
});
