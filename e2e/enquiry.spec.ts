import type { Page } from '@playwright/test';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry, referenceIn } from './support/enquiry-form.ts';
import { holdBack } from './support/gate.ts';
import { hasDeclinedCookies, hydrate } from './support/visitor.ts';

const fieldMessages = {
  'Name *': messages.nameTooShort,
  'Email *': messages.invalidEmailAddress,
  'Service *': messages.serviceMissing,
  'Message *': messages.messageTooShort,
} as const;

const submit = (page: Page) => page.getByRole('button', { name: 'Send Message' });
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' });
const successToast = (page: Page) => toasts(page).locator('[data-toast]').filter({ hasText: messages.contactSent });
/** What stays beside the button. */
const outcome = (page: Page) => page.locator('#contact-outcome');

/** Sends the filled form and returns the reference that the page shows then. */
async function send(page: Page): Promise<string> {
  const answered = page.waitForResponse('**/api/contact');
  await submit(page).click();
  expect((await answered).status()).toBe(202);
  await expect(outcome(page)).toContainText('Your reference is KW-');
  return referenceIn(await outcome(page).innerText());
}

test.beforeEach(({ page }) => hasDeclinedCookies(page));

test.describe('an enquiry', () => {
  test('typed in the browser arrives in the sales inbox', async ({ page, mailbox }) => {
    const enquiry = newEnquiry();
    await page.goto('/contact');
    await page.getByRole('link', { name: 'Start Your Project' }).click();
    await expect(page.getByRole('heading', { name: 'Send us your enquiry' })).toBeInViewport();
    await hydrate(page);
    await fillEnquiry(page, enquiry);
    const reference = await send(page);

    await expect(successToast(page)).toContainText(messages.contactSentDetail);
    for (const label of ['Name *', 'Email *', 'Phone (Optional)', 'Service *', 'Message *'])
      await expect(page.getByLabel(label)).toHaveValue('');
    await expect(page.getByText(messages.nameTooShort)).toBeHidden();

    const mail = await mailbox.waitFor(reference);
    expect(mail.from?.value[0]?.address).toBe('no-reply@kitewright.example');
    expect(mail.replyTo?.value).toEqual([expect.objectContaining({ address: enquiry.email, name: enquiry.name })]);
    expect(mail.to).toMatchObject({ value: [{ address: 'hello@kitewright.example' }] });
    expect(mail.messageId).toContain(reference);
    expect(mail.subject).toContain(reference);
    expect(mail.text).toContain(reference);
    for (const value of [enquiry.name, enquiry.email, enquiry.phone, enquiry.service, enquiry.message])
      expect(mail.text).toContain(value);
    expect(mail.html).toContain('&#60;b&#62;new&#60;/b&#62; shop &#38; more 🪁');
    expect(mail.html).toContain('&#34;Kite&#34; &#60;O\u2019Neill&#62; مرحبا');
    expect(mail.html).not.toContain('<b>');
  });

  test('is checked when it is sent, and then at every change', async ({ page }) => {
    const calls: string[] = [];
    page.on('request', (request) => void (request.url().includes('/api/contact') && calls.push(request.url())));
    await page.goto('/contact');
    await hydrate(page);
    await fillEnquiry(page, { name: 'A', email: 'ana@', message: 'Too short' });
    for (const message of Object.values(fieldMessages)) await expect(page.getByText(message)).toBeHidden();

    await submit(page).click();
    for (const [label, message] of Object.entries(fieldMessages)) {
      const field = page.getByLabel(label);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(field).toHaveAccessibleDescription(message);
    }
    await expect(page.getByLabel('Name *')).toBeFocused();
    await expect(page.getByLabel('Phone (Optional)')).not.toHaveAttribute('aria-invalid');
    await expect(page.getByLabel('Message *')).toHaveValue('Too short');

    const enquiry = newEnquiry();
    await fillEnquiry(page, { name: enquiry.name, email: enquiry.email, service: enquiry.service });
    for (const label of ['Name *', 'Email *', 'Service *'])
      await expect(page.getByLabel(label)).not.toHaveAttribute('aria-invalid');
    await expect(page.getByText(messages.messageTooShort)).toBeVisible();
    await fillEnquiry(page, { message: enquiry.message, email: '' });
    await expect(page.getByText(messages.messageTooShort)).toBeHidden();
    await expect(page.getByText(messages.invalidEmailAddress)).toBeVisible();
    expect(calls).toEqual([]);
  });

  test('that is not accepted says why, keeps what was typed, and can be sent again', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of (422|429|503)/);
    const refusals = [
      [503, 'The service is not available at the moment. Please try again in a few seconds.'],
      [429, 'Too many requests. Please wait a minute and try again.'],
      [422, 'Please check your entries. Invalid email address.'],
    ] as const;
    const enquiry = newEnquiry();
    await page.goto('/contact');
    await hydrate(page);
    await fillEnquiry(page, enquiry);
    for (const [status, body] of refusals) {
      await page.route('**/api/contact', (route) => route.fulfill({ status, body, contentType: 'text/plain' }), {
        times: 1,
      });
      await submit(page).click();
      await expect(toasts(page).getByText(`${status}: ${body}`)).toBeVisible();
      await expect(toasts(page).getByText(messages.contactFailed)).toHaveCount(1);
      await expect(submit(page)).toBeFocused();
      // The toast goes; what it said stays, and can be copied.
      await toasts(page).getByRole('button', { name: 'Close' }).click();
      await expect(toasts(page).getByText(messages.contactFailed)).toHaveCount(0);
      await expect(submit(page)).toBeFocused();
      await expect(outcome(page)).toContainText(`${status}: ${body}`);
      await outcome(page).getByText(body).click({ clickCount: 3 });
      expect(await page.evaluate(() => getSelection()?.toString())).toContain(body);
      await submit(page).focus();
    }
    await expect(page.getByLabel('Message *')).toHaveValue(enquiry.message);
    await send(page);
    await expect(successToast(page)).toBeVisible();
    await expect(toasts(page).getByText(messages.contactFailed)).toHaveCount(0);
  });

  test('shows that it is on its way @desktop', async ({ page }) => {
    const gate = await holdBack(page, '**/api/contact');
    await page.goto('/contact');
    await hydrate(page);
    await fillEnquiry(page, newEnquiry());
    await submit(page).click();
    await expect(page.getByRole('button', { name: 'Sending Message...' })).toBeDisabled();
    gate.open();
    await expect(submit(page)).toBeEnabled();
    await expect(submit(page)).toBeFocused();
    await expect(successToast(page)).toBeVisible();
  });

  test('is delivered once after two clicks', async ({ page, mailbox }) => {
    const enquiry = newEnquiry();
    await page.goto('/contact');
    await hydrate(page);
    await fillEnquiry(page, enquiry);
    await submit(page).dblclick();
    await expect(successToast(page)).toBeVisible();
    await mailbox.waitFor(enquiry.marker);
    await waitForLaterMail(page, mailbox);
    expect(await mailbox.count(enquiry.marker)).toBe(1);
  });

  test('whose answer was lost is delivered once when it is sent again @desktop', async ({
    page,
    mailbox,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/net::ERR_CONNECTION_RESET/);
    let lostReference = '';
    await page.route(
      '**/api/contact',
      async (route) => {
        lostReference = referenceIn(await (await route.fetch()).text());
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    const enquiry = newEnquiry();
    await page.goto('/contact');
    await hydrate(page);
    await fillEnquiry(page, enquiry);
    await submit(page).click();
    await expect(outcome(page)).toContainText(messages.contactFailed);
    expect(await send(page)).toBe(lostReference);
    await mailbox.waitFor(lostReference);
    await waitForLaterMail(page, mailbox);
    expect(await mailbox.count(enquiry.marker)).toBe(1);
  });
});

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('an enquiry is sent by the plain form', async ({ page, mailbox }) => {
    const enquiry = newEnquiry();
    await page.goto('/contact');
    await fillEnquiry(page, enquiry);
    await submit(page).click();
    await expect(page.getByRole('heading', { name: messages.contactSent })).toBeVisible();
    const mail = await mailbox.waitFor(referenceIn(await page.locator('body').innerText()));
    expect(mail.replyTo?.value[0]?.address).toBe(enquiry.email);
    expect(mail.text).toContain('We need a <b>new</b> shop & more 🪁.');
    await page.getByRole('link', { name: 'Back to the site' }).click();
    await expect(page).toHaveURL('/contact');
  });

  test('each wrong field has its message, what was typed is kept, and the corrected form is sent', async ({
    page,
    mailbox,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 422/);
    const enquiry = newEnquiry();
    await page.goto('/contact');
    await fillEnquiry(page, { name: ' "', email: 'ana@<b>', phone: enquiry.phone, message: '</p>' });
    await submit(page).click();
    await expect(page).toHaveTitle(/^Error: /);
    for (const [label, message] of Object.entries(fieldMessages))
      await expect(page.getByLabel(label)).toHaveAccessibleDescription(message);
    await expect(page.getByLabel('Name *')).toHaveValue(' "');
    await expect(page.getByLabel('Email *')).toHaveValue('ana@<b>');
    await expect(page.getByLabel('Phone (Optional)')).toHaveValue(enquiry.phone);
    await expect(page.getByLabel('Message *')).toHaveValue('</p>');

    await fillEnquiry(page, {
      name: enquiry.name,
      email: enquiry.email,
      service: enquiry.service,
      message: enquiry.message,
    });
    await submit(page).click();
    await expect(page.getByRole('heading', { name: messages.contactSent })).toBeVisible();
    const mail = await mailbox.waitFor(referenceIn(await page.locator('body').innerText()));
    expect(mail.text).toContain(enquiry.phone);
  });
});

/** Sends another enquiry and waits for its mail: a second mail of an earlier submission would have arrived before. */
async function waitForLaterMail(page: Page, mailbox: { waitFor(reference: string): Promise<unknown> }): Promise<void> {
  await fillEnquiry(page, newEnquiry());
  await mailbox.waitFor(await send(page));
}
