import type { Page } from '@playwright/test';
import { sizes } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import {
  applicationDialog,
  fillApplication,
  newApplication,
  resumeOf,
  applicationOpener,
} from './pages/application-page.ts';
import { fillEnquiry, newEnquiry, openEnquiry, sendButton } from './pages/enquiry-page.ts';
import { holdRequests, hydrate, ISLAND_SCRIPTS } from './pages/site.ts';
import { enquiryField, enquiryWords, fieldText } from './pages/words.ts';

/** Changes the page like a browser's translation: wraps every text in new elements and changes it. */
const translate = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('script, style, svg')) continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = `«${text.data}»`;
      outer.append(inner);
      text.replaceWith(outer);
    }
  });

/** Inserts an element after a field, like a password manager. */
const insertAfter = (page: Page, selector: string) =>
  page.evaluate((at) => document.querySelector(at)?.after(document.createElement('div')), selector);

/** Changes to the markup before hydration. */
const MARKUPS = Object.entries({
  unchanged: async () => undefined,
  'translated and changed by an extension': async (page: Page) => {
    await insertAfter(page, '#email');
    await translate(page);
  },
});

test('unfinished enquiry > is kept > after Back from another page', async ({ page }) => {
  const enquiry = newEnquiry();
  await openEnquiry(page);
  await fillEnquiry(page, enquiry);
  await page.locator('main a[href="/privacy"]').first().click();
  await expect(page).toHaveURL('/privacy');
  await page.goBack();
  await expect(enquiryField(page, 'name')).toHaveValue(enquiry.name);
  await expect(enquiryField(page, 'service')).toHaveValue(enquiry.service);
  await expect(enquiryField(page, 'message')).toHaveValue(enquiry.message);
});

test('enquiry > is sent by the plain form > before hydration', async ({ page }) => {
  const gate = await holdRequests(page, ISLAND_SCRIPTS);
  await page.goto('/contact');
  await fillEnquiry(page, newEnquiry());
  await sendButton(page).click();
  await expect(page.getByRole('heading', { name: enquiryWords.sent })).toBeVisible();
  gate.open();
});

for (const [markup, change] of sizes(MARKUPS, MARKUPS.slice(1))) {
  test(`hydration > keeps values, focus and caret of an enquiry > markup ${markup}`, async ({ page }) => {
    const gate = await holdRequests(page, ISLAND_SCRIPTS);
    const { name, email, service, message } = newEnquiry();
    await page.goto('/contact');
    await fillEnquiry(page, { name, email, service, message });
    await change(page);
    const words = await page.locator('main label').allInnerTexts();
    const field = page.locator('[name=message]');
    await field.evaluate((element: HTMLTextAreaElement) => {
      element.focus();
      element.setSelectionRange(3, 7);
    });
    gate.open();
    await hydrate(page);
    await expect(field).toHaveValue(message);
    await expect(field).toBeFocused();
    const caret = (element: HTMLTextAreaElement) => [element.selectionStart, element.selectionEnd];
    expect(await field.evaluate(caret)).toEqual([3, 7]);
    expect(await page.locator('main label').allInnerTexts()).toEqual(words);
    const sent = page.waitForRequest('**/api/contact');
    await page.locator('main [type=submit]').click();
    expect((await sent).postDataJSON()).toMatchObject({ name, email, service, message });
  });

  test(`hydration > keeps the open dialog and its file > markup ${markup}`, async ({ page }) => {
    const gate = await holdRequests(page, ISLAND_SCRIPTS);
    const application = newApplication();
    const resume = resumeOf(2_000);
    await page.goto('/careers');
    await applicationOpener(page).click();
    await fillApplication(page, application, resume);
    await change(page);
    const heading = await applicationDialog(page).locator('h2').innerText();
    await page.locator('[name=fullName]').focus();
    gate.open();
    await hydrate(page);
    await expect(applicationDialog(page).getByText(resume.name)).toBeVisible();
    await expect(page.locator('[name=fullName]')).toHaveValue(application.fullName);
    await expect(page.locator('[name=fullName]')).toBeFocused();
    await expect(page.locator('[name=coverLetter]')).toHaveValue(application.coverLetter);
    const fileName = (input: HTMLInputElement) => input.files?.[0]?.name;
    expect(await page.locator('[name=resume]').evaluate(fileName)).toBe(resume.name);
    expect(await applicationDialog(page).locator('h2').innerText()).toBe(heading);
    await expect(page.locator('dialog [type=submit]')).toBeEnabled();
  });
}

test('contact form > works > translated after hydration', async ({ page }) => {
  await openEnquiry(page);
  await translate(page);
  await insertAfter(page, '#email');
  await page.locator('main [type=submit]').click();
  await expect(page.getByText(fieldText(enquiryWords, 'name', 'missing'))).toBeVisible();
  await translate(page);
  const { name, email, message, service } = newEnquiry();
  for (const [field, value] of Object.entries({ name, email, message })) {
    await page.locator(`[name=${field}]`).fill(value);
  }
  await page.locator('[name=service]').selectOption(service);
  await page.locator('main [type=submit]').click();
  await expect(page.getByText(/KW-/)).toBeVisible();
});
