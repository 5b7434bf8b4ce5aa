import type { Page } from '@playwright/test';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';

const enquiry = {
  name: 'Ana "Kite" <O\u2019Neill> مرحبا',
  email: 'ana@example.org',
  phone: '+44 1632 960001',
  service: 'Web Development',
  message: 'We need a <b>new</b> shop & more 🪁.\n\nשלום "soon"?',
};

async function fill(page: Page, values: Partial<typeof enquiry>): Promise<void> {
  if (values.name !== undefined) await page.getByLabel('Name *').fill(values.name);
  if (values.email !== undefined) await page.getByLabel('Email *').fill(values.email);
  if (values.phone !== undefined) await page.getByLabel('Phone (Optional)').fill(values.phone);
  if (values.service !== undefined) await page.getByLabel('Service *').selectOption(values.service);
  if (values.message !== undefined) await page.getByLabel('Message *').fill(values.message);
}

/** Sends the filled form and returns the reference that the service answered with. */
async function send(page: Page): Promise<string> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/contact'));
  await page.getByRole('button', { name: 'Send Message' }).click();
  const answer = await answered;
  expect(answer.status()).toBe(202);
  const sent = answer.request().headers();
  // The form asks for plain text; the same content with the same key tells the reference.
  const again = await page.request.post('/api/contact', {
    headers: { 'idempotency-key': sent['idempotency-key'] ?? '', accept: 'application/json' },
    data: answer.request().postDataJSON(),
  });
  expect(again.status()).toBe(202);
  return ((await again.json()) as { reference: string }).reference;
}

test.describe('an enquiry', () => {
  test('typed in the browser arrives in the sales inbox', async ({ page, mailbox }) => {
    await page.goto('/contact');
    await fill(page, enquiry);
    const reference = await send(page);
    await expect(page.getByText(messages.contactSent)).toBeVisible();
    await expect(page.getByText(messages.contactSentDetail)).toBeVisible();
    await expect(page.getByLabel('Message *')).toHaveValue('');

    const mail = await mailbox.waitFor(reference);
    expect(mail.from?.value[0]?.address).toBe('no-reply@kitewright.example');
    expect(mail.replyTo?.value[0]?.address).toBe(enquiry.email);
    expect(mail.to).toMatchObject({ value: [{ address: 'hello@kitewright.example' }] });
    expect(mail.messageId).toContain(reference);
    expect(mail.text).toContain(reference);
    for (const value of [enquiry.name, enquiry.phone, enquiry.service, '🪁', 'שלום "soon"?']) expect(mail.text).toContain(value);
    expect(mail.html).toContain('&lt;b&gt;new&lt;/b&gt;');
    expect(await mailbox.count(reference)).toBe(1);
  });

  test('shows the message of each wrong field, and sends nothing', async ({ page }) => {
    const calls: string[] = [];
    page.on('request', (request) => void (request.url().includes('/api/') && calls.push(request.url())));
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Send Message' }).click();
    for (const sentence of [messages.nameTooShort, messages.invalidEmailAddress, messages.serviceMissing, messages.messageTooShort]) {
      await expect(page.getByText(sentence)).toBeVisible();
    }
    await fill(page, enquiry);
    await expect(page.getByText(messages.nameTooShort)).toBeHidden();
    expect(calls).toEqual([]);
  });
});

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('the plain form posts, and the visitor sees that it was sent', async ({ page, mailbox }) => {
    await page.goto('/contact');
    await fill(page, enquiry);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByText(messages.contactSent)).toBeVisible();
    const reference = /KW(-[0-9A-Z]{4}){4}/.exec(await page.locator('body').innerText())?.[0] ?? '';
    expect((await mailbox.waitFor(reference)).replyTo?.value[0]?.address).toBe(enquiry.email);
  });

  test('a wrong field gives its message and keeps what was typed', async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 422/);
    await page.goto('/contact');
    await fill(page, { ...enquiry, email: 'not an address' });
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByText(messages.invalidEmailAddress).first()).toBeVisible();
    await expect(page.getByLabel('Message *')).toHaveValue(enquiry.message);
    await page.getByLabel('Email *').fill(enquiry.email);
    await page.getByRole('button', { name: /send/i }).click();
    await expect(page.getByText(messages.contactSent)).toBeVisible();
  });
});

test.describe('the public address', () => {
  for (const path of ['/', '/contact', '/about', '/services/web-development', '/careers']) {
    test(`${path} opens without an error`, async ({ page }) => {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(200);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });
  }

  test('an unknown path shows the not-found page with status 404', async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    const answer = await page.goto('/no-such-page');
    expect(answer?.status()).toBe(404);
    await expect(page.getByText('404 Page Not Found')).toBeVisible();
  });
});
