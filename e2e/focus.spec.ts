import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { contrast, expectNoFindings, luminance, type Rgb } from './pages/accessibility.ts';
import { openWithBanner } from './pages/site.ts';
import { figurePage, servicePath } from './support/content.ts';

/** Minimum contrast of the focus ring with its background (WCAG 2.2, 1.4.11). */
const MIN_RING_CONTRAST = 3;

/** Pages that together have both forms, all menus, cards, a picture, a drawing, the dark section and the footer. */
const PATHS = ['/', '/contact', '/careers', figurePage?.path ?? servicePath];

/** A window of 1280 px at a zoom of 400 %. */
const SMALL = { width: 320, height: 568 };
const LARGE = { width: 1280, height: 800 };

/** The focused element and its focus ring. */
interface Focus {
  readonly what: string;
  readonly isCovered: boolean;
  readonly ring: Rgb;
  readonly ground: Rgb;
  /** Width of the ring in CSS pixels; 0 if there is none. */
  readonly width: number;
}

// Reduced motion: a smooth scroll would not have ended when the position is measured.
test.use({ hasDeclinedCookies: false, contextOptions: { reducedMotion: 'reduce' } });

for (const path of PATHS) {
  for (const [viewport, colorScheme] of [
    [SMALL, 'light'],
    [LARGE, 'dark'],
  ] as const) {
    test(`focus > is visible and not covered > ${path}, ${viewport.width} px, ${colorScheme}`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await openWithBanner(page, path);
      if (colorScheme === 'light') await expectNoFindings(page, 'banner open');
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('main details')) details.removeAttribute('name');
        for (const details of document.querySelectorAll<HTMLDetailsElement>('main details')) details.open = true;
      });
      const unseen: string[] = [];
      let stops = 0;
      for (let focus = await tab(page); focus !== undefined && stops < 300; focus = await tab(page)) {
        stops += 1;
        if (focus.isCovered) unseen.push(`${focus.what} is covered`);
        const ratio = contrast(luminance(focus.ring), luminance(focus.ground));
        if (focus.width < 2 || ratio < MIN_RING_CONTRAST) unseen.push(`${focus.what}: ${focus.width} px, ${ratio}`);
      }
      expect(stops).toBeGreaterThan(20);
      expect(stops, 'the focus leaves the page').toBeLessThan(300);
      expect(unseen).toEqual([]);
    });
  }
}

/** Presses Tab and returns the focused element, or undefined if the focus has left the page. */
async function tab(page: Page): Promise<Focus | undefined> {
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return undefined;
    // The ring of a card is on its pseudo-element, that of the file input on its parent.
    const rings = [
      getComputedStyle(element),
      getComputedStyle(element, '::after'),
      getComputedStyle(element.parentElement ?? element),
    ];
    const ring = rings.find(({ outlineStyle }) => outlineStyle !== 'none');
    // The canvas converts any CSS colour to RGB.
    const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const rgb = (colour: string) => {
      if (!pen) throw new Error('no canvas');
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = pen.getImageData(0, 0, 1, 1).data;
      return [r, g, b] as const;
    };
    let ground = element.parentElement;
    while (ground?.parentElement && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
      ground = ground.parentElement;
    const { top, height } = element.getBoundingClientRect();
    // In a large text area the browser scrolls to the line of the caret.
    const bottom = top + (element.matches('textarea') ? Math.min(height, 48) : height);
    const isUnder = (selector: string) => {
      const cover = document.querySelector(selector);
      const over = cover?.getBoundingClientRect();
      return !cover?.contains(element) && over !== undefined && top < over.bottom - 1 && bottom > over.top + 1;
    };
    // The skip link is above the bar.
    const isCovered =
      isUnder('body > header') || isUnder('[aria-label="Cookie consent"]') || bottom < 0 || top > innerHeight;
    return {
      what: `${element.tagName} "${element.textContent?.trim().slice(0, 30)}"`,
      isCovered: isCovered && !element.matches('[href="#content"]'),
      ring: rgb(ring?.outlineColor ?? '#000'),
      ground: rgb(ground ? getComputedStyle(ground).backgroundColor : '#fff'),
      width: ring ? Number.parseFloat(ring.outlineWidth) : 0,
    };
  });
}
