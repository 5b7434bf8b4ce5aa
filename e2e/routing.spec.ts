import { expect, test } from './harness/test.ts';
import { jumpTo, paths, scrollTop, UNKNOWN_PATH } from './pages/site.ts';

/** Words of a page that its reader sees; the shortest page has more than this. */
const FEWEST_WORDS = 60;

/** What a server sends on a new connection before it waits for the first acknowledgement: ten segments of 1,460 bytes. */
const FIRST_ROUND_TRIP_BYTES = 14_600;

test('Every page comes whole in the first round trip, the headers of its answer included.', async ({ request }) => {
  for (const path of paths) {
    const answer = await request.get(path, { headers: { 'Accept-Encoding': 'br' } });
    const lines = ['HTTP/1.1 200 OK', ...answer.headersArray().map(({ name, value }) => `${name}: ${value}`), ''];
    const bytes = Buffer.byteLength(lines.join('\r\n')) + 2 + Number(answer.headers()['content-length']);
    expect(bytes, path).toBeLessThanOrEqual(FIRST_ROUND_TRIP_BYTES);
  }
});

test('The manifest follows the first paint.', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/site.webmanifest');
  expect((await page.request.get('/site.webmanifest')).status()).toBe(200);
});

test('A navigation begins at the top, and back and forward return to where the visitor was.', async ({ page }) => {
  await page.goto('/services/web-development');
  await jumpTo(page, 700);
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy', exact: true });
  await link.evaluate((element: HTMLElement) => element.click());
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

test('A navigation leads to the anchor when the address has one.', async ({ page }) => {
  await page.goto('/services/dedicated-teams#team-models');
  await expect(page.locator('#team-models')).toBeInViewport();
  await page.goto('/careers');
  await page.getByRole('link', { name: 'View Open Positions' }).click();
  await expect(page).toHaveURL('/careers#open-positions');
  await expect(page.locator('#open-positions')).toBeInViewport();
});

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('every page reads completely, and every question opens.', async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    for (const path of [UNKNOWN_PATH, ...paths]) {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      const main = page.getByRole('main');
      expect((await main.innerText()).split(/\s+/).length, path).toBeGreaterThan(FEWEST_WORDS);
      // But for answers not yet asked for, and the form that its link shows.
      const unseen = await main.locator('h2, h3, p, li, dd').evaluateAll((elements) =>
        elements
          .filter((element) => !element.closest('details:not([open]), dialog, .sr-only'))
          .filter((element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          .map((element) => element.textContent),
      );
      expect(unseen, path).toEqual([]);
    }
    await page.goto('/contact');
    const questions = await page.getByRole('main').locator('details').all();
    expect(questions).not.toEqual([]);
    for (const question of questions) {
      await expect(question.locator('p')).toBeHidden();
      await question.locator('summary').click();
      await expect(question.locator('p')).toBeVisible();
    }
  });
});
