import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { paths, UNKNOWN_PATH } from './support/paths.ts';

/** Words of a page that its reader sees; the shortest page has more than this. */
const FEWEST_WORDS = 60;

test.describe('with JavaScript off @desktop', () => {
  test.use({ javaScriptEnabled: false });

  test('every page reads completely', async ({ page, expectedConsoleErrors }) => {
    test.slow();
    expectedConsoleErrors.push(/status of 404/);
    for (const path of [...paths, UNKNOWN_PATH]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      const text = await page.getByRole('main').innerText();
      expect(text.split(/\s+/).length, path).toBeGreaterThan(FEWEST_WORDS);
      expect(await unseenTexts(page), path).toEqual([]);
    }
  });

  test('every question opens', async ({ page }) => {
    await page.goto('/contact');
    const questions = page.getByRole('main').locator('details');
    await expect(questions).toHaveCount(8);
    for (const question of await questions.all()) {
      await expect(question.locator('p')).toBeHidden();
      await question.locator('summary').click();
      await expect(question.locator('p')).toBeVisible();
    }
  });
});

test('every link of every page leads somewhere @desktop', async ({ request }) => {
  const targets = new Set<string>();
  const dead: string[] = [];
  for (const path of paths) {
    const html = await (await request.get(path)).text();
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (href.startsWith('/')) targets.add(href);
      else if (href.startsWith('#')) {
        if (html.split(` id="${href.slice(1)}"`).length !== 2) dead.push(`${path} ${href}`);
      } else if (!/^(https:\/\/|mailto:\S+@\S+|tel:\+)/.test(href)) dead.push(`${path} ${href}`);
    }
  }
  expect(targets.size).toBeGreaterThanOrEqual(paths.length);
  for (const target of targets) {
    const answer = await request.get(target, { maxRedirects: 0 });
    if (answer.status() !== 200) dead.push(target);
  }
  expect(dead).toEqual([]);
});

/** Texts of the page that no reader sees, but for answers not yet asked for and the form that its link shows. */
function unseenTexts(page: Page): Promise<(string | null)[]> {
  return page
    .getByRole('main')
    .locator('h2, h3, p, li, dd')
    .evaluateAll((elements) =>
      elements
        .filter((element) => !element.closest('details:not([open]), dialog, .sr-only'))
        .filter((element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map((element) => element.textContent),
    );
}
