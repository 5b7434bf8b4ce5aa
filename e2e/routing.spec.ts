import { brotliCompressSync } from 'node:zlib';
import { expect, test } from './harness/test.ts';
import { paths, UNKNOWN_PATH } from './pages/site.ts';

/** Words of a page that its reader sees; the shortest page has more than this. */
const FEWEST_WORDS = 60;

/** What a server sends on a new connection before it waits for the first acknowledgement: ten segments of 1,460 bytes. */
const FIRST_ROUND_TRIP_BYTES = 14_600;

/** All positions but the first: another one that is published must break no test; the build names what it makes too long. */
const OTHER_POSITIONS = /(?<=<\/article>.*?)<article.*?<\/article>/gs;

const compressedSize = (text: string) => brotliCompressSync(text).length;

test('Every page comes whole in the first round trip, the headers of its answer included.', async ({ request }) => {
  for (const path of paths) {
    const answer = await request.get(path, { headers: { 'Accept-Encoding': 'br' } });
    const lines = ['HTTP/1.1 200 OK', ...answer.headersArray().map(({ name, value }) => `${name}: ${value}`), ''];
    const bytes = Buffer.byteLength(lines.join('\r\n')) + 2 + Number(answer.headers()['content-length']);
    const page = await answer.text();
    const exempt =
      path === '/careers' ? compressedSize(page) - compressedSize(page.replaceAll(OTHER_POSITIONS, '')) : 0;
    expect(bytes - exempt, path).toBeLessThanOrEqual(FIRST_ROUND_TRIP_BYTES);
  }
});

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('every page reads completely, and every question opens.', async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    for (const path of [UNKNOWN_PATH, ...paths]) {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      const main = page.getByRole('main');
      const words = await main.innerText();
      expect(words.split(/\s+/).length, path).toBeGreaterThan(FEWEST_WORDS);
      // But for answers not yet asked for, the form that its link shows, and what a table says at this width.
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
