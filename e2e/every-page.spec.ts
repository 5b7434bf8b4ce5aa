import type { Page } from '@playwright/test';
import { isComplete, sampledPaths } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { expectNoFindings, smallTargets, tooWide } from './pages/accessibility.ts';
import { cutOff } from './pages/layout.ts';
import { cookieBanner, openWithBanner, waitTwoFrames } from './pages/site.ts';
import { wording } from './support/content.ts';

type Viewport = Readonly<Record<'width' | 'height', number>>;

const PHONE = { width: 375, height: 812 };
const DESKTOP = { width: 1280, height: 800 };

/** Reflow (WCAG 2.2, 1.4.10): a window of 1280 px at a zoom of 400 % and 200 %, and a phone. */
const REFLOW = [{ width: 640, height: 400 }, { width: 320, height: 640 }, PHONE];

/** Printed area in CSS pixels: A4 with wide margins, and with a browser's own. */
const PAPERS = [
  { width: 629, height: 1_000 },
  { width: 718, height: 1_000 },
];

test.use({ hasDeclinedCookies: false });

// One test loads a page once for all promises: loading costs more than measuring.
for (const path of sampledPaths) {
  test(`${path} > keeps the promises of every page`, async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    await openWithBanner(page, path);

    await test.step('the cookie banner closes', async () => {
      await cookieBanner(page).getByRole('button', { name: wording.consent.decline }).click();
      await expect(cookieBanner(page)).toBeHidden();
    });

    // The sample skips the phone: it has the same elements, and the reflow below measures their layout.
    if (isComplete)
      await test.step('axe finds nothing on a phone', async () => {
        await resize(page, PHONE);
        await expectNoFindings(page, 'axe on a phone');
      });
    await resize(page, DESKTOP);
    await test.step('axe finds nothing on a desktop', () => expectNoFindings(page, 'axe on a desktop'));
    await test.step('the dark theme has enough contrast', () => expectNoFindings(page, 'axe on a desktop', 'dark'));

    await test.step('the text reflows, and targets keep their size (WCAG 2.2, 1.4.10 and 2.5.8)', () =>
      forEach(page, REFLOW, async (where) => {
        expect.soft(await tooWide(page), `wider than the window at ${where}`).toEqual([]);
        expect.soft(await smallTargets(page), `targets too small at ${where}`).toEqual([]);
      }));
    await test.step('paper cuts nothing off', async () => {
      await page.emulateMedia({ media: 'print' });
      await forEach(page, PAPERS, async (where) => {
        expect.soft(await page.evaluate(cutOff), `cut off on paper of ${where}`).toEqual([]);
      });
    });
  });
}

/** Measures a page in windows of several sizes. */
async function forEach(page: Page, viewports: readonly Viewport[], measure: (where: string) => Promise<void>) {
  for (const viewport of viewports) {
    await resize(page, viewport);
    await measure(`${viewport.width} px`);
  }
}

async function resize(page: Page, viewport: Viewport): Promise<void> {
  await page.setViewportSize(viewport);
  await waitTwoFrames(page);
}
