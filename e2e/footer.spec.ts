import { expect, test } from './harness/test.ts';
import { cookieBanner, openWithBanner } from './pages/site.ts';

test.use({ hasDeclinedCookies: false, contextOptions: { reducedMotion: 'reduce' } });

test('footer > has complete rows of columns > at any width', async ({ page }) => {
  await page.goto('/sitemap');
  for (const width of [390, 640, 768, 1024, 1216, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const tops = await page
      .locator('footer nav')
      .evaluateAll((columns) => columns.map((column) => column.getBoundingClientRect().top));
    const rows = [...new Set(tops)].map((row) => tops.filter((top) => top === row).length);
    expect(new Set(rows).size, `columns in the rows at ${width} px: ${rows.join()}`).toBe(1);
  }
});

/** Greatest distance in pixels between the last line and the end of the page. */
const END = 40;

test('footer > ends with its last line, which the cookie banner does not cover', async ({ page }) => {
  await openWithBanner(page, '/sitemap');
  for (const width of [390, 1024, 1216, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const banner = await cookieBanner(page).evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
    const { bottoms, covered } = await page.locator('footer :is(a, button, p > span)').evaluateAll((elements, over) => {
      const boxes = elements.map((element) => element.getBoundingClientRect());
      return {
        bottoms: boxes.map(({ bottom }) => innerHeight - bottom),
        covered: boxes.filter(({ right, bottom }) => right > over.left && bottom > over.top).length,
      };
    }, banner);
    expect(covered, `covered at ${width} px`).toBe(0);
    // The banner is next to the line on a wide screen. On a narrow one the page has room for it.
    if (width > 1200) expect(Math.min(...bottoms), `below the last line at ${width} px`).toBeLessThan(END);
  }
});
