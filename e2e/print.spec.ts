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

const jobPath = `/careers/${jobs[0]?.slug}`;

test('print > has a position on one sheet at once, with its address and the mailbox', async ({ page }) => {
  await page.goto(jobPath, { waitUntil: 'domcontentloaded' });
  for (const width of ['10mm', '15mm']) {
    const margin = { top: width, bottom: width, left: width, right: width };
    const pdf = (await page.pdf({ format: 'A4', margin })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g), `margins of ${width}`).toHaveLength(1);
  }
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('main > p')).toHaveText(`${company.host}${jobPath}${company.careersEmail}`);
});

test('print > hides forms, stacks columns, keeps headings with their text, and has the address', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });
  for (const path of ['/', '/contact', '/careers', servicePath]) {
    await page.goto(path);
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
