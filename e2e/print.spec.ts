import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { company, jobs, servicePath } from './support/content.ts';
import { readPdf, type Heading } from './support/pdf.ts';

/** Width of the printed area of A4 with wide margins, in CSS pixels. */
const PAPER_WIDTH = 629;

/** Opens a page, and waits for its sheet for paper, which is fetched after the paint. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() => [...document.styleSheets].some(({ media }) => media.mediaText === 'print'));
}

test('print > shows a comparison once, as a table', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: PAPER_WIDTH, height: 1_000 });
  await open(page, '/services');
  const rowName = await page.locator('tbody th').first().innerText();
  await expect(page.getByText(rowName, { exact: true }).filter({ visible: true })).toHaveCount(1);
});

test('print > hides forms and stacks columns', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });
  for (const path of ['/contact', servicePath]) {
    await open(page, path);
    await expect(page.locator('[data-island]')).toBeHidden();
    const displays = await page
      .locator('[data-section] > div')
      .evaluateAll((grids) => grids.map((one) => getComputedStyle(one).display));
    expect(new Set(displays)).toEqual(new Set(['block']));
  }
});

const A4 = {
  format: 'A4',
  margin: { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' },
  outline: true,
} as const;
/** A fifth of the height of a sheet, in points. */
const FIFTH = 842 / 5;
const jobPath = `/careers/${jobs[0]?.slug}`;

/**
 * Whether a sheet ends with a heading, or with a section's heading and the few lines of its introduction, and the rest of
 * its part is on the next sheet.
 */
function isAlone({ level, sheet, below: [own, ...others] }: Heading, next: Heading | undefined, top: number): boolean {
  const content = others.filter(({ size }) => size !== own?.size);
  const [first] = content;
  // Smaller headings have the size of their text.
  if (level > 3) return false;
  if (!own || !first) return true;
  const isIntro = new Set(content.map(({ size }) => size)).size === 1 && first.size < own.size;
  const isLast = next && next.sheet > sheet && next.level <= level && next.below[0]?.y === top;
  return level === 2 && isIntro && !isLast && new Set(content.map(({ y }) => Math.round(y))).size < 4;
}

for (const path of ['/', '/about', '/contact', '/careers', jobPath, servicePath])
  test(`print > leaves no heading alone and no sheet half empty > ${path}`, async ({ page }) => {
    await open(page, path);
    const { sheets, headings } = readPdf(await page.pdf(A4));
    const alone = headings.filter((heading, index) => {
      const next = headings[index + 1];
      return isAlone(heading, next, sheets[next?.sheet ?? 0]?.[0]?.y ?? 0);
    });
    expect(alone.map(({ title }) => title)).toEqual([]);
    expect(sheets[0]?.at(-1)?.y).toBeLessThan(2 * FIFTH);
  });

test('print > has a position on one sheet, with its address and the mailbox', async ({ page }) => {
  await open(page, jobPath);
  expect(readPdf(await page.pdf(A4)).sheets).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('main > p')).toHaveText(`${company.host}${jobPath}${company.careersEmail}`);
});

test('print > has the address of each page once', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  for (const path of ['/', '/contact', servicePath]) {
    await open(page, path);
    await expect(page.getByText(`${company.host}${path}`, { exact: true }).filter({ visible: true })).toHaveCount(1);
  }
});
