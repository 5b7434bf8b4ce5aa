import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { tooWide } from './pages/accessibility.ts';
import { fillEnquiry, newEnquiry, openEnquiry, outcome, sendButton, sendEnquiry } from './pages/enquiry-page.ts';
import { figurePage } from './support/content.ts';
import { waitTwoFrames } from './pages/site.ts';
import { enquiryField } from './pages/words.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const risingKite = (page: Page) => page.locator('[data-rising-kite] > div');
const heightOf = (page: Page) => risingKite(page).evaluate((element) => element.getBoundingClientRect().top + scrollY);

async function fillOneByOne(page: Page, afterEach: () => Promise<void>): Promise<void> {
  const { name, email, service, message } = newEnquiry();
  for (const field of [{ name }, { email }, { service }, { message }]) {
    await fillEnquiry(page, field);
    await afterEach();
  }
}

test.describe('The kite of the contact page', () => {
  test('stays within a window that becomes narrow', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openEnquiry(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await waitTwoFrames(page);
    expect(await tooWide(page)).toEqual([]);
  });

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
});

test.describe('A drawing', () => {
  const { path = '' } = figurePage ?? {};
  const drawing = (page: Page) => page.locator('[data-section=figure] picture img');
  /** Part of the drawing that its window has left to slide, from 1 to 0; 0 without a window. */
  const left = (page: Page) =>
    drawing(page).evaluate((image) => {
      const animation = image.getAnimations()[0];
      return animation ? 1 - (animation.effect?.getComputedTiming().progress ?? 1) : 0;
    });

  test('is revealed by scrolling; complete in the middle, with reduced motion and in print', async ({ page }) => {
    await page.goto(path);
    await drawing(page).evaluate((image) => {
      const { top } = image.getBoundingClientRect();
      scrollTo({ top: top - innerHeight + 60, behavior: 'instant' });
    });
    await expect.poll(() => left(page)).toBeGreaterThan(0.5);
    await drawing(page).evaluate((image) => image.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await expect.poll(() => left(page)).toBe(0);
    await drawing(page).evaluate((image) => image.scrollIntoView({ block: 'end', behavior: 'instant' }));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => drawing(page).evaluate((image) => image.getAnimations().length)).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference', media: 'print' });
    await expect.poll(() => drawing(page).evaluate((image) => image.getAnimations().length)).toBe(0);
  });
});
