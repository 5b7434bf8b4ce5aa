import type { Locator } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry, outcome, sendButton, sendEnquiry } from './pages/enquiry-page.ts';
import { cookieBanner, hydrate, openWithBanner } from './pages/site.ts';

test.use({ hasDeclinedCookies: false });

/** Returns the part of the first element's height that the second one covers, in pixels. */
async function overlap(one: Locator, other: Locator): Promise<number> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) throw new Error('an element is not shown');
  const isBeside = a.x >= b.x + b.width || b.x >= a.x + a.width;
  return isBeside ? 0 : Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
}

test('toast > covers neither result nor banner > on a phone', async ({ page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push(/status of 503/);
  await page.setViewportSize({ width: 390, height: 664 });
  await openWithBanner(page, '/contact');
  await hydrate(page);
  await fillEnquiry(page, newEnquiry());
  const toast = page.locator('[data-toast]').locator('..');

  await page.route('**/api/contact', (route) => route.fulfill({ status: 503, body: 'We are busy.' }), { times: 1 });
  await sendButton(page).click();
  await expect(toast).toContainText('We are busy.');
  await expect(outcome(page)).toBeInViewport({ ratio: 1 });
  expect(await overlap(outcome(page), toast)).toBe(0);
  expect(await overlap(cookieBanner(page), toast)).toBe(0);

  await sendEnquiry(page);
  await expect(toast).not.toContainText('We are busy.');
  const texts = outcome(page).locator('div').first();
  await expect(texts).toBeInViewport({ ratio: 1 });
  expect(await overlap(texts, toast)).toBe(0);
  expect(await overlap(texts, page.getByRole('banner')), 'the bar').toBe(0);
  expect(await overlap(cookieBanner(page), toast)).toBe(0);
  const close = toast.getByRole('button');
  // The toast is above all other floating elements.
  await close.click({ trial: true });
});
