import { expect, test } from './harness/test.ts';
import { servicePath } from './support/content.ts';

/** Width of the printed area of A4 with wide margins, in CSS pixels. */
const PAPER_WIDTH = 629;

test('print > shows a comparison once, as a table', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: PAPER_WIDTH, height: 1_000 });
  await page.goto('/services');
  const rowName = await page.locator('tbody th').first().innerText();
  await expect(page.getByText(rowName, { exact: true }).filter({ visible: true })).toHaveCount(1);
});

test('print > hides forms and stacks columns', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });
  for (const path of ['/contact', servicePath]) {
    await page.goto(path);
    await expect(page.locator('[data-island]')).toBeHidden();
    const displays = await page
      .locator('[data-section] > div')
      .evaluateAll((grids) => grids.map((one) => getComputedStyle(one).display));
    expect(new Set(displays)).toEqual(new Set(['block']));
  }
});
