import { expect, test } from './harness/test.ts';
import { paths, UNKNOWN_PATH } from './pages/site.ts';

/** Widths of the printed area in CSS pixels: A4 with wide margins, and with a browser's own. */
const PAPER_WIDTHS = [629, 718];

test('print > cuts nothing off > every page', async ({ page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push(/status of 404/);
  await page.emulateMedia({ media: 'print' });
  for (const path of [...paths, UNKNOWN_PATH]) {
    await page.goto(path);
    for (const width of PAPER_WIDTHS) {
      await page.setViewportSize({ width, height: 1_000 });
      expect.soft(await page.evaluate(cutOff), `${path} at ${width} px`).toEqual([]);
    }
  }
});

test('print > shows a comparison once, as a table', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: PAPER_WIDTHS[0] ?? 0, height: 1_000 });
  await page.goto('/services');
  const rowName = await page.locator('tbody th').first().innerText();
  await expect(page.getByText(rowName, { exact: true }).filter({ visible: true })).toHaveCount(1);
});

/** Returns elements with clipped content, which paper cannot scroll, and elements beyond the paper. */
function cutOff(): readonly string[] {
  return [...document.body.querySelectorAll<HTMLElement>('*')]
    .filter((element) => element.checkVisibility() && !element.closest('svg, .sr-only, [aria-hidden=true]'))
    .filter((element) => {
      const isClipping = getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth;
      return isClipping || element.getBoundingClientRect().right > innerWidth + 1;
    })
    .map((element) => `${element.tagName} "${element.textContent.trim().slice(0, 40)}"`);
}
