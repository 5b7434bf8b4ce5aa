import { words } from '../form-service/test/words.ts';
import { SITE_HOST } from '../form-service/test/site-host.ts';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry, sendButton, sendEnquiry } from './pages/enquiry-page.ts';
import { company } from './support/content.ts';
import { hydrate, notifications, referenceIn } from './pages/site.ts';
import { enquiryField, enquiryWords, fieldText } from './pages/words.ts';

const fieldMessages = {
  name: fieldText(enquiryWords, 'name', 'missing'),
  email: fieldText(enquiryWords, 'email', 'invalid'),
  service: fieldText(enquiryWords, 'service', 'missing'),
  message: fieldText(enquiryWords, 'message', 'missing'),
} as const;

test('enquiry > arrives in the sales inbox @both', async ({ page, context, mailbox }) => {
  const enquiry = newEnquiry();
  const tokens: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('/api/form-token') && tokens.push(request.method())));
  await page.goto('/contact', { waitUntil: 'networkidle' });
  await page.locator('[data-hero] .button').first().click();
  await expect(page.locator('section:has([data-island]) h2').first()).toBeInViewport();
  await hydrate(page);
  expect(tokens, 'the form token is requested on the first focus').toEqual([]);
  const answered = page.waitForResponse('**/api/form-token');
  await enquiryField(page, 'name').focus();
  const { token } = (await (await answered).json()) as { token: string };
  await fillEnquiry(page, enquiry);
  const sent = page.waitForRequest('**/api/contact');
  const reference = await sendEnquiry(page);
  expect((await sent).headers()['form-token']).toBe(token);
  expect(tokens).toEqual(['GET']);
  expect(await context.cookies()).toEqual([]);

  await expect(notifications(page)).toContainText(enquiryWords.sentDetail);
  for (const field of [...Object.keys(fieldMessages), 'phone']) await expect(enquiryField(page, field)).toHaveValue('');
  await expect(page.getByText(fieldText(enquiryWords, 'name', 'missing'))).toBeHidden();

  const mail = await mailbox.waitFor(reference);
  expect(mail.from?.value[0]?.address).toBe(`no-reply@${SITE_HOST}`);
  expect(mail.replyTo?.value).toEqual([expect.objectContaining({ address: enquiry.email, name: enquiry.name })]);
  expect(mail.to).toMatchObject({ value: [{ address: company.email }] });
  for (const text of [mail.messageId, mail.subject, mail.text]) expect(text).toContain(reference);
  for (const value of [enquiry.name, enquiry.email, enquiry.phone, enquiry.service, enquiry.message])
    expect(mail.text).toContain(value);
  expect(mail.html).toContain('&#60;b&#62;new&#60;/b&#62; shop &#38; more');
  expect(mail.html).toContain('&#34;Kite&#34; &#60;O');
  expect(mail.html).not.toContain('<b>');
});

test.describe('enquiry without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('shows all errors, keeps the values and is sent after a correction', async ({
    page,
    mailbox,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 422/);
    const enquiry = newEnquiry();
    await page.goto('/contact');
    await fillEnquiry(page, { name: ' "', email: 'ana@<b>', phone: enquiry.phone, message: '</p>' });
    await sendButton(page).click();
    await expect(page).toHaveTitle(new RegExp(`^${words.plainPages.error({ title: '' })}`));
    const leftOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x;
    expect(await leftOf('main .notice'), 'the logo’s edge').toBe(await leftOf('header a'));
    for (const [field, message] of Object.entries(fieldMessages))
      await expect(enquiryField(page, field)).toHaveAccessibleDescription(new RegExp(`^${message}`));
    await expect(enquiryField(page, 'name')).toHaveValue(' "');
    await expect(enquiryField(page, 'email')).toHaveValue('ana@<b>');
    await expect(enquiryField(page, 'phone')).toHaveValue(enquiry.phone);
    await expect(enquiryField(page, 'message')).toHaveValue('</p>');

    const { name, email, service, message } = enquiry;
    await fillEnquiry(page, { name, email, service, message });
    await sendButton(page).click();
    await expect(page.getByRole('heading', { name: enquiryWords.sent })).toBeVisible();
    const mail = await mailbox.waitFor(referenceIn(await page.locator('body').innerText()));
    expect(mail.replyTo?.value[0]?.address).toBe(enquiry.email);
    expect(mail.text).toContain('We need a <b>new</b> shop & more 🪁.');
    await page.getByRole('link', { name: words.plainPages.back }).click();
    await expect(page).toHaveURL('/contact');
  });
});
