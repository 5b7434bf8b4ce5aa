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

const jobPath = `/careers/${jobs[0]?.slug}`;

test('print > has a position on one sheet, with its address and the mailbox', async ({ page }) => {
  await open(page, jobPath);
  const margin = { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' };
  const pdf = (await page.pdf({ format: 'A4', margin })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('main > p')).toHaveText(`${company.host}${jobPath}${company.careersEmail}`);
});

test('print > hides forms, stacks columns, keeps headings with their text, and has the address', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });
  for (const path of ['/', '/contact', '/careers', servicePath]) {
    await open(page, path);
    for (const form of await page.locator('[data-island]').all()) await expect(form).toBeHidden();
    const styles = (selector: string, name: 'display' | 'breakAfter') =>
      page
        .locator(selector)
        .evaluateAll((all, one) => [...new Set(all.map((element) => getComputedStyle(element)[one]))], name);
    expect([path, await styles('[data-section] > div', 'display')]).toEqual([path, ['block']]);
    expect([path, await styles('main :is(h2, h3):visible', 'breakAfter')]).toEqual([path, ['avoid']]);
    await expect(page.getByText(`${company.host}${path}`, { exact: true }).filter({ visible: true })).toHaveCount(1);
  }
});
