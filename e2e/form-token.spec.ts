import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry } from './support/enquiry-form.ts';
import { hasDeclinedCookies, hydrate } from './support/visitor.ts';

const TOKEN = '**/api/form-token';

test.beforeEach(({ page }) => hasDeclinedCookies(page));

test('the age of a form is asked for at its first touch and not before, once, and without a cookie', async ({
  page,
  context,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('/api/form-token') && asked.push(request.method())));
  await page.goto('/contact', { waitUntil: 'networkidle' });
  await hydrate(page);
  expect(asked).toEqual([]);
  const answered = page.waitForResponse(TOKEN);
  await page.getByLabel('Name *').focus();
  const { token } = (await (await answered).json()) as { token: string };
  await fillEnquiry(page, newEnquiry());

  const sent = page.waitForRequest('**/api/contact');
  await page.getByRole('button', { name: 'Send Message' }).click();
  expect((await sent).headers()['form-token']).toBe(token);
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText(messages.contactSent)).toBeVisible();
  expect(asked).toEqual(['GET']);
  expect(await context.cookies()).toEqual([]);
});

test('a form whose age cannot be asked for is sent all the same', async ({ page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push(/ERR_FAILED.*form-token/);
  await page.route(TOKEN, (route) => route.abort());
  await page.goto('/contact');
  await hydrate(page);
  await fillEnquiry(page, newEnquiry());
  const answered = page.waitForResponse('**/api/contact');
  await page.getByRole('button', { name: 'Send Message' }).click();
  expect((await answered).status()).toBe(202);
});
