import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';

const boxesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().toJSON()));

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
