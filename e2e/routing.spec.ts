import { HEADER_BYTES } from '../frontend/test/site/round-trip.ts';
import { sampledPaths } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { paths, UNKNOWN_PATH } from './pages/site.ts';

/** Minimum number of visible words. The shortest page has more. */
const MIN_WORDS = 60;

// The rest of the first round trip is for the page: frontend/test/site/budgets.test.ts.
test('every page > has headers of the size that the build reckons with', async ({ request }) => {
  for (const path of [...paths, UNKNOWN_PATH]) {
    const answer = await request.get(path, { headers: { 'Accept-Encoding': 'br' } });
    const lines = [
      `HTTP/1.1 ${answer.status()} ${answer.statusText()}`,
      ...answer.headersArray().map(({ name, value }) => `${name}: ${value}`),
      '',
      '',
    ];
    expect(answer.headers()['content-encoding'], path).toBe('br');
    expect(Buffer.byteLength(lines.join('\r\n')), path).toBeLessThanOrEqual(HEADER_BYTES);
  }
});

test.describe('every page without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('shows all its text, and opens every question', async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    for (const path of sampledPaths) {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      const main = page.getByRole('main');
      const words = await main.innerText();
      expect(words.split(/\s+/).length, path).toBeGreaterThan(MIN_WORDS);
      // Except closed answers, the form in the dialog, the address on paper, and text that a table shows at another width.
      const unseen = await main.locator('h2, h3, p, li, dd').evaluateAll((elements) =>
        elements
          .filter((element) => !element.closest('details:not([open]), dialog, [data-printed]'))
          .filter((element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          .map((element) => element.textContent),
      );
      expect(
        unseen.filter((text) => !words.includes(text ?? '')),
        path,
      ).toEqual([]);
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
