import type { Page } from '@playwright/test';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry } from './support/enquiry-form.ts';
import { hasDeclinedCookies, hydrate, twoFrames } from './support/visitor.ts';

const DURATION_MS = 5000;

const toast = (page: Page) => page.getByRole('region', { name: 'Notifications' }).getByText(messages.contactSent);

test.beforeEach(async ({ page }) => {
  await hasDeclinedCookies(page);
  await page.route('**/api/contact', (route) =>
    route.fulfill({ status: 202, body: messages.contactSent, contentType: 'text/plain' }),
  );
});

async function showToast(page: Page): Promise<void> {
  await page.goto('/contact');
  await hydrate(page);
  await fillEnquiry(page, newEnquiry());
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(toast(page)).toBeVisible();
  // Its entrance moves it; a swipe starts where it stays.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation instanceof CSSAnimation && /in/i.test(animation.animationName)) animation.finish();
  });
}

/** Where on the toast a finger or the mouse goes down: left, so that the whole way lies on the toast. */
async function grip(page: Page): Promise<{ x: number; y: number }> {
  const box = await toast(page).boundingBox();
  if (!box) throw new Error('The toast is not shown');
  return { x: box.x + 5, y: box.y + box.height / 2 };
}

/** The running time bar of the toast, which closes it at its end. */
const timeBar = (page: Page) =>
  page.evaluateHandle(() =>
    document
      .getAnimations()
      .find((animation) => animation instanceof CSSAnimation && /progress/i.test(animation.animationName)),
  );

const duration = async (page: Page) =>
  (await timeBar(page)).evaluate((bar) => bar?.effect?.getComputedTiming().duration);

test('a toast goes after five seconds @desktop', async ({ page }) => {
  await showToast(page);
  expect(await duration(page)).toBe(DURATION_MS);
  await (await timeBar(page)).evaluate((bar) => bar?.finish());
  await expect(toast(page)).toBeHidden();
});

test('a toast stays as long for a visitor who does not like motion @desktop', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await showToast(page);
  expect(await duration(page)).toBe(DURATION_MS);
});

test('a toast is dismissed by its button @desktop', async ({ page }) => {
  await showToast(page);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(toast(page)).toBeHidden();
});

test('the text of a toast can be selected with the mouse @desktop', async ({ page }) => {
  await showToast(page);
  const { x, y } = await grip(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 80, y, { steps: 5 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString())).not.toBe('');
  await expect(toast(page)).toBeVisible();
});

test('a swipe of more than 50 px to the right dismisses a toast, one of 40 px does not @phone', async ({ page }) => {
  await showToast(page);
  const client = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints });
  const swipe = async (pixels: number) => {
    const { x, y } = await grip(page);
    await touch('touchStart', [{ x, y }]);
    for (let moved = 5; moved <= pixels; moved += 5) await touch('touchMove', [{ x: x + moved, y }]);
    await touch('touchEnd', []);
    await twoFrames(page);
  };
  await swipe(40);
  await expect(toast(page)).toBeVisible();
  await swipe(55);
  await expect(toast(page)).toBeHidden();
});
