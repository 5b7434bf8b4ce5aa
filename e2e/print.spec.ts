import { expect, test } from './harness/test.ts';
import { company, jobs, servicePath } from './support/content.ts';

/** Width of the printed area of A4 with wide margins, in CSS pixels. */
const PAPER_WIDTH = 629;

test('print > shows a comparison once, as a table', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: PAPER_WIDTH, height: 1_000 });
  await page.goto('/services');
  const rowName = await page.locator('tbody th').first().innerText();
  await expect(page.getByText(rowName, { exact: true }).filter({ visible: true })).toHaveCount(1);
});

test('print > hides forms and stacks columns', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });
  for (const path of ['/contact', servicePath]) {
    await page.goto(path);
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
    await page.goto(path);
    const rules = () =>
      page
        .locator('main :is(h2, h3):visible')
        .evaluateAll((headings) => [...new Set(headings.map((heading) => getComputedStyle(heading).breakAfter))]);
    // The sheet for paper comes after the paint.
    await expect.poll(rules, path).toEqual(['avoid']);
  }
});

test('print > has a position on one sheet, with its address and the mailbox', async ({ page }) => {
  await page.goto(jobPath);
  const margin = { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' };
  const pdf = (await page.pdf({ format: 'A4', margin })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('main > p')).toHaveText(`${company.host}${jobPath}${company.careersEmail}`);
});

test('print > has the address of each page once', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  for (const path of ['/', '/contact', servicePath]) {
    await page.goto(path);
    await expect(page.getByText(`${company.host}${path}`, { exact: true }).filter({ visible: true })).toHaveCount(1);
  }
});
