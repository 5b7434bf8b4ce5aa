import { brotliCompressSync } from 'node:zlib';
import { FIRST_ROUND_TRIP_BYTES } from '../frontend/build/round-trip.ts';
import { sampledPaths } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { paths, UNKNOWN_PATH } from './pages/site.ts';

/** Minimum number of visible words. The shortest page has more. */
const MIN_WORDS = 60;

/** All positions but the first, which are exempt: publishing a position must not break a test. */
const OTHER_POSITIONS = /(?<=<\/article>.*?)<article.*?<\/article>/gs;

const compressedSize = (text: string) => brotliCompressSync(text).length;

test('every page > fits into the first round trip with its HTTP/1.1 headers', async ({ request }) => {
  for (const path of [...paths, UNKNOWN_PATH]) {
    const answer = await request.get(path, { headers: { 'Accept-Encoding': 'br' } });
    const lines = [
      `HTTP/1.1 ${answer.status()} ${answer.statusText()}`,
      ...answer.headersArray().map(({ name, value }) => `${name}: ${value}`),
      '',
      '',
    ];
    const headerBytes = Buffer.byteLength(lines.join('\r\n'));
    const bytes = headerBytes + Number(answer.headers()['content-length']);
    const page = await answer.text();
    const exempt =
      path === '/careers' ? compressedSize(page) - compressedSize(page.replaceAll(OTHER_POSITIONS, '')) : 0;
    expect(bytes - exempt, path).toBeLessThanOrEqual(FIRST_ROUND_TRIP_BYTES);
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
      // Except closed answers, the form in the dialog, and text that a table shows at another width.
      const unseen = await main.locator('h2, h3, p, li, dd').evaluateAll((elements) =>
        elements
          .filter((element) => !element.closest('details:not([open]), dialog, .sr-only'))
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
