import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { run, RunOptions } from 'axe-core';
import { cookieBanner, waitTwoFrames } from './site.ts';

declare global {
  interface Window {
    /** The engine of the accessibility checks, after {@link axeViolations} has loaded it. */
    axe?: { readonly run: typeof run };
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Minimum width and height of a target, in CSS pixels (WCAG 2.2, 2.5.8). */
const TARGET_MIN_PX = 24;

export type Theme = 'light' | 'dark';

/**
 * Fails if axe finds violations or a target is too small. The themes differ only in colours, so the dark one is only
 * checked for contrast.
 */
export async function expectNoFindings(page: Page, state: string, theme: Theme = 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await waitTwoFrames(page);
  await finishAnimations(page);
  // Targets under the cookie banner can be scrolled out from under it.
  const enabled = !(await cookieBanner(page).isVisible());
  const all: RunOptions = { runOnly: { type: 'tag', values: TAGS }, rules: { 'target-size': { enabled } } };
  const findings = await axeViolations(page, theme === 'dark' ? { runOnly: ['color-contrast'] } : all);
  expect.soft([...findings, ...(await smallTargets(page))], `${state}, ${theme}`).toEqual([]);
}

/**
 * Runs axe in the page and returns its violations. `@axe-core/playwright` takes three times the CPU: it loads axe for each
 * run, and returns every element that passes.
 */
async function axeViolations(page: Page, options: RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (how) => {
    // The only rule that needs preloaded assets reports no violations, only elements to review.
    const results = await window.axe?.run(document, { resultTypes: ['violations'], preload: false, ...how });
    if (!results) throw new Error('axe is not loaded');
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  }, options);
}

/** Finishes animations before colours are measured. */
async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  });
}

/** Returns targets that are too small. Links in running text are exempt (WCAG 2.2, 2.5.8, "Inline"). */
export function smallTargets(page: Page): Promise<string[]> {
  return page.locator('a[href], button, summary, input, select, textarea').evaluateAll(
    (targets, least) =>
      targets
        .filter(
          (target) => target.checkVisibility({ visibilityProperty: true }) && !target.matches('[href="#site-content"]'),
        )
        .filter((target) => getComputedStyle(target).display !== 'inline')
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width < least || box.height < least)
        .map(({ target, box }) => `${target.tagName} "${target.textContent.trim()}" ${box.width} x ${box.height}`),
    TARGET_MIN_PX,
  );
}

/** Returns elements that overflow the window horizontally. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isWide = (element: Element) => element.getBoundingClientRect().right > width + 1 && element.checkVisibility();
    const isClipped = (element: Element): boolean => {
      for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
        if (getComputedStyle(parent).overflowX !== 'visible') return true;
      }
      return false;
    };
    return (
      [...document.body.querySelectorAll('*')]
        .filter((element) => !element.closest('.Toastify, svg'))
        .filter((element) => isWide(element) && !isClipped(element))
        // Not text for screen readers only. The build shortens the name of its class.
        .filter((element) => getComputedStyle(element).clipPath !== 'inset(50%)')
        .map((element) => `${element.tagName}.${element.getAttribute('class')}`)
    );
  });
}
