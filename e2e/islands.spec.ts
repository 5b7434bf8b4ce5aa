import type { Page, Request } from '@playwright/test';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { applicationDialog, completeApplication, newApplication, resumeInput } from './support/application-form.ts';
import { fillEnquiry, newEnquiry } from './support/enquiry-form.ts';
import { holdBack } from './support/gate.ts';
import { paths } from './support/paths.ts';
import { pdfOfSize } from './support/pdf.ts';
import { hasDeclinedCookies, hydrate } from './support/visitor.ts';

const ISLANDS = '**/assets/*-island-*.js';
const RESUME = { name: 'Ana.pdf', mimeType: 'application/pdf', buffer: pdfOfSize(2_000) };

/** Addresses of the scripts that the page fetches from now on. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request: Request) => void (request.resourceType() === 'script' && scripts.push(request.url())));
  return scripts;
}

/** Points at everything a visitor passes on the way down a page. */
async function lookThrough(page: Page): Promise<void> {
  await page.mouse.move(300, 300);
  for (let screen = 0; screen < 8; screen += 1) {
    await page.mouse.wheel(0, 500);
    await page.mouse.move(200 + 40 * screen, 200 + 30 * screen);
  }
  await page.getByRole('contentinfo').getByRole('link').first().focus();
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

test.beforeEach(({ page }) => hasDeclinedCookies(page));

test.describe('script @desktop', () => {
  test('is not fetched by a page without a form, whatever the visitor does', async ({ page }) => {
    const scripts = scriptsOf(page);
    for (const path of paths.filter((path) => path !== '/contact' && !path.startsWith('/careers'))) {
      await page.goto(path);
      await lookThrough(page);
    }
    expect(scripts).toEqual([]);
  });

  test('is fetched by a page with a form when that is touched, and not before', async ({ page }) => {
    const scripts = scriptsOf(page);
    await page.goto('/contact', { waitUntil: 'load' });
    await page.getByRole('heading', { level: 1 }).hover();
    await page.getByRole('contentinfo').getByRole('link').first().focus();
    await page.goto('/careers', { waitUntil: 'load' });
    await page.getByRole('heading', { level: 1 }).hover();
    expect(scripts).toEqual([]);
    await page.getByRole('button', { name: 'Submit Resume' }).hover();
    await expect.poll(() => scripts.length).toBeGreaterThan(0);

    scripts.length = 0;
    await page.goto('/contact', { waitUntil: 'load' });
    await page.getByLabel('Name *').focus();
    await expect.poll(() => scripts.length).toBeGreaterThan(0);
  });

  for (const script of [ISLANDS, '**/assets/contact-form-*.js']) {
    test(`that did not come is asked for again at the next touch: ${script}`, async ({
      page,
      expectedConsoleErrors,
    }) => {
      expectedConsoleErrors.push(/ERR_FAILED/);
      await page.route(script, (route) => route.abort('failed'), { times: 1 });
      await page.goto('/contact');
      const failed = page.waitForEvent('requestfailed');
      await page.getByLabel('Name *').focus();
      await failed;
      await page.getByLabel('Email *').focus();
      await hydrate(page);
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByText(messages.nameTooShort)).toBeVisible();
    });
  }
});

test.describe('an enquiry that is half written', () => {
  for (const [when, touch] of [
    ['after React has come', hydrate],
    ['before React has come', async (page: Page) => void (await holdBack(page, ISLANDS))],
  ] as const) {
    test(`is still there after a way to another page and back, ${when}`, async ({ page }) => {
      const enquiry = newEnquiry();
      await page.goto('/contact');
      await touch(page);
      await fillEnquiry(page, enquiry);
      await page.getByRole('main').getByRole('link', { name: 'privacy policy' }).click();
      await expect(page).toHaveURL('/privacy');
      await page.goBack();
      await expect(page.getByLabel('Name *')).toHaveValue(enquiry.name);
      await expect(page.getByLabel('Service *')).toHaveValue(enquiry.service);
      await expect(page.getByLabel('Message *')).toHaveValue(enquiry.message);
    });
  }

  test('goes the plain way when it is sent before React has come', async ({ page }) => {
    const gate = await holdBack(page, ISLANDS);
    await page.goto('/contact');
    await fillEnquiry(page, newEnquiry());
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('heading', { name: messages.contactSent })).toBeVisible();
    gate.open();
  });
});

test.describe('React’s arrival', () => {
  for (const [markup, change] of [
    ['as it was prerendered', async () => undefined],
    ['translated', translate],
    ['with an element that an extension put there', (page: Page) => insertBeside(page, '#email')],
    [
      'translated, with an element that an extension put there',
      async (page: Page) => {
        await insertBeside(page, '#email');
        await translate(page);
      },
    ],
  ] as const) {
    test(`keeps a half-written enquiry, the focus and the caret in a page ${markup}`, async ({ page }) => {
      const gate = await holdBack(page, ISLANDS);
      const enquiry = newEnquiry();
      await page.goto('/contact');
      await fillEnquiry(page, enquiry);
      await change(page);
      const words = await page.locator('main label').allInnerTexts();
      const message = page.locator('[name=message]');
      await message.evaluate((field: HTMLTextAreaElement) => {
        field.focus();
        field.setSelectionRange(3, 7);
      });
      gate.open();
      await hydrate(page);
      await expect(page.locator('[name=name]')).toHaveValue(enquiry.name);
      await expect(page.locator('[name=email]')).toHaveValue(enquiry.email);
      await expect(page.locator('[name=service]')).toHaveValue(enquiry.service);
      await expect(message).toHaveValue(enquiry.message);
      await expect(message).toBeFocused();
      expect(
        await message.evaluate((field: HTMLTextAreaElement) => [field.selectionStart, field.selectionEnd]),
      ).toEqual([3, 7]);
      expect(await page.locator('main label').allInnerTexts()).toEqual(words);

      const sent = page.waitForRequest('**/api/contact');
      await page.locator('main [type=submit]').click();
      expect((await sent).postDataJSON()).toMatchObject({
        name: enquiry.name,
        service: enquiry.service,
        message: enquiry.message,
      });
    });

    test(`keeps the open dialog and its file in a page ${markup} @desktop`, async ({ page }) => {
      const gate = await holdBack(page, ISLANDS);
      const application = newApplication();
      await page.goto('/careers');
      await page.getByRole('button', { name: 'Submit Resume' }).click();
      await completeApplication(page, application, RESUME);
      await change(page);
      const heading = await applicationDialog(page).locator('h2').innerText();
      await page.locator('[name=fullName]').focus();
      gate.open();
      await hydrate(page);
      await expect(applicationDialog(page)).toBeVisible();
      await expect(applicationDialog(page).getByText(RESUME.name)).toBeVisible();
      await expect(page.locator('[name=fullName]')).toHaveValue(application.fullName);
      await expect(page.locator('[name=fullName]')).toBeFocused();
      await expect(page.locator('[name=coverLetter]')).toHaveValue(application.coverLetter);
      expect(await page.locator('[name=resume]').evaluate((input: HTMLInputElement) => input.files?.[0]?.name)).toBe(
        RESUME.name,
      );
      expect(await applicationDialog(page).locator('h2').innerText()).toBe(heading);
      await expect(page.locator('dialog [type=submit]')).toBeEnabled();
    });
  }

  test('lets the form work in a page that is translated afterwards', async ({ page }) => {
    await page.goto('/contact');
    await hydrate(page);
    await translate(page);
    await insertBeside(page, '#email');
    await page.locator('main [type=submit]').click();
    await expect(page.getByText(messages.nameTooShort)).toBeVisible();
    await translate(page);
    const enquiry = newEnquiry();
    for (const [name, value] of Object.entries({
      name: enquiry.name,
      email: enquiry.email,
      message: enquiry.message,
    })) {
      await page.locator(`[name=${name}]`).fill(value);
    }
    await page.locator('[name=service]').selectOption(enquiry.service);
    await expect(page.locator('[id$=-error]')).toHaveCount(0);
    await page.locator('main [type=submit]').click();
    await expect(page.getByText(/KW-/)).toBeVisible();
  });

  test('lets the application’s form work in a page that is translated afterwards @desktop', async ({ page }) => {
    await page.goto('/careers');
    await page.getByRole('button', { name: 'Submit Resume' }).click();
    await hydrate(page);
    await translate(page);
    for (let times = 0; times < 2; times += 1) {
      await page.locator('[name=resume]').setInputFiles(RESUME);
      await expect(applicationDialog(page).getByText(RESUME.name)).toBeVisible();
      await translate(page);
      await applicationDialog(page).getByText('Remove file').click();
      await expect(applicationDialog(page).getByText(RESUME.name)).toBeHidden();
    }
  });
});

test('who leaves while an enquiry is sent is asked first @desktop', async ({ page }) => {
  const gate = await holdBack(page, '**/api/contact');
  await page.goto('/contact');
  await hydrate(page);
  await fillEnquiry(page, newEnquiry());
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('button', { name: 'Sending Message...' })).toBeVisible();
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.type());
    void question.dismiss();
  });
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: 'About Us' })
    .evaluate((link: HTMLElement) => link.click());
  await expect.poll(() => questions).toEqual(['beforeunload']);
  gate.open();
  await expect(page.getByText(/KW-/)).toBeVisible();
  await expect(page).toHaveURL('/contact');
});

test('the application’s dialog opens from its address, and stays closed when it was closed', async ({ page }) => {
  await page.goto('/careers#application');
  await expect(page.getByRole('dialog', { name: 'Submit Your Application' })).toBeVisible();
  await expect(page.getByLabel('Full Name *')).toBeFocused();
  await applicationDialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('heading', { name: 'Submit Your Application' })).toBeHidden();
  await expect(resumeInput(page)).toBeHidden();
  await expect(page).toHaveURL('/careers');
});
