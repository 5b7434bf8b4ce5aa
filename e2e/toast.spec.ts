import type { Page } from '@playwright/test';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry, openEnquiry, sendButton } from './pages/enquiry-page.ts';
import { notifications, twoFrames } from './pages/site.ts';

const DURATION_MS = 5000;

const toast = (page: Page) => notifications(page).getByText(messages.contactSent);

async function showToast(page: Page): Promise<void> {
  const answer = { status: 202, json: { success: true, message: 'Thanks.', reference: 'KW-0000-0000-0000-0000' } };
  await page.route('**/api/contact', (route) => route.fulfill(answer));
  await openEnquiry(page);
  await fillEnquiry(page, newEnquiry());
  await sendButton(page).click();
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

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`A toast goes after five seconds, with motion: ${reducedMotion}.`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion });
    await showToast(page);
    const bar = await page.evaluate(() => {
      const isTimeBar = (one: Animation) => one instanceof CSSAnimation && /progress/i.test(one.animationName);
      const progress = document.getAnimations().find(isTimeBar);
      const { duration } = progress?.effect?.getComputedTiming() ?? {};
      const isSeen = progress?.effect instanceof KeyframeEffect && Number(progress.effect.target?.clientHeight) > 0;
      progress?.finish();
      return { duration, isSeen };
    });
    expect(bar).toEqual({ duration: DURATION_MS, isSeen: true });
    await expect(toast(page)).toBeHidden();
  });
}

test('The text of a toast can be selected with the mouse. @desktop', async ({ page }) => {
  await showToast(page);
  const { x, y } = await grip(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 80, y, { steps: 5 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString())).not.toBe('');
  await expect(toast(page)).toBeVisible();
});

test('A swipe of more than 50 px to the right dismisses a toast, one of 40 px does not. @phone', async ({ page }) => {
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
