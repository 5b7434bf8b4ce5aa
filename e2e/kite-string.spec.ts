import type { Page } from '@playwright/test';
import { sizes } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { paths, SCRIPT_LOADED, UNKNOWN_PATH } from './pages/site.ts';

const string = (page: Page) => page.locator('[data-hero] [data-string]');
const kite = (page: Page) => page.locator('[data-hero] [data-kite]');
const startButton = (page: Page) => page.locator('[data-hero] .button').first();

/** Distance in pixels between the end of the string and the middle of the nearest side of the filled button. */
const gap = (page: Page) =>
  page.evaluate(() => {
    const path = document.querySelector<SVGPathElement>('[data-hero] [data-string]');
    const button = document.querySelector('[data-hero] .button')?.getBoundingClientRect();
    const matrix = path?.getScreenCTM();
    if (!path || !button || !matrix) return Number.NaN;
    const end = path.getPointAtLength(path.getTotalLength()).matrixTransform(matrix);
    const { left, right, top, bottom } = button;
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const sides = [
      [left, y],
      [right, y],
      [x, top],
      [x, bottom],
    ] as const;
    return Math.min(...sides.map((side) => Math.hypot(end.x - side[0], end.y - side[1])));
  });

/** Returns the lines of text and the other buttons in the hero that the string crosses. */
const touchedText = (page: Page) =>
  page.evaluate(() => {
    const path = document.querySelector<SVGPathElement>('[data-hero] [data-string]');
    const matrix = path?.getScreenCTM();
    if (!path || !matrix) return ['no string'];
    const steps = Array.from({ length: 200 }, (_, step) => (step / 200) * path.getTotalLength());
    const points = steps.map((length) => path.getPointAtLength(length).matrixTransform(matrix));
    const touched: string[] = [];
    const selector = '[data-hero] :is(h1, p:not(:has(.button)), li, .button + .button)';
    for (const element of document.querySelectorAll(selector)) {
      const range = document.createRange();
      if (element.matches('.button')) range.selectNode(element);
      else range.selectNodeContents(element);
      for (const { left, right, top, bottom } of range.getClientRects())
        if (points.some(({ x, y }) => x > left && x < right - 1 && y > top && y < bottom))
          touched.push(element.textContent ?? '');
    }
    return touched;
  });

/** Smallest distance in pixels between the string and the tail and bows of the kite, turned as far as the button tugs it. */
const distanceToTail = (page: Page) =>
  page.evaluate(() => {
    const string = document.querySelector<SVGPathElement>('[data-hero] [data-string]');
    const tail = [...document.querySelectorAll<SVGPathElement>('[data-hero] [data-tail] path')];
    const pointsOf = (path: SVGPathElement) => {
      const length = path.getTotalLength();
      const matrix = path.getScreenCTM() ?? undefined;
      return Array.from({ length: 300 }, (_, step) =>
        path.getPointAtLength((step / 299) * length).matrixTransform(matrix),
      );
    };
    const shown = tail.filter((path) => path.checkVisibility()).flatMap(pointsOf);
    if (!string || shown.length === 0) return Number.NaN;
    let smallest = Number.POSITIVE_INFINITY;
    for (const { x, y } of pointsOf(string))
      for (const point of shown) smallest = Math.min(smallest, Math.hypot(point.x - x, point.y - y));
    return smallest;
  });

const rotation = (page: Page) =>
  kite(page)
    .first()
    .evaluate((element) => {
      const { a, b } = new DOMMatrix(getComputedStyle(element).transform);
      return Math.round((Math.atan2(b, a) * 180) / Math.PI);
    });

const careers = paths.filter((path) => path.startsWith('/careers'));

// The first section of a position is that of the overview.
for (const path of ['/', ...sizes(careers, careers.slice(0, 1)), UNKNOWN_PATH]) {
  test(`string > ends at the button and crosses no text at any width > ${path} @also-phone`, async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 404/);
    // The string ends at the same place, at once.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(path);
    await expect.poll(() => gap(page)).toBeLessThan(2);
    expect(await touchedText(page)).toEqual([]);
    for (const width of sizes([360, 820, 1024, 1920], [360, 1024])) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => gap(page), `${width} px`).toBeLessThan(2);
      expect.soft(await touchedText(page), `${width} px`).toEqual([]);
    }
  });
}

test('string > is at rest > the window is resized while it is drawn', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const drawn = () => {
    const window = document.querySelector('[data-hero] [data-string]')?.closest('div');
    const slides = window?.getAnimations({ subtree: true }).filter((each) => !(each instanceof CSSTransition)) ?? [];
    for (const slide of slides) slide.pause();
    return slides.length;
  };
  await page.goto('/');
  await page.waitForFunction(drawn);
  await page.setViewportSize({ width: 600, height: 800 });
  await expect.poll(() => gap(page)).toBeLessThan(2);
  expect(await page.evaluate(drawn)).toBe(0);
});

test('string > is left of the scrollbar > where one takes room', async ({ playwright, launchOptions, baseURL }) => {
  const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] });
  const page = await browser.newPage({ reducedMotion: 'reduce', ...(baseURL && { baseURL }) });
  for (const width of [600, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    await expect.poll(() => gap(page)).toBeLessThan(2);
    const room = await string(page).evaluate((path) => {
      const { clientWidth } = document.documentElement;
      return { scrollbar: innerWidth - clientWidth, margin: clientWidth - path.getBoundingClientRect().right };
    });
    expect(room.scrollbar).toBeGreaterThan(0);
    expect(room.margin, `${width} px`).toBeGreaterThan(5);
  }
  await browser.close();
});

/** Pages with the widths at which their tail is shown. */
const TAILS = sizes<readonly [path: string, widths: readonly number[]]>(
  [
    ['/', [1024, 1280, 1920]],
    [UNKNOWN_PATH, [360, 720, 1024, 1280, 1920]],
  ],
  [[UNKNOWN_PATH, [360, 1280]]],
);

for (const [path, widths] of TAILS) {
  test(`string > stays clear of the tail > ${path}`, async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    await page.goto(path);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => gap(page), `${width} px`).toBeLessThan(2);
      expect.soft(await distanceToTail(page), `${width} px`).toBeGreaterThan(10);
      await startButton(page).hover();
      await expect.poll(() => kite(page).evaluate((element) => element.getAnimations().length)).toBe(0);
      expect.soft(await distanceToTail(page), `${width} px, tugged`).toBeGreaterThan(10);
      await page.mouse.move(width - 5, 5);
    }
  });
}

test.describe('The kite of the home page', () => {
  test('turns > the button is hovered or focused', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator(SCRIPT_LOADED)).toHaveCount(1);
    await startButton(page).hover();
    await expect.poll(() => rotation(page)).toBe(-5);
    await page.mouse.move(5, 5);
    await expect.poll(() => rotation(page)).toBeGreaterThan(-4);
    await startButton(page).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(startButton(page)).toBeFocused();
    await expect.poll(() => rotation(page)).toBe(-5);
  });

  test('leans towards the pointer by at most three degrees', async ({ page }) => {
    await page.goto('/');
    await expect.poll(() => gap(page)).toBeLessThan(2);
    const { width = 0 } = page.viewportSize() ?? {};
    await page.mouse.move(width - 2, 150);
    await expect.poll(() => rotation(page)).toBeGreaterThan(2);
    expect(await rotation(page)).toBeLessThanOrEqual(4.5);
    await expect.poll(() => rotation(page)).toBeLessThanOrEqual(3);
  });

  test('stays still on its string > with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await expect.poll(() => gap(page)).toBeLessThan(2);
    await startButton(page).hover();
    expect(await rotation(page)).toBe(0);
    expect(
      await kite(page)
        .first()
        .evaluate((element) => element.getAnimations().length),
    ).toBe(0);
  });

  test.describe('without a script', () => {
    test.use({ javaScriptEnabled: false });

    test('has a string that crosses no text @also-phone', async ({ page }) => {
      await page.goto('/');
      await expect(string(page)).toHaveAttribute('d', /^M0 0C/);
      await expect(startButton(page)).toBeVisible();
      expect(await touchedText(page)).toEqual([]);
    });
  });
});

for (const path of sizes(careers, careers.slice(0, 1))) {
  test(`empty place > is filled > the button is hovered or focused > ${path}`, async ({ page }) => {
    await page.goto(path);
    const button = startButton(page);
    const opacity = () =>
      page.locator('[data-hero] [data-place]').evaluate((element) => Number(getComputedStyle(element).opacity));
    expect(await opacity()).toBe(0);
    await button.hover();
    await expect.poll(opacity).toBe(1);
    await page.mouse.move(5, 5);
    await expect.poll(opacity).toBe(0);
    await button.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused();
    await expect.poll(opacity).toBe(1);
  });
}
