import type { Page } from '@playwright/test';
import { readBrand } from '../frontend/builder/brand.ts';
import { sizes } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { sendButton } from './pages/enquiry-page.ts';
import { hydrate, jumpTo, openWithBanner, cookieBanner, paths, styleOf } from './pages/site.ts';
import { wording } from './support/content.ts';

/** The page whose drawing ends in a kite at its right edge. */
const AGENT = '/services/agentic-ai';

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not shown`);
  return box;
};

const NAMES = ['Polder & Partners International Software', 'Ox', 'شركة الطائرات الورقية للبرمجيات والاستشارات'];

for (const width of sizes([320, 375, 1280], [320, 1280])) {
  test(`company name > of any length fits next to the menu > at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    for (const name of NAMES) {
      await page.evaluate((text) => {
        for (const place of document.querySelectorAll('header a[href="/"] bdi')) place.textContent = text;
      }, name);
      const logo = await boxOf(page, 'header bdi');
      const next = width < 1216 ? 'header button[popovertarget]' : '#site-menu';
      const menu = await boxOf(page, next);
      expect.soft(logo.x + logo.width, name).toBeLessThanOrEqual(menu.x);
      const bar = await boxOf(page, 'header');
      expect.soft(logo.y + logo.height, name).toBeLessThanOrEqual(bar.y + bar.height);
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
    }
  });
}

test('dropdown > scrolls to every entry > in a low window', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto('/');
  await page.locator('#site-menu summary').first().click();
  const last = page.locator('#site-menu details[open] li:last-child a');
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});

test('bar, banner and button > do not stick over the text > at a zoom of 400 %', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.addInitScript(() => localStorage.clear());
  await openWithBanner(page, '/contact');
  await jumpTo(page, 900);
  await expect(page.locator('header').first()).not.toBeInViewport();
  await expect(cookieBanner(page)).not.toBeInViewport();
  await expect(page.getByRole('button', { name: wording.frame.backToTop })).toBeHidden();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`contact form > focus and error have different colours > ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/contact');
    await hydrate(page);
    await sendButton(page).click();
    await expect(page.locator('#name')).toBeFocused();
    const ring = await styleOf(page.locator('#name'), 'outline-color');
    expect(ring).not.toBe(await styleOf(page.locator('#email'), 'border-top-color'));
    expect(ring).toBe(await styleOf(page.locator('h1'), 'color'));
  });
}

test('select > keeps its native appearance > with forced colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/contact');
  expect(await styleOf(page.locator('select'), 'appearance')).not.toBe('none');
});

test('link beside a heading > has no frame around its bare text > with forced colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/contact');
  expect(await styleOf(page.locator('[data-hero] .button'), 'border-top-width')).toBe('0px');
});

for (const width of sizes([320, 390], [390]))
  test(`drawing of an agent > leaves room for the back-to-top button > at ${width} px`, async ({ page, browser }) => {
    test.skip(!paths.includes(AGENT), 'not among the pages');
    await page.setViewportSize({ width, height: 664 });
    await page.goto(AGENT);
    const drawing = page.locator('[data-section=figure] img').first();
    test.skip((await drawing.count()) === 0, 'the page has no drawing');
    const image = await boxOf(page, '[data-section=figure] img');
    const button = await boxOf(page, '[data-back-to-top]');
    const source = await page.request.get((await drawing.getAttribute('src')) ?? '');
    // In a page of its own, the site's security policy would take away its style, which is for pages.
    const alone = await browser.newPage();
    await alone.setContent(await source.text());
    const right = await alone.locator('svg').evaluate((svg) => {
      const { left, width } = svg.getBoundingClientRect();
      const shapes = [...svg.querySelectorAll('svg > :is(path, use, text), g:not(defs *) > *')];
      return Math.max(...shapes.map((shape) => shape.getBoundingClientRect().right - left)) / width;
    });
    await alone.close();
    expect(right).toBeGreaterThan(0.5);
    expect(image.x + right * image.width).toBeLessThan(button.x);
  });

for (const [width, height, limit] of [
  [390, 844, 700],
  [1280, 800, 800],
] as const)
  test(`/contact > shows the first field without scrolling > at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/contact');
    const { y, height: own } = await boxOf(page, 'main form input:not([type=hidden]):not([tabindex="-1"])');
    expect(y + own).toBeLessThanOrEqual(limit);
  });

test('/contact > shows the form first, on a laptop next to its heading', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto('/contact');
  const tops = await page
    .locator('main form, main section:not(:has(form)):not([data-hero])')
    .evaluateAll((parts) => parts.map((part) => [part.tagName, part.getBoundingClientRect().top] as const));
  expect(tops[0]?.[0]).toBe('FORM');
  expect(tops.toSorted(([, one], [, other]) => one - other)).toEqual(tops);
  await page.setViewportSize({ width: 1280, height: 800 });
  const form = await boxOf(page, 'main form');
  const heading = await boxOf(page, 'main section:has(form) h2');
  expect(heading.x + heading.width).toBeLessThan(form.x);
  expect(heading.y).toBeLessThan(form.y + form.height);
  const reasons = await boxOf(page, 'main section section:has(h2)');
  // In place of the kite.
  const isBeside = readBrand().motif === 'none';
  expect(reasons.y).toBeGreaterThan(isBeside ? heading.y : form.y + form.height);
});
