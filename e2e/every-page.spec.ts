import type { Page } from '@playwright/test';
import { isComplete, sampledPaths, sizes } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { expectNoFindings, smallTargets, tooWide } from './pages/accessibility.ts';
import { cookieBanner, openWithBanner, UNKNOWN_PATH, waitTwoFrames } from './pages/site.ts';
import { wording } from './support/content.ts';

const PHONE = { width: 375, height: 812 };
const DESKTOP = { width: 1280, height: 800 };

/** From a small phone to a large desktop. */
const SMALL_PHONE = { width: 320, height: 568 };
const TABLET = { width: 768, height: 1024 };
const LARGE = { width: 1920, height: 1080 };
const FIRST_VIEWS = sizes([SMALL_PHONE, PHONE, TABLET, DESKTOP, LARGE], [SMALL_PHONE, PHONE, DESKTOP]);

/** Reflow (WCAG 2.2, 1.4.10): a window of 1280 px at a zoom of 400 % and 200 %, and a phone. */
const REFLOW = [{ width: 640, height: 400 }, { width: 320, height: 640 }, PHONE];

/** Printed area in CSS pixels: A4 with wide margins, and with a browser's own. */
const PAPERS = [
  { width: 629, height: 1_000 },
  { width: 718, height: 1_000 },
];

test.use({ hasDeclinedCookies: false });

// One test loads a page once for all properties: loading costs more than measuring.
for (const path of sampledPaths) {
  test(`${path} > fits, passes axe and prints > at every size`, async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openWithBanner(page, path);
    for (const viewport of FIRST_VIEWS) {
      await resize(page, viewport);
      const covered = await page.evaluate(coveredByBanner, wording.consent.name);
      expect.soft(covered, `covered by the cookie banner at ${viewport.width} px`).toEqual([]);
    }
    await cookieBanner(page).getByRole('button', { name: wording.consent.decline }).click();
    await expect(cookieBanner(page)).toBeHidden();
    await page.emulateMedia({ reducedMotion: 'no-preference' });

    // The sample skips the phone: it has the same elements, and the reflow below measures their layout.
    if (isComplete) {
      await resize(page, PHONE);
      await expectNoFindings(page, 'phone');
    }
    await resize(page, DESKTOP);
    await expectNoFindings(page, 'desktop');
    await expectNoFindings(page, 'desktop', 'dark');

    if (path !== UNKNOWN_PATH) {
      const rows = await page.evaluate(topsOf, '[data-hero] .button');
      expect.soft(new Set(rows).size, 'rows of buttons on a laptop').toBeLessThanOrEqual(1);
    }
    for (const viewport of REFLOW) {
      await resize(page, viewport);
      const findings = [...(await tooWide(page)), ...(await smallTargets(page))];
      expect.soft(findings, `reflow at ${viewport.width} px`).toEqual([]);
    }
    await resize(page, PHONE);
    expect.soft(await page.evaluate(misplacedFigures), 'figures of the hero on a phone').toEqual([]);

    await page.emulateMedia({ media: 'print' });
    for (const paper of PAPERS) {
      await resize(page, paper);
      expect.soft(await page.evaluate(cutOff), `printed at ${paper.width} px`).toEqual([]);
    }
  });
}

async function resize(page: Page, viewport: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(viewport);
  await waitTwoFrames(page);
}

/**
 * Returns titles, lines above them, items of the top bar and buttons of the first section that the banner covers in part.
 * Without a border only the text counts. Exempt are all buttons in the low window of the smallest phones, and on other
 * phones the second button below a picture.
 */
function coveredByBanner(banner: string): readonly string[] {
  const over = document.querySelector(`[aria-label="${banner}"]`)?.getBoundingClientRect();
  const isPhone = innerWidth < 768;
  const buttons = isPhone ? ':is([data-hero]:not([data-hero=picture]) .button, .button:first-child)' : '.button';
  const shown = document.querySelectorAll(
    `h1, body > header :is(a, button), [data-hero] .kite-before${innerHeight < 700 ? '' : `, [data-hero] ${buttons}`}`,
  );
  const boxOf = (element: Element) => {
    if (element.matches('.button, button')) return element.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(element);
    return words.getBoundingClientRect();
  };
  return [...shown]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { left, right, top, bottom } = boxOf(element);
      return !over || (left < over.right && right > over.left && top < over.bottom && bottom > over.top);
    })
    .map((element) => `${element.tagName} "${element.textContent?.trim()}"`);
}

function topsOf(selector: string): readonly number[] {
  return [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect().top);
}

/** Returns the figures of a hero that are not in two columns, or not above their labels. */
function misplacedFigures(): readonly string[] {
  const figures = [...document.querySelectorAll('[data-hero] dl > div')];
  return figures
    .filter((figure, at) => {
      const { left, top } = figure.getBoundingClientRect();
      const [first, rowStart] = [figures[0], figures[at - (at % 2)]].map((other) => other?.getBoundingClientRect());
      const value = figure.querySelector('dd')?.getBoundingClientRect();
      const label = figure.querySelector('dt')?.getBoundingClientRect();
      const isInColumn = (left === first?.left) === (at % 2 === 0);
      return !isInColumn || top !== rowStart?.top || !value || !label || value.bottom > label.top;
    })
    .map((figure) => figure.textContent?.trim() ?? '');
}

/** Returns elements with clipped content, which paper cannot scroll, and elements beyond the paper. */
function cutOff(): readonly string[] {
  return [...document.body.querySelectorAll<HTMLElement>('*')]
    .filter((element) => element.checkVisibility() && !element.closest('svg, .sr-only, [aria-hidden=true]'))
    .filter((element) => {
      const isClipping = getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth;
      return isClipping || element.getBoundingClientRect().right > innerWidth + 1;
    })
    .map((element) => `${element.tagName} "${element.textContent.trim().slice(0, 40)}"`);
}
