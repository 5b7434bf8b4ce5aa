import { expect, test } from './harness/test.ts';
import { tooWide } from './pages/accessibility.ts';
import { UNKNOWN_PATH } from './pages/site.ts';
import { pages } from './support/content.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/** The first section of each shape of steps, and the first one with a specimen. */
const shapes = new Map(
  pages
    .flatMap(({ path, sections }) =>
      sections.flatMap((section) => {
        if (section.kind === 'process')
          return [{ shape: `steps as ${section.shape ?? 'line'}`, path, heading: section.heading }];
        return section.kind === 'prose' && section.specimen
          ? [{ shape: 'a specimen', path, heading: section.heading }]
          : [];
      }),
    )
    .toReversed()
    .map((section) => [section.shape, section]),
);

for (const { shape, path, heading } of shapes.values())
  test(`${shape} > is within the page > on a phone and on a desktop`, async ({ page }) => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.goto(path);
      const section = page.locator('[data-section]').filter({ has: page.getByRole('heading', { name: heading }) });
      await section.scrollIntoViewIfNeeded();
      const beyond = await section.locator('figure, li, h3, p, dt, dd').evaluateAll((elements) =>
        elements
          .filter((element) => {
            const { left, right } = element.getBoundingClientRect();
            return (
              left < 0 || right > document.documentElement.clientWidth || element.scrollWidth > element.clientWidth + 1
            );
          })
          // An inline element has no client width.
          .filter((element) => getComputedStyle(element).display !== 'inline')
          .map(({ textContent }) => textContent),
      );
      expect(beyond, `beyond the page at ${size.width} px`).toEqual([]);
      expect(await tooWide(page), `wider than the window at ${size.width} px`).toEqual([]);
    }
  });

test('sky of a hero > ends in the first section below it > without a ground of its own', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 404/);
  await page.setViewportSize({ width: 1440, height: 900 });
  const drawn = pages.filter(({ hero }) => hero.drawing).map(({ path }) => path);
  for (const path of drawn) {
    await page.goto(path === '/404' ? UNKNOWN_PATH : path);
    const sections = page.locator("[data-hero='drawing'] ~ [data-section]:not([data-ground])");
    const skies = await sections.evaluateAll((all) =>
      all.map((section) => ({
        isFirst: !section.matches('[data-section] ~ *'),
        hasSky: getComputedStyle(section).backgroundImage.startsWith('linear-gradient'),
      })),
    );
    expect(
      skies.filter(({ isFirst, hasSky }) => isFirst !== hasSky),
      path,
    ).toEqual([]);
  }
});

test('a comparison > keeps the words of its kites apart > of three more letters', async ({ page }) => {
  await page.goto('/services');
  for (const width of [390, 704, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const touching = await page.locator('[data-section=comparison] label:first-child text').evaluateAll((words) => {
      const boxes = words.map((word) => {
        word.textContent = `${word.textContent?.slice(0, 6)}wer`;
        return word.getBoundingClientRect();
      });
      const [goals, plan, work, result] = boxes as [DOMRect, DOMRect, DOMRect, DOMRect];
      return [
        goals.right > plan.left,
        work.right > result.left,
        goals.bottom > work.bottom - work.height / 2,
        plan.bottom > result.bottom - result.height / 2,
      ];
    });
    expect(touching, `at ${width} px`).toEqual([false, false, false, false]);
  }
});

test('a comparison > breaks no word > beside a column of names', async ({ page }) => {
  await page.goto('/services');
  for (const width of [640, 704, 960]) {
    await page.setViewportSize({ width, height: 900 });
    const broken = await page.locator('[data-section=comparison] thead th').evaluateAll(
      (cells) =>
        cells.filter((cell) => {
          const { width: own } = cell.getBoundingClientRect();
          cell.style.overflowWrap = 'normal';
          const isWider = cell.scrollWidth > Math.ceil(own);
          cell.style.overflowWrap = '';
          return isWider;
        }).length,
    );
    expect(broken, `headings with a broken word at ${width} px`).toBe(0);
  }
});

test('an index > stays within a phone > with prices that are half longer', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/services');
  const prices = page.locator('[data-section=link-groups] li > :last-child > *');
  await expect(prices).not.toHaveCount(0);
  await prices.evaluateAll((parts) => {
    for (const part of parts) part.append(` ${part.textContent?.slice(0, Math.ceil(part.textContent.length / 2))}`);
  });
  expect(await tooWide(page)).toEqual([]);
});
