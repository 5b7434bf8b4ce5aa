import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { paths, UNKNOWN_PATH } from './support/paths.ts';
import { hasDeclinedCookies, jumpTo, scrollTop } from './support/visitor.ts';

const footerLink = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name, exact: true });

test('the manifest follows the first paint @desktop', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/site.webmanifest');
  expect((await page.request.get('/site.webmanifest')).status()).toBe(200);
});

test('every page of the sitemap is served under its canonical address @desktop', async ({ page }) => {
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) {
    const answer = await page.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(200);
    expect(await answer.text()).toMatch(
      new RegExp(`<link rel="canonical" href="https://[^/"]+${path === '/' ? '/?' : path}"`),
    );
    if (path === '/') continue;
    const withSlash = await page.request.get(`${path}/?from=mail`, { maxRedirects: 0 });
    expect(withSlash.status()).toBe(301);
    expect(withSlash.headers().location).toBe(`${path}?from=mail`);
  }
});

test('an unknown path is answered with status 404 and both lines', async ({ page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push(/status of 404/);
  for (const path of [UNKNOWN_PATH, '/services/no-such-service', '/404']) {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  }
  await page.getByRole('link', { name: 'Back to the home page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Building the Future of Software');
});

test.describe('a navigation', () => {
  test.beforeEach(({ page }) => hasDeclinedCookies(page));

  test('begins at the top, and back and forward return to where the visitor was', async ({ page }) => {
    await page.goto('/services/web-development');
    await jumpTo(page, 700);
    await footerLink(page, 'Privacy Policy').evaluate((link: HTMLElement) => link.click());
    await expect(page).toHaveTitle(/Privacy/);
    await expect.poll(() => scrollTop(page)).toBe(0);
    await jumpTo(page, 500);
    await page.goBack();
    await expect(page).toHaveTitle(/Web/);
    await expect.poll(() => scrollTop(page)).toBeCloseTo(700, -1);
    await page.goForward();
    await expect(page).toHaveTitle(/Privacy/);
    await expect.poll(() => scrollTop(page)).toBeCloseTo(500, -1);
  });

  test('leads to the anchor when the address has one @desktop', async ({ page }) => {
    await page.goto('/services/dedicated-teams#team-models');
    await expect(page.getByRole('heading', { name: 'Choose Your Perfect Team Model' })).toBeInViewport();
    await page.goto('/careers');
    await page.getByRole('link', { name: 'View Open Positions' }).click();
    await expect(page).toHaveURL('/careers#open-positions');
    await expect(page.getByRole('heading', { name: 'Open positions', exact: true })).toBeInViewport();
  });
});
