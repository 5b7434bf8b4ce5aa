import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { CONSENT_KEY } from './support/visitor.ts';

const START = Date.UTC(2026, 0, 15, 12);
const PAUSED_AT = START + 60_000;

const banner = (page: Page) => page.getByRole('region', { name: 'Cookie consent' });
const stored = (page: Page) =>
  page.evaluate((key) => [localStorage.getItem(key), localStorage.getItem(`${key}_date`)], CONSENT_KEY);

/** Opens a page whose clock stands still until it is told to run. */
async function openStill(page: Page): Promise<void> {
  await page.clock.install({ time: START });
  await page.clock.pauseAt(PAUSED_AT);
  await page.goto('/about');
}

test('the cookie banner appears one second after the page', async ({ page }) => {
  await openStill(page);
  await page.clock.runFor(999);
  await expect(banner(page)).toBeHidden();
  await page.clock.runFor(1);
  await expect(banner(page)).toBeVisible();
  await expect(banner(page).getByRole('link', { name: 'privacy policy' })).toHaveAttribute('href', '/privacy');
  expect(await stored(page)).toEqual([null, null]);
});

for (const [button, value] of [
  ['Accept', 'accepted'],
  ['Decline', 'declined'],
] as const) {
  test(`"${button}" is remembered with its time, and hides the banner within 300 ms`, async ({ page }) => {
    await openStill(page);
    await page.clock.runFor(1_000);
    await banner(page).getByRole('button', { name: button }).click();
    const [choice, date] = await stored(page);
    expect(choice).toBe(value);
    expect(new Date(date ?? '').toISOString()).toBe(date);
    expect(date).toBe(new Date(PAUSED_AT + 1_000).toISOString());
    await page.clock.runFor(299);
    await expect(banner(page)).toBeVisible();
    await page.clock.runFor(1);
    await expect(banner(page)).toBeHidden();

    await page.reload();
    await page.clock.runFor(10_000);
    await expect(banner(page)).toBeHidden();
    expect(await stored(page)).toEqual([value, date]);
  });
}

test('closed without a choice, the banner asks again at the next load', async ({ page }) => {
  await openStill(page);
  await page.clock.runFor(1_000);
  await banner(page).getByRole('button', { name: 'Close' }).click();
  await page.clock.runFor(300);
  await expect(banner(page)).toBeHidden();
  expect(await stored(page)).toEqual([null, null]);
  await page.reload();
  await page.clock.runFor(1_000);
  await expect(banner(page)).toBeVisible();
});
