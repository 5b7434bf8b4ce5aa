import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry, openEnquiry, outcome, sendButton, sendEnquiry } from './pages/enquiry-page.ts';
import { figurePage } from './support/content.ts';
import { recordRendering } from './pages/rendering.ts';
import { holdRequests, styleOf } from './pages/site.ts';
import { enquiryField, enquiryWords } from './pages/words.ts';

const risingKite = (page: Page) => page.locator('[data-rising-kite] > div');
const string = (page: Page) => page.locator('[data-rising-kite] [data-string]');
const heightOf = (page: Page) => risingKite(page).evaluate((element) => element.getBoundingClientRect().top + scrollY);

async function fillOneByOne(page: Page, afterEach: () => Promise<void>): Promise<void> {
  const { name, email, service, message } = newEnquiry();
  for (const field of [{ name }, { email }, { service }, { message }]) {
    await fillEnquiry(page, field);
    await afterEach();
  }
}

test.describe('The kite of the contact page', () => {
  test('rises with each required field, turns red when sent and starts again', async ({ page }) => {
    await openEnquiry(page);
    const start = await heightOf(page);
    let last = start;
    await fillOneByOne(page, async () => {
      await expect.poll(() => heightOf(page)).toBeLessThan(last - 20);
      await expect.poll(() => risingKite(page).evaluate((element) => element.getAnimations().length)).toBe(0);
      last = await heightOf(page);
    });
    await fillEnquiry(page, { phone: '+44 1632 960001' });
    expect(Math.abs((await heightOf(page)) - last), 'an optional field has no effect').toBeLessThan(1);

    const cloth = () =>
      risingKite(page).evaluate((element) => getComputedStyle(element.querySelectorAll('path')[3] as Element).fill);
    const blue = await cloth();
    await sendEnquiry(page);
    await expect.poll(cloth).toBe('rgb(201, 54, 22)');
    expect(blue).not.toBe('rgb(201, 54, 22)');
    await expect(sendButton(page)).toBeHidden();
    await expect(outcome(page)).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(enquiryField(page, 'name')).toBeFocused();
    await expect(enquiryField(page, 'name')).toHaveValue('');
    await expect.poll(cloth).toBe(blue);
    await expect.poll(async () => Math.abs((await heightOf(page)) - start)).toBeLessThan(1);
  });

  test('has a string that ends at the submit button > before and after a failure', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 503/);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openEnquiry(page);
    const expectEndAtButton = async () => {
      const end = await string(page).evaluate((path: SVGPathElement) => {
        const { x, y } = path.getPointAtLength(path.getTotalLength()).matrixTransform(path.getScreenCTM() ?? undefined);
        return { x, y };
      });
      const { x = 0, y = 0, height = 0 } = (await sendButton(page).boundingBox()) ?? {};
      expect(Math.abs(end.x - x)).toBeLessThan(2);
      expect(Math.abs(end.y - y - height / 2)).toBeLessThan(2);
    };
    await expectEndAtButton();
    await fillEnquiry(page, newEnquiry());
    await page.route('**/api/contact', (route) => route.fulfill({ status: 503, body: 'We are busy.' }));
    await sendButton(page).click();
    await expect(outcome(page)).toBeVisible();
    await expectEndAtButton();
  });

  test('rises by the same step with each field > in a window of 900 px', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/contact');
    const [tops, tilts]: [number[], number[]] = [[], []];
    const measure = async () => {
      tops.push(await heightOf(page));
      tilts.push(await risingKite(page).evaluate((kite) => Number.parseFloat(getComputedStyle(kite).rotate) || 0));
    };
    await measure();
    await fillOneByOne(page, measure);
    expect(tilts).toEqual([-14, -10.5, -7, -3.5, 0]);
    for (const [index, top] of tops.slice(1).entries()) expect(top).toBeLessThan((tops[index] ?? 0) - 40);
    const text = await page.locator('section:has([data-island]) header').first().boundingBox();
    const below = (tops.at(-1) ?? 0) - (text?.y ?? 0) - (text?.height ?? 0) - (await page.evaluate(() => scrollY));
    expect(below, 'below the sentence about privacy').toBeGreaterThan(16);
    expect(below).toBeLessThan(40);
  });

  test('is whole in the first screen > in a window of 900 px', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/contact');
    const bottoms = await risingKite(page)
      .locator('path:visible')
      .evaluateAll((paths) => paths.map((path) => path.getBoundingClientRect().bottom));
    expect(Math.max(...bottoms)).toBeLessThan(900);
  });

  test('has a taut string and a button at work > while the form is sent', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openEnquiry(page);
    await fillEnquiry(page, newEnquiry());
    const { open } = await holdRequests(page, '**/api/contact');
    await sendButton(page).click();
    const button = page.getByRole('button', { name: enquiryWords.sending });
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(await styleOf(string(page), 'scale')).toBe('1 1.02');
    expect(await styleOf(button, 'color')).toBe(await styleOf(page.locator('h1'), 'color'));
    open();
    await expect(outcome(page)).toBeVisible();
    await expect.poll(() => styleOf(string(page), 'scale')).toMatch(/^(none|1( 1)?)$/);
  });

  test('sways once > the form gets the focus', async ({ page }) => {
    await page.addInitScript(() => {
      const sways: string[] = [];
      addEventListener('animationstart', ({ target }) => {
        if (target instanceof Element && target.closest('[data-rising-kite]'))
          sways.push(getComputedStyle(target).animationIterationCount);
      });
      Object.assign(window, { sways });
    });
    const sways = () => page.evaluate(() => 'sways' in window && window.sways);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/contact');
    expect(await sways()).toEqual([]);
    await enquiryField(page, 'name').focus();
    await expect.poll(sways).toEqual(['1']);
  });

  test('has a string of constant width', async ({ page }) => {
    await page.goto('/contact');
    // A stroke is not stretched by a transform within its drawing, but by one of the drawing itself.
    const styles = await string(page).evaluate((path) => {
      const { scale, vectorEffect } = getComputedStyle(path);
      return { scale, vectorEffect, drawing: getComputedStyle(path.parentElement ?? path).scale };
    });
    expect(styles).toEqual({ scale: '1 0.78', vectorEffect: 'non-scaling-stroke', drawing: 'none' });
  });

  test('has a string down the margin to the button on a phone, and stays below the bar', async ({ page }) => {
    // Without a smooth scroll, so that nothing moves while it is measured.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/contact');
    await fillOneByOne(page, () => Promise.resolve());
    await page.evaluate(() => location.assign('#contact-form-section'));
    const bar = await page.getByRole('banner').evaluate((element) => element.getBoundingClientRect().bottom);
    await expect
      .poll(() => risingKite(page).evaluate((element) => element.getBoundingClientRect().top))
      .toBeGreaterThan(bar);
    const line = await page.locator('[data-rising-kite]').evaluate((element) => {
      const box = element.getBoundingClientRect();
      const { right, bottom, left } = getComputedStyle(element, '::after');
      return {
        right: box.right - Number.parseFloat(right),
        bottom: box.bottom - Number.parseFloat(bottom),
        left: box.left + Number.parseFloat(left),
      };
    });
    const { x = 0, y = 0, width = 0, height = 0 } = (await sendButton(page).boundingBox()) ?? {};
    expect(Math.abs(line.bottom - y - height / 2)).toBeLessThan(2);
    expect(line.left, 'ends behind the button').toBeLessThan(x + width);
    const field = await enquiryField(page, 'message').boundingBox();
    expect(line.right - 2, 'clear of the fields').toBeGreaterThan((field?.x ?? 0) + (field?.width ?? 0) + 2);
    expect(line.right).toBeLessThan(390);
  });

  test('rises by the compositor alone > on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openEnquiry(page);
    const { refused } = await recordRendering(page, async () => {
      await fillEnquiry(page, { name: newEnquiry().name });
      await expect.poll(() => risingKite(page).evaluate((element) => element.getAnimations().length)).toBe(0);
    });
    expect(refused).toEqual([]);
  });

  test('rises without animation > with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/contact');
    const start = await heightOf(page);
    await fillEnquiry(page, { name: newEnquiry().name });
    expect(await heightOf(page)).toBeLessThan(start - 20);
    expect(await risingKite(page).evaluate((element) => element.getAnimations().length)).toBe(0);
  });

  test.describe('without a script', () => {
    test.use({ javaScriptEnabled: false });

    test('rises with each required field @also-phone', async ({ page }) => {
      await page.goto('/contact');
      let last = await heightOf(page);
      await fillOneByOne(page, async () => {
        await expect.poll(() => heightOf(page)).toBeLessThan(last - 5);
        await expect.poll(() => risingKite(page).evaluate((element) => element.getAnimations().length)).toBe(0);
        last = await heightOf(page);
      });
    });
  });
});

test.describe('A drawing', () => {
  const { path = '', id } = figurePage ?? {};
  const drawing = (page: Page) => page.locator('[data-section=figure] picture img');
  /** Part of the drawing that its window has left to slide, from 1 to 0; 0 without a window. */
  const left = (page: Page) =>
    drawing(page).evaluate((image) => {
      const animation = image.getAnimations()[0];
      return animation ? 1 - (animation.effect?.getComputedTiming().progress ?? 1) : 0;
    });

  test('is revealed while scrolling into view, and complete in the middle', async ({ page }) => {
    await page.goto(path);
    await drawing(page).evaluate((image) => {
      const { top } = image.getBoundingClientRect();
      scrollTo({ top: top - innerHeight + 60, behavior: 'instant' });
    });
    await expect.poll(() => left(page)).toBeGreaterThan(0.5);
    await drawing(page).evaluate((image) => image.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await expect.poll(() => left(page)).toBe(0);
  });

  test('is complete > before it is in view, for a capture of the whole page', async ({ page }) => {
    await page.goto(path);
    await page.waitForLoadState();
    expect(await left(page)).toBe(0);
  });

  test('is complete > after a jump to its section @also-phone', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto(`${path}#${id}`);
    await expect(drawing(page)).toBeInViewport();
    await expect.poll(() => left(page)).toBe(0);
  });

  test('is complete > with reduced motion and in print', async ({ page }) => {
    await page.goto(path);
    await drawing(page).evaluate((image) => image.scrollIntoView({ block: 'end', behavior: 'instant' }));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => drawing(page).evaluate((image) => image.getAnimations().length)).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference', media: 'print' });
    await expect.poll(() => drawing(page).evaluate((image) => image.getAnimations().length)).toBe(0);
  });
});

test.describe('The kites of the services page', () => {
  const option = (page: Page, at: number) => page.getByRole('radiogroup').locator('label').nth(at);
  const column = (page: Page, at: number) =>
    page.locator('[data-section=comparison] thead th:not(:first-child)').nth(at);
  const lift = (page: Page, at: number) =>
    option(page, at)
      .locator('svg')
      .evaluate((kite) => new DOMMatrix(getComputedStyle(kite).transform).f);

  test.describe('without a script', () => {
    test.use({ javaScriptEnabled: false });

    test('rise and mark their column > chosen by keyboard @also-phone', async ({ page }) => {
      await page.goto('/services');
      const isPhone = (page.viewportSize()?.width ?? 0) < 640;
      await option(page, 0).getByRole('radio').focus();
      for (const chosen of [1, 2]) {
        await page.keyboard.press('ArrowRight');
        await expect(option(page, chosen).getByRole('radio')).toBeChecked();
        await expect.poll(() => lift(page, chosen)).toBe(-16);
        await expect.poll(() => lift(page, 0)).toBe(0);
        await expect(column(page, chosen)).toBeVisible();
        await expect(column(page, 0)).toBeVisible({ visible: !isPhone });
      }
    });
  });

  test('name their parts at every width @also-phone', async ({ page }) => {
    await page.goto('/services');
    const names = page.locator('[role=radiogroup] svg text');
    await expect(names).toHaveCount(12);
    for (const name of await names.all()) {
      await expect(name).toBeVisible();
      expect(await name.evaluate((text) => text.getBoundingClientRect().height)).toBeGreaterThan(11);
    }
  });

  test('rise without animation > with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/services');
    await option(page, 2).click();
    expect(await lift(page, 2)).toBe(-16);
  });
});
