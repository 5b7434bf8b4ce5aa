import type { Page } from '@playwright/test';
import { sampledPaths } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { waitForScript, waitTwoFrames } from './pages/site.ts';
import { recordRendering, type Rendering } from './pages/rendering.ts';

/**
 * Layouts and frames after which a page is still. On a machine with 15 times its load, pages take 4 to 11, some more if they
 * arrive in more parts. One animation of half a second that the compositor refuses adds 30.
 */
const MOST_FRAMES = 20;

/** Opens a page, and waits until nothing moves any more. */
async function openAndRest(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForScript(page);
  await waitTwoFrames(page);
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}

test.use({ contextOptions: { reducedMotion: 'no-preference' } });
// Chromium may stop to show frames when a recording starts, on a busy machine in one of 30 tests. A new browser helps.
test.describe.configure({ retries: 3, timeout: 90_000 });

const isFree: Partial<Rendering> = { refused: [], forced: 0 };

/** Scrolls by the wheel: first the compositor, then the page. */
async function scroll(page: Page): Promise<void> {
  const end = page.evaluate(() => new Promise<void>((resolve) => void addEventListener('scrollend', () => resolve())));
  await page.mouse.wheel(0, 4000);
  await end;
  await waitTwoFrames(page);
}

for (const path of sampledPaths) {
  test(`page > moves and scrolls by the compositor alone > ${path} @both`, async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    const start = await recordRendering(page, () => openAndRest(page, path));
    expect(start).toMatchObject(isFree);
    expect(start.layouts).toBeLessThanOrEqual(MOST_FRAMES);
    expect(start.frames).toBeLessThanOrEqual(MOST_FRAMES);
    const button = page.locator('[data-hero] .button').first();
    // The pointer on the opener of a dialog also fetches its form.
    if (await button.isVisible()) expect((await recordRendering(page, () => button.hover())).refused).toEqual([]);
    expect(await recordRendering(page, () => scroll(page))).toMatchObject(isFree);
  });
}
