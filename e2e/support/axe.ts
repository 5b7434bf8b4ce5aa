import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds wrong with the page as it stands: rule, element and why. The themes differ in nothing but colours, so of
 * the dark one only the contrast is asked.
 */
export async function axeFindings(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await finishAnimations(page);
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (theme === 'dark') axe.withRules('color-contrast');
  else axe.options({ runOnly: { type: 'tag', values: TAGS }, rules: { 'target-size': { enabled: true } } });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Colours are measured when they have stopped changing. A toast's time bar runs on: at its end the toast goes. */
async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      const isTimeBar = animation instanceof CSSAnimation && /progress/i.test(animation.animationName);
      if (!isTimeBar && animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
  });
}
