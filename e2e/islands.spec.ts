import type { Page } from '@playwright/test';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { applicationDialog, completeApplication, newApplication, resumeOf } from './pages/application-page.ts';
import { fillEnquiry, newEnquiry, openEnquiry, sendButton } from './pages/enquiry-page.ts';
import { holdBack, hydrate, isHydrated, ISLAND_SCRIPTS, scriptIsThere } from './pages/site.ts';

/** Scripts that a page fetches beside the one that every page has. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script' && !/\/deferred-/.test(request.url())) scripts.push(request.url());
  });
  return scripts;
}

/** As a browser's translator does: every text gets into elements of its own, in other words. */
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

/** As a password manager does: an element of its own beside a field. */
const insertBeside = (page: Page, selector: string) =>
  page.evaluate((at) => document.querySelector(at)?.after(document.createElement('div')), selector);

/** How the markup may have been changed when React comes. */
const MARKUPS = {
  'as it was prerendered': async () => undefined,
  'translated, with an element of an extension': async (page: Page) => {
    await insertBeside(page, '#email');
    await translate(page);
  },
};

test('The scripts of a form are fetched in one wave when the form is touched.', async ({ page }) => {
  const gate = await holdBack(page, ISLAND_SCRIPTS);
  await page.clock.install();
  await page.goto('/contact');
  await scriptIsThere(page);
  const scripts = scriptsOf(page);
  await page.getByLabel('Name *').focus();
  // None of them is answered, and all are asked for.
  await expect.poll(() => scripts).toHaveLength(3);
  gate.open();
  await hydrate(page);
  expect(new Set(scripts).size).toBe(3);
});

for (const script of ['react', 'islands']) {
  test(`A script that did not come is asked for again at a later touch: ${script}`, async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/ERR_FAILED/);
    let isBlocked = true;
    await page.route(`**/assets/${script}-*.js`, (route) => (isBlocked ? route.abort('failed') : route.fallback()));
    await page.goto('/contact');
    await scriptIsThere(page);
    const failed = page.waitForEvent('requestfailed');
    await page.getByLabel('Name *').focus();
    await failed;
    isBlocked = false;
    await expect(async () => {
      await page.getByLabel('Email *').focus();
      await page.getByLabel('Name *').focus();
      expect(await isHydrated(page)).toBe(true);
    }).toPass();
    await sendButton(page).click();
    await expect(page.getByText(messages.nameTooShort)).toBeVisible();
  });
}

test('A half-written enquiry is still there after another page and back.', async ({ page }) => {
  const enquiry = newEnquiry();
  await openEnquiry(page);
  await fillEnquiry(page, enquiry);
  await page.getByRole('main').getByRole('link', { name: 'privacy policy' }).click();
  await expect(page).toHaveURL('/privacy');
  await page.goBack();
  await expect(page.getByLabel('Name *')).toHaveValue(enquiry.name);
  await expect(page.getByLabel('Service *')).toHaveValue(enquiry.service);
  await expect(page.getByLabel('Message *')).toHaveValue(enquiry.message);
});

test('An enquiry that is sent before React has come goes the plain way.', async ({ page }) => {
  const gate = await holdBack(page, ISLAND_SCRIPTS);
  await page.goto('/contact');
  await fillEnquiry(page, newEnquiry());
  await sendButton(page).click();
  await expect(page.getByRole('heading', { name: messages.contactSent })).toBeVisible();
  gate.open();
});

for (const [markup, change] of Object.entries(MARKUPS)) {
  test(`React keeps a half-written enquiry, the focus and the caret in a page ${markup}.`, async ({ page }) => {
    const gate = await holdBack(page, ISLAND_SCRIPTS);
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

  test(`React keeps the open dialog and its file in a page ${markup}.`, async ({ page }) => {
    const gate = await holdBack(page, ISLAND_SCRIPTS);
    const application = newApplication();
    const resume = resumeOf(2_000);
    await page.goto('/careers');
    await page.getByRole('button', { name: 'Submit Resume' }).click();
    await completeApplication(page, application, resume);
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

test('A form works in a page that is translated after React has come.', async ({ page }) => {
  await openEnquiry(page);
  await translate(page);
  await insertBeside(page, '#email');
  await page.locator('main [type=submit]').click();
  await expect(page.getByText(messages.nameTooShort)).toBeVisible();
  await translate(page);
  const { name, email, message, service } = newEnquiry();
  for (const [field, value] of Object.entries({ name, email, message })) {
    await page.locator(`[name=${field}]`).fill(value);
  }
  await page.locator('[name=service]').selectOption(service);
  await page.locator('main [type=submit]').click();
  await expect(page.getByText(/KW-/)).toBeVisible();
});
