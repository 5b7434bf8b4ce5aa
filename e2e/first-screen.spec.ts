import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { paths } from './pages/site.ts';

const boxesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().toJSON()));

for (const path of paths) {
  test(`Figures stand two in a row on a phone, and buttons in one row on a laptop, in the first screen of ${path}.`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto(path);
    const figures = await boxesOf(page, '[data-hero] dl > div');
    const [values, labels] = [await boxesOf(page, '[data-hero] dd'), await boxesOf(page, '[data-hero] dt')];
    figures.forEach(({ left, top }, at) => {
      expect.soft(left === figures[0].left, 'in the first column').toBe(at % 2 === 0);
      expect.soft(top === figures[at - (at % 2)].top, 'beside the one before').toBe(true);
      expect.soft(values[at].bottom, 'above what it counts').toBeLessThanOrEqual(labels[at].top);
    });

    await page.setViewportSize({ width: 1280, height: 800 });
    const tops = (await boxesOf(page, '[data-hero] .button')).map(({ top }) => top);
    expect(new Set(tops).size).toBeLessThanOrEqual(1);
  });
}

test('The form of /contact comes before all other sections, for eyes, ears and keys, and on a laptop beside its promises.', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto('/contact');
  const order = () =>
    page.evaluate(() => {
      const [form, ...others] = [
        ...document.querySelectorAll('main form, main section:not(:has(form)):not([data-hero])'),
      ];
      const top = (element?: Element) => element?.getBoundingClientRect().top ?? 0;
      return { isFirst: form?.tagName === 'FORM', below: others.map((other) => top(other) > top(form)) };
    });
  const narrow = await order();
  expect(narrow.isFirst).toBe(true);
  expect(narrow.below).not.toContain(false);
  await page.setViewportSize({ width: 1280, height: 800 });
  const [form] = await boxesOf(page, 'main form');
  const [beside] = await boxesOf(page, 'main section section:has(h2)');
  expect(beside.right).toBeLessThan(form.left);
  expect(beside.top).toBeLessThan(form.bottom);
});

for (const [width, height, limit] of [
  [390, 844, 700],
  [1280, 800, 800],
] as const)
  test(`The first field of /contact is in sight on arrival at ${width} pixels.`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/contact');
    const [field] = await boxesOf(page, 'main form input:not([type=hidden]):not([tabindex="-1"])');
    expect(field.bottom).toBeLessThanOrEqual(limit);
  });
