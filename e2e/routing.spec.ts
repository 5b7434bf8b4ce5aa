import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { paths, UNKNOWN_PATH } from './support/paths.ts';
import { hasDeclinedCookies, hydrate, jumpTo, scrollTop } from './support/visitor.ts';

const footerLink = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name, exact: true });

/** What the head says of the page. */
const head = (page: Page) =>
  page.evaluate(() => ({
    title: document.title,
    ...Object.fromEntries(
      [...document.head.querySelectorAll('meta[name], meta[property], link[rel=canonical]')]
        .map((tag) => [tag.getAttribute('name') ?? tag.getAttribute('property') ?? 'canonical', tag.getAttribute('content') ?? tag.getAttribute('href')])
        .filter(([name]) => !/^(viewport|theme-color|color-scheme)$/.test(name ?? '')),
    ),
  }));

const isService = (path: string) => path.startsWith('/services/');

/** Marks the document; a full load would lose the mark. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { marked: true }));
const isSameDocument = (page: Page) => page.evaluate(() => 'marked' in window);

test('the manifest follows the first paint @desktop', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/site.webmanifest');
  expect((await page.request.get('/site.webmanifest')).status()).toBe(200);
});

test('the sitemap names every page, and each is served under its canonical address @desktop', async ({ page }) => {
  const sitemap = await (await page.request.get('/sitemap.xml')).text();
  const listed = [...sitemap.matchAll(/<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g)].map(([, path]) => path || '/');
  expect(listed.toSorted()).toEqual([...paths].toSorted());
  for (const path of paths) {
    const answer = await page.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(200);
    expect(await answer.text()).toMatch(new RegExp(`<link rel="canonical" href="https://[^/"]+${path === '/' ? '/?' : path}"`));
    if (path === '/') continue;
    const withSlash = await page.request.get(`${path}/?from=mail`, { maxRedirects: 0 });
    expect(withSlash.status()).toBe(301);
    expect(withSlash.headers().location).toBe(`${path}?from=mail`);
  }
});

for (const [kind, chosen] of Object.entries({ service: paths.filter(isService), other: [...paths.filter((path) => !isService(path)), UNKNOWN_PATH] })) {
  test(`React takes over every ${kind} page without a difference @desktop`, async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    for (const path of chosen) {
      await page.goto(path);
      const prerendered = await page.getByRole('main').innerText();
      await hydrate(page);
      expect(await page.getByRole('main').innerText(), path).toBe(prerendered);
    }
  });
}

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

  test('changes the page without a full load: head, focus, announcement and position follow', async ({ page }) => {
    await page.goto('/careers');
    const careersHead = await head(page);
    await page.goto('/services/agentic-ai');
    const serviceHead = await head(page);
    expect(serviceHead).toHaveProperty('keywords');
    await hydrate(page);
    await mark(page);
    await footerLink(page, 'Careers').click();
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('Build software you would be glad to sign');
    await expect(page).toHaveURL('/careers');
    await expect(heading).toBeFocused();
    await expect(page.getByRole('status').filter({ hasText: careersHead.title })).toHaveCount(1);
    expect(await head(page)).toEqual(careersHead);
    await expect.poll(() => scrollTop(page)).toBe(0);
    await page.goBack();
    await expect(page).toHaveTitle(serviceHead.title);
    expect(await head(page)).toEqual(serviceHead);
    expect(await isSameDocument(page)).toBe(true);
  });

  test('back and forward return to where the visitor was', async ({ page }) => {
    await page.goto('/services/web-development');
    await hydrate(page);
    await mark(page);
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
    expect(await isSameDocument(page)).toBe(true);
  });

  test('leads to the anchor when the address has one @desktop', async ({ page }) => {
    const models = page.getByRole('heading', { name: 'Choose Your Perfect Team Model' });
    await page.goto('/services/dedicated-teams#team-models');
    await expect(models).toBeInViewport();

    await page.goto('/careers');
    await hydrate(page);
    await mark(page);
    await page.getByRole('link', { name: 'View Open Positions' }).click();
    await expect(page).toHaveURL('/careers#open-positions');
    await expect(page.getByRole('heading', { name: 'Open positions', exact: true })).toBeInViewport();
    // No link of the site names another page's anchor today, so the address changes as such a link would change it.
    await page.evaluate(() => {
      history.pushState({ key: 'anchor' }, '', '/services/dedicated-teams#team-models');
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    });
    await expect(models).toBeInViewport();
    expect(await isSameDocument(page)).toBe(true);
  });

  test('is prepared when the link is pointed at or focused @desktop', async ({ page }) => {
    const requested: string[] = [];
    page.on('request', (request) => void requested.push(new URL(request.url()).pathname));
    await page.goto('/privacy');
    await hydrate(page);
    const isRequested = (chunk: RegExp) => expect.poll(() => requested.some((path) => chunk.test(path)));
    await isRequested(/\/assets\/about-/).toBe(false);
    await footerLink(page, 'About Us').hover();
    await isRequested(/\/assets\/about-/).toBe(true);
    await isRequested(/\/assets\/careers-/).toBe(false);
    await footerLink(page, 'Careers').focus();
    await isRequested(/\/assets\/careers-/).toBe(true);
    expect(requested.filter((path) => path === '/about' || path === '/careers')).toEqual([]);
    await expect(page).toHaveURL('/privacy');
  });

  test('falls back to a full load when the code of the page is gone @desktop', async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/net::ERR_FAILED/);
    await page.route('**/assets/about-*.js', (route) => route.abort('failed'));
    await page.goto('/privacy');
    await hydrate(page);
    await mark(page);
    await footerLink(page, 'About Us').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Young Ambitious People Enhancing Your Business');
    await expect.poll(() => isSameDocument(page)).toBe(false);
  });
});
