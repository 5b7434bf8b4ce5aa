import type { Locator, Page } from '@playwright/test';
import { readBrand } from '../frontend/builder/brand.ts';
import { expect, test } from './harness/test.ts';
import { pages } from './support/content.ts';

const cards = (page: Page) => page.locator('[data-section=service-cards] li:has(h3)');
const markOf = (card: Locator) => card.locator(':scope > svg');

/** Turn and vertical place of the card's kite. */
const placeOf = (card: Locator) =>
  markOf(card).evaluate((svg) => {
    const { a, b, f } = new DOMMatrix(getComputedStyle(svg).transform);
    return `${Math.round((Math.atan2(b, a) * 180) / Math.PI)}deg, ${Math.round(f)}px`;
  });
const TILTED = '-6deg, 0px';

const hasKites = readBrand().motif === 'kite';
const kiteAt = (href: string | null) => (hasKites ? pages.find(({ path }) => path === href)?.kite : undefined);

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (!box) throw new Error('is not visible');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};

test.describe('A kite of the home page', () => {
  for (const [width, least] of [
    [1440, 104],
    [1024, 104],
    [390, 72],
    [320, 72],
  ] as const)
    test(`is at least ${least} pixels wide, and named > ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/');
      expect(await cards(page).count()).toBeGreaterThan(2);
      for (const card of await cards(page).all()) {
        const kite = kiteAt(await card.getByRole('link').getAttribute('href'));
        const [mark, frame, title] = [await boxOf(markOf(card)), await boxOf(card), await boxOf(card.locator('h3'))];
        expect(
          await markOf(card).evaluate((svg) => Number.parseFloat(getComputedStyle(svg).width)),
        ).toBeGreaterThanOrEqual(least);
        expect(mark.right).toBeLessThan(frame.right);
        expect(mark.bottom <= title.y + 8 || title.right <= mark.x, 'clear of the title').toBe(true);
        if (!kite?.name) continue;
        const name = card.getByText(kite.name, { exact: true });
        await expect(name).toBeVisible();
        const { x, y, right, bottom } = await boxOf(name);
        expect(right).toBeLessThan(frame.right);
        expect(bottom <= mark.y + 8 || right <= mark.x, 'name clear of the kite').toBe(true);
        expect(y > title.y === x < mark.x, 'below the title, or at the upper edge').toBe(true);
      }
    });

  test('rises and straightens on hover', async ({ page }) => {
    await page.goto('/');
    const card = cards(page).first();
    await card.scrollIntoViewIfNeeded();
    expect(await placeOf(card)).toBe(TILTED);
    await card.hover();
    await expect.poll(() => placeOf(card)).toBe('0deg, -10px');
  });

  test('stays still > with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    const card = cards(page).first();
    await card.hover();
    expect(await placeOf(card)).toBe(TILTED);
  });

  test('leaves its row aligned > without a name', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/');
    const heights = () => cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height));
    const before = await heights();
    await cards(page)
      .first()
      .locator('div > p')
      .evaluate((name) => name.remove());
    expect(await heights()).toEqual(before);
  });
});

for (const width of [1440, 390])
  test(`list of services > has each kite with its name and reason > ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/services');
    const rows = page.locator('[data-section=link-groups] li');
    expect(await rows.count()).toBeGreaterThan(2);
    for (const row of await rows.all()) {
      const kite = kiteAt(await row.getByRole('link').getAttribute('href'));
      if (!kite) continue;
      expect(await boxOf(row.locator('svg'))).toMatchObject({ width: 64, height: 64 });
      await expect(row.getByText([kite.name, kite.reason].filter(Boolean).join(': '), { exact: true })).toBeVisible();
    }
  });

for (const path of ['/', '/services'])
  test(`link to a price > is at least 24 pixels high > ${path}`, async ({ page }) => {
    await page.goto(path);
    const links = page.locator('[data-section] dt a, [data-section=link-groups] li a');
    for (const { height } of await links.evaluateAll((all) =>
      all.map((link) => ({ height: link.getBoundingClientRect().height })),
    ))
      expect(height).toBeGreaterThanOrEqual(24);
  });

test('strings of the services > end at rings on the upper rule of the list', async ({ page }) => {
  test.skip(!hasKites, 'the brand has no kites');
  for (const width of [960, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/services');
    const distances = await page.evaluate(() => {
      const list = document.querySelector('[data-section=link-groups]');
      const rule = list?.querySelector('li')?.getBoundingClientRect().top ?? Number.NaN;
      const path = [...document.querySelectorAll<SVGPathElement>('[data-hero] path')].find((each) =>
        /V\d+$/.test(each.getAttribute('d') ?? ''),
      );
      const { a: scale = 0, e: left = 0 } = path?.getScreenCTM() ?? {};
      const ends = [...(path?.getAttribute('d') ?? '').matchAll(/(\d+) \d+V/g)].map(
        ([, x]) => left + Number(x) * scale,
      );
      return [...(list?.querySelectorAll('circle') ?? [])].map((ring, at) => {
        const { x, y, width: size } = ring.getBoundingClientRect();
        return Math.round(Math.hypot(x + size / 2 - (ends[at] ?? Number.NaN), y + size / 2 - rule));
      });
    });
    expect(distances, `at ${width} px`).toEqual([0, 0, 0]);
  }
});
