import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { company, jobs, servicePath } from './support/content.ts';

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

const jobPath = `/careers/${jobs[0]?.slug}`;

test('print > leaves no heading alone at the end of a sheet', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  for (const path of ['/', '/contact', '/careers', servicePath]) {
    await open(page, path);
    const rules = await page
      .locator('main :is(h2, h3):visible')
      .evaluateAll((headings) => headings.map((heading) => getComputedStyle(heading).breakAfter));
    expect([path, ...new Set(rules)]).toEqual([path, 'avoid']);
  }
});

test('print > has a position on one sheet, with its address and the mailbox', async ({ page }) => {
  await open(page, jobPath);
  const margin = { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' };
  const pdf = (await page.pdf({ format: 'A4', margin })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
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
