import { messages } from '../form-service/src/contract/messages.ts';
import type { Mailbox } from './harness/mailbox.ts';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry, openEnquiry, outcome, sendButton, sendEnquiry } from './pages/enquiry-page.ts';
import { holdBack, hydrate, notifications, referenceIn } from './pages/site.ts';

const fieldMessages = {
  'Name *': messages.nameTooShort,
  'Email *': messages.invalidEmailAddress,
  'Service *': messages.serviceMissing,
  'Message *': messages.messageTooShort,
} as const;

test('An enquiry typed in the browser arrives in the sales inbox. @both', async ({ page, context, mailbox }) => {
  const enquiry = newEnquiry();
  const tokens: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('/api/form-token') && tokens.push(request.method())));
  await page.goto('/contact', { waitUntil: 'networkidle' });
  await page.getByRole('link', { name: 'Start Your Project' }).click();
  await expect(page.getByRole('heading', { name: 'Send us your enquiry' })).toBeInViewport();
  await hydrate(page);
  expect(tokens, 'the age of the form is asked for when it is touched').toEqual([]);
  const answered = page.waitForResponse('**/api/form-token');
  await page.getByLabel('Name *').focus();
  const { token } = (await (await answered).json()) as { token: string };
  await fillEnquiry(page, enquiry);
  const sent = page.waitForRequest('**/api/contact');
  const reference = await sendEnquiry(page);
  expect((await sent).headers()['form-token']).toBe(token);
  expect(tokens).toEqual(['GET']);
  expect(await context.cookies()).toEqual([]);

  await expect(notifications(page)).toContainText(messages.contactSentDetail);
  for (const label of [...Object.keys(fieldMessages), 'Phone (Optional)'])
    await expect(page.getByLabel(label)).toHaveValue('');
  await expect(page.getByText(messages.nameTooShort)).toBeHidden();

  const mail = await mailbox.waitFor(reference);
  expect(mail.from?.value[0]?.address).toBe('no-reply@kitewright.example');
  expect(mail.replyTo?.value).toEqual([expect.objectContaining({ address: enquiry.email, name: enquiry.name })]);
  expect(mail.to).toMatchObject({ value: [{ address: 'hello@kitewright.example' }] });
  for (const text of [mail.messageId, mail.subject, mail.text]) expect(text).toContain(reference);
  for (const value of [enquiry.name, enquiry.email, enquiry.phone, enquiry.service, enquiry.message])
    expect(mail.text).toContain(value);
  expect(mail.html).toContain('&#60;b&#62;new&#60;/b&#62; shop &#38; more 🪁');
  expect(mail.html).toContain('&#34;Kite&#34; &#60;O\u2019Neill&#62; مرحبا');
  expect(mail.html).not.toContain('<b>');
});

test('An enquiry is checked when it is sent, and then at every change.', async ({ page }) => {
  await openEnquiry(page);
  await fillEnquiry(page, { name: 'A', email: 'ana@', message: 'Too short' });
  for (const message of Object.values(fieldMessages)) await expect(page.getByText(message)).toBeHidden();
  await sendButton(page).click();
  for (const [label, message] of Object.entries(fieldMessages)) {
    await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(message);
  }
  await expect(page.getByLabel('Name *')).toBeFocused();
  await fillEnquiry(page, { name: 'Ana', message: 'Now it is long enough.' });
  await expect(page.getByText(messages.messageTooShort)).toBeHidden();
  await expect(page.getByText(messages.invalidEmailAddress)).toBeVisible();
});

test('An enquiry that is not accepted says why, keeps what was typed, and can be sent again.', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/status of 429/);
  const enquiry = newEnquiry();
  const body = 'Too many requests. Please wait a minute and try again.';
  const answer = { status: 429, body, contentType: 'text/plain' };
  await page.route('**/api/contact', (route) => route.fulfill(answer), { times: 1 });
  const gate = await holdBack(page, '**/api/contact');
  await openEnquiry(page);
  await fillEnquiry(page, enquiry);
  await sendButton(page).click();
  await expect(page.getByRole('button', { name: 'Sending Message...' })).toBeDisabled();
  gate.open();
  await expect(notifications(page).getByText(`429: ${body}`)).toBeVisible();
  await expect(sendButton(page)).toBeFocused();
  // The toast goes; what it said stays, and can be copied.
  await notifications(page).getByRole('button', { name: 'Close' }).click();
  await expect(notifications(page).getByText(messages.contactFailed)).toHaveCount(0);
  await expect(outcome(page)).toContainText(`429: ${body}`);
  await outcome(page).getByText(body).click({ clickCount: 3 });
  expect(await page.evaluate(() => getSelection()?.toString())).toContain(body);
  await expect(page.getByLabel('Message *')).toHaveValue(enquiry.message);
  await sendEnquiry(page);
});

test('An enquiry is delivered once after two clicks.', async ({ page, mailbox }) => {
  const enquiry = newEnquiry();
  await openEnquiry(page);
  await fillEnquiry(page, enquiry);
  await sendButton(page).dblclick();
  await expect(outcome(page)).toContainText('KW-');
  await expectOneMail(mailbox, enquiry.marker);
});

test('An enquiry whose answer was lost is delivered once when it is sent again.', async ({
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
  await openEnquiry(page);
  await fillEnquiry(page, enquiry);
  await sendButton(page).click();
  await expect(outcome(page)).toContainText(messages.contactFailed);
  expect(await sendEnquiry(page)).toBe(lostReference);
  await expectOneMail(mailbox, enquiry.marker);
});

test('Who leaves while an enquiry is sent is asked first.', async ({ page }) => {
  const gate = await holdBack(page, '**/api/contact');
  await openEnquiry(page);
  await fillEnquiry(page, newEnquiry());
  await sendButton(page).click();
  await expect(page.getByRole('button', { name: 'Sending Message...' })).toBeVisible();
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.type());
    void question.dismiss();
  });
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'About Us' });
  await link.evaluate((element: HTMLElement) => element.click());
  await expect.poll(() => questions).toEqual(['beforeunload']);
  gate.open();
  await expect(page.getByText(/KW-/)).toBeVisible();
  await expect(page).toHaveURL('/contact');
});

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('each wrong field has its message, what was typed is kept, and the corrected form is sent.', async ({
    page,
    mailbox,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 422/);
    const enquiry = newEnquiry();
    await page.goto('/contact');
    await fillEnquiry(page, { name: ' "', email: 'ana@<b>', phone: enquiry.phone, message: '</p>' });
    await sendButton(page).click();
    await expect(page).toHaveTitle(/^Error: /);
    for (const [label, message] of Object.entries(fieldMessages))
      await expect(page.getByLabel(label)).toHaveAccessibleDescription(message);
    await expect(page.getByLabel('Name *')).toHaveValue(' "');
    await expect(page.getByLabel('Email *')).toHaveValue('ana@<b>');
    await expect(page.getByLabel('Phone (Optional)')).toHaveValue(enquiry.phone);
    await expect(page.getByLabel('Message *')).toHaveValue('</p>');

    const { name, email, service, message } = enquiry;
    await fillEnquiry(page, { name, email, service, message });
    await sendButton(page).click();
    await expect(page.getByRole('heading', { name: messages.contactSent })).toBeVisible();
    const mail = await mailbox.waitFor(referenceIn(await page.locator('body').innerText()));
    expect(mail.replyTo?.value[0]?.address).toBe(enquiry.email);
    expect(mail.text).toContain('We need a <b>new</b> shop & more 🪁.');
    await page.getByRole('link', { name: 'Back to the site' }).click();
    await expect(page).toHaveURL('/contact');
  });
});

/** Sends another enquiry, past the browser, and waits for its mail: a second mail of an earlier submission would have arrived before. */
async function expectOneMail(mailbox: Mailbox, marker: string): Promise<void> {
  await mailbox.waitFor(marker);
  const { marker: later, ...enquiry } = newEnquiry();
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(enquiry);
  await fetch(`${process.env.E2E_SITE_URL}/api/contact`, { method: 'POST', headers, body });
  await mailbox.waitFor(later);
  expect(await mailbox.count(marker)).toBe(1);
}
