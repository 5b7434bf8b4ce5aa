import type { Page } from '@playwright/test';
import { sizes } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { expectNoFindings } from './pages/accessibility.ts';
import { openWithBanner } from './pages/site.ts';
import { figurePage, servicePath, wording } from './support/content.ts';

/** Pages that together have both forms, all menus, cards, a picture, a drawing, the dark section and the footer. */
const PATHS = [...new Set(['/', '/contact', '/careers', figurePage?.path ?? servicePath])];

/** A window of 1280 px at a zoom of 400 %. */
const SMALL = { viewport: { width: 320, height: 568 }, colorScheme: 'light' } as const;
const LARGE = { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' } as const;

/** More stops than any page has: the focus cannot leave the page. */
const STOPS_MAX = 300;

/** Keys between two looks at the recorded stops. */
const TABS_AT_ONCE = 30;

/** An element at which the focus stops, and its focus ring. */
interface Stop {
  readonly what: string;
  readonly isCovered: boolean;
  /** Width of the ring in CSS pixels; 0 if there is none. */
  readonly width: number;
}

declare global {
  interface Window {
    /** One entry for each key; undefined if the focus was not in the page. */
    stops: (Stop | undefined)[];
  }
}

test.use({ hasDeclinedCookies: false });

for (const [index, path] of PATHS.entries()) {
  // The sample has each page in one of the windows.
  for (const { viewport, colorScheme } of sizes([SMALL, LARGE], [index % 2 === 0 ? SMALL : LARGE])) {
    test(`focus > is visible and not covered > ${path}, ${viewport.width} px, ${colorScheme}`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await openWithBanner(page, path);
      await expectNoFindings(page, 'banner open', colorScheme);
      await page.evaluate(openAllQuestions);
      const stops = await tabThrough(page);
      expect(stops.length).toBeGreaterThan(20);
      expect(stops.length, 'the focus leaves the page').toBeLessThan(STOPS_MAX);
      expect(stops.flatMap(problemsOf)).toEqual([]);
    });
  }
}

/** Opens all answers, of which only one is open at a time for visitors. */
function openAllQuestions(): void {
  for (const details of document.querySelectorAll('main details')) details.removeAttribute('name');
  for (const details of document.querySelectorAll<HTMLDetailsElement>('main details')) details.open = true;
}

/** Presses Tab until the focus leaves the page, and returns its stops. */
async function tabThrough(page: Page): Promise<readonly Stop[]> {
  await page.keyboard.press('Tab');
  await page.evaluate(recordStops, wording.consent.name);
  let stops: Window['stops'] = [];
  while (!stops.includes(undefined) && stops.length < STOPS_MAX) {
    for (let pressed = 0; pressed < TABS_AT_ONCE; pressed += 1) await page.keyboard.press('Tab');
    stops = await page.evaluate(() => window.stops);
  }
  return stops
    .slice(0, stops.includes(undefined) ? stops.indexOf(undefined) : STOPS_MAX)
    .filter((stop) => stop !== undefined);
}

function problemsOf({ what, isCovered, width }: Stop): readonly string[] {
  return [...(isCovered ? [`${what} is covered`] : []), ...(width < 2 ? [`${what}: ${width} px`] : [])];
}

/**
 * Measures the focused element before each key moves the focus on: by then the page has scrolled to it. It runs in the
 * page, so it uses nothing from outside.
 */
function recordStops(banner: string): void {
  window.stops = [];
  addEventListener('keydown', () => void window.stops.push(stopAt(document.activeElement)));

  function stopAt(element: Element | null): Stop | undefined {
    if (!element || element === document.body) return undefined;
    return {
      what: `${element.tagName} "${element.textContent?.trim().slice(0, 30)}"`,
      isCovered: isCovered(element),
      width: Number.parseFloat(ringOf(element)?.outlineWidth ?? '0'),
    };
  }

  /** Returns the style with the ring. That of a card is on its pseudo-element, that of the file input on its parent. */
  function ringOf(target: Element): CSSStyleDeclaration | undefined {
    const parent = target.parentElement ?? target;
    const styles = [getComputedStyle(target), getComputedStyle(target, '::after'), getComputedStyle(parent)];
    return styles.find(({ outlineStyle }) => outlineStyle !== 'none');
  }

  /** Whether the top bar or the banner covers a part, or the element is outside the window. */
  function isCovered(target: Element): boolean {
    // The skip link is above the bar.
    if (target.matches('[href="#site-content"]')) return false;
    const { top, height, left, right } = target.getBoundingClientRect();
    // In a large text area the browser scrolls to the line of the caret.
    const bottom = top + (target.matches('textarea') ? Math.min(height, 48) : height);
    const covers = document.querySelectorAll(`body > header, [aria-label="${banner}"]`);
    const isUnder = (cover: Element) => {
      const box = cover.getBoundingClientRect();
      const isBeside = right <= box.left + 1 || left >= box.right - 1;
      return !cover.contains(target) && !isBeside && top < box.bottom - 1 && bottom > box.top + 1;
    };
    return [...covers].some(isUnder) || bottom < 0 || top > innerHeight;
  }
}
