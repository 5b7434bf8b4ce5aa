import type { Page } from '@playwright/test';
import { menuGroups } from '../frontend/src/content/navigation.ts';
import { expect, test } from './harness/test.ts';
import { axeFindings } from './support/axe.ts';
import { paths } from './support/paths.ts';
import { hasDeclinedCookies, twoFrames } from './support/visitor.ts';

const banner = (page: Page) => page.getByRole('region', { name: 'Cookie consent' });
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** A page of 1280 px at 400 %. */
const SMALL = { width: 320, height: 568 };
const LARGER = [
  { width: 375, height: 812 },
  { width: 1280, height: 800 },
];

test.describe('with the cookie banner open @desktop', () => {
  // A smooth scroll would still be under way when it is measured.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  const walks = [
    ...paths.map((path) => [path, SMALL] as const),
    ...['/', '/contact'].flatMap((path) => LARGER.map((size) => [path, size] as const)),
  ];
  for (const [path, viewport] of walks) {
    test(`nothing that has the focus on ${path} is covered at ${viewport.width} px`, async ({ page }) => {
      test.slow();
      await page.setViewportSize(viewport);
      await page.goto(path);
      await expect(banner(page)).toBeVisible();
      expect(await coveredStops(page)).toEqual([]);
    });
  }

  for (const viewport of [SMALL, ...LARGER]) {
    test(`axe finds nothing at ${viewport.width} px, also when it is closed`, async ({ page }) => {
      test.slow();
      await page.setViewportSize(viewport);
      for (const path of ['/', '/contact', '/careers', '/services/agentic-ai']) {
        await page.goto(path);
        await expect(banner(page)).toBeVisible();
        expect.soft(await axeFindings(page, 'light'), `${path}, open`).toEqual([]);
        await banner(page).getByRole('button', { name: 'Close' }).click();
        await expect(banner(page)).toBeHidden();
        expect.soft(await axeFindings(page, 'light'), `${path}, closed`).toEqual([]);
      }
    });
  }

  test('what has the focus when it appears is moved out from under it', async ({ page }) => {
    await page.clock.install();
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto('/services/web-development');
    const link = page.getByRole('main').getByRole('link').last();
    await link.evaluate((element: HTMLElement) => {
      element.focus({ preventScroll: true });
      scrollTo(0, scrollY + element.getBoundingClientRect().bottom - innerHeight + 2);
    });
    await expect(link).toBeInViewport({ ratio: 1 });
    await page.clock.runFor(1000);
    await expect(banner(page)).toBeVisible();
    const top = (await banner(page).boundingBox())?.y ?? 0;
    await expect
      .poll(async () => ((await link.boundingBox())?.y ?? 0) + ((await link.boundingBox())?.height ?? 0))
      .toBeLessThanOrEqual(top);
  });

  test('it comes right after the skip link in the tab order, and covers less than a quarter of a small screen', async ({
    page,
  }) => {
    await page.setViewportSize(SMALL);
    await page.goto('/');
    await expect(banner(page)).toBeVisible();
    expect((await banner(page).boundingBox())?.height).toBeLessThan(SMALL.height / 4);
    const stops: string[] = [];
    for (const _ of Array(5)) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        ),
      );
    }
    const heights = await banner(page)
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.clientHeight));
    expect(Math.max(...heights), 'each button on one line').toBeLessThanOrEqual(44);
    expect(stops).toEqual(['Skip to content', 'privacy policy', 'Accept', 'Decline', 'Close']);
  });

  test('Accept and Decline look alike', async ({ page }) => {
    await page.goto('/');
    const look = (name: string) =>
      banner(page)
        .getByRole('button', { name })
        .evaluate((button) => {
          const { backgroundColor, color, borderColor, fontWeight, fontSize } = getComputedStyle(button);
          return { backgroundColor, color, borderColor, fontWeight, fontSize };
        });
    await expect(banner(page)).toBeVisible();
    expect(await look('Accept')).toEqual(await look('Decline'));
  });

  test('it is announced by a live region that was there before it', async ({ page }) => {
    await page.goto('/');
    await expect(banner(page).locator('xpath=ancestor::*[@aria-live="polite"]')).toHaveCount(1);
    await expect(banner(page)).toBeVisible();
  });
});

test('"Cookie settings" asks again, and the new choice is kept', async ({ page }) => {
  await hasDeclinedCookies(page);
  await page.goto('/about');
  await page.getByRole('contentinfo').getByRole('button', { name: 'Cookie settings' }).click();
  await expect(banner(page).getByRole('button', { name: 'Accept' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(banner(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Cookie settings' })).toBeFocused();
  expect(await page.evaluate(() => localStorage.getItem('kitewright-cookie-consent'))).toBe('accepted');
});

test.describe('the full-screen menu @phone', () => {
  test.beforeEach(({ page }) => hasDeclinedCookies(page));
  const open = (page: Page) => page.getByRole('button', { name: 'Menu', exact: true }).tap();

  test('closes when a tablet is turned and has the bar again', async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 1366 });
    await page.goto('/about');
    await open(page);
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible();
    await page.setViewportSize({ width: 1366, height: 1024 });
    await expect.poll(() => menu(page).evaluate((nav) => nav.matches(':popover-open'))).toBe(false);
    await expect.poll(async () => (await menu(page).boundingBox())?.height).toBeLessThan(100);
  });

  test('closes when the focus leaves it, so that no focus is behind it', async ({ page }) => {
    await page.goto('/about');
    await open(page);
    await menu(page).getByRole('link', { name: 'Contact Us' }).focus();
    await page.keyboard.press('Tab');
    await expect(page.locator(':focus')).toBeVisible();
    await expect(menu(page)).toBeHidden();
  });

  test('keeps a tapped group where it is: the one above stays open', async ({ page }) => {
    await page.goto('/about');
    await open(page);
    const group = (name: string) => menu(page).locator('summary').filter({ hasText: name });
    await group(menuGroups[0].name).tap();
    await group(menuGroups[1].name).scrollIntoViewIfNeeded();
    const before = await group(menuGroups[1].name).boundingBox();
    await group(menuGroups[1].name).tap();
    await expect(menu(page).locator('details[open]')).toHaveCount(2);
    await twoFrames(page);
    expect((await group(menuGroups[1].name).boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  });
});

/** Walks through the page by the Tab key, and returns what was under the bar or the banner when it had the focus. */
async function coveredStops(page: Page): Promise<string[]> {
  const covered: string[] = [];
  for (let stop = 0; stop < 300; stop += 1) {
    await page.keyboard.press('Tab');
    const [isOver, what] = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return [true, ''] as const;
      const { top, height } = element.getBoundingClientRect();
      // Of a large text field the browser shows the line that is written in.
      const box = { top, bottom: top + (element.matches('textarea') ? Math.min(height, 48) : height) };
      const isUnder = (selector: string) => {
        const cover = document.querySelector(selector);
        const over = cover?.getBoundingClientRect();
        return (
          !cover?.contains(element) && over !== undefined && box.top < over.bottom - 1 && box.bottom > over.top + 1
        );
      };
      // The link that skips the bar lies over it.
      if (element.matches('[href="#content"]')) return [false, ''] as const;
      const isCovered =
        isUnder('body > header') || isUnder('[aria-label="Cookie consent"]') || box.bottom < 0 || box.top > innerHeight;
      return [false, isCovered ? `${element.tagName} "${element.textContent?.trim().slice(0, 30)}"` : ''] as const;
    });
    if (isOver) return covered;
    if (what) covered.push(what);
  }
  throw new Error('The focus never leaves the page');
}

test('each question is a heading for assistive technology, though it opens its answer @desktop', async ({ page }) => {
  await page.goto('/contact');
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  const headings = nodes.filter(({ role }) => role?.value === 'heading').map(({ name }) => String(name?.value));
  const questions = await page.locator('main summary h3').allInnerTexts();
  expect(questions.length).toBeGreaterThan(0);
  expect(headings).toEqual(expect.arrayContaining(questions));
});
