import type { Page } from '@playwright/test';
import { sampledPaths } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { waitForScript, waitTwoFrames } from './pages/site.ts';
import { recordRendering, type Rendering } from './pages/rendering.ts';

/**
 * Frames after which a page is still. A page that arrives in one piece needs three for itself, one for the display face, two
 * for the cookie banner, and four for the string; a busy machine shows it in some parts more. An animation that the
 * compositor refuses needs sixty a second.
 */
const MOST_FRAMES = 12;

/** Opens a page, and waits until nothing moves any more. */
async function openAndRest(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForScript(page);
  await waitTwoFrames(page);
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
    await Promise.all(moving.map(({ finished }) => finished));
  });
}

const isFree: Partial<Rendering> = { refused: [], forced: 0 };

/** Scrolls like a finger or a wheel: first the compositor, then the page. */
async function scroll(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Input.synthesizeScrollGesture', { x: 100, y: 300, yDistance: -4000, speed: 8000 });
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
    if (await button.isVisible()) expect(await recordRendering(page, () => button.hover())).toMatchObject(isFree);
    expect(await recordRendering(page, () => scroll(page))).toMatchObject(isFree);
  });
}
