import type { Page } from '@playwright/test';
import { messages } from '../form-service/src/contract/messages.ts';
import type { Mailbox } from './harness/mailbox.ts';
import { expect, test } from './harness/test.ts';
import { completeApplication, newApplication, resumeOf, submitButton } from './pages/application-page.ts';
import { referenceIn } from './pages/site.ts';

test.use({ javaScriptEnabled: false });

test('Without JavaScript the buttons lead to a plain form, which sends the file.', sendPlainForm);

test.describe('Where the script after the first paint cannot be had,', () => {
  test.use({ javaScriptEnabled: true });

  test('the buttons lead to the plain form too.', async ({ page, mailbox, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_FAILED/, /dynamically imported module/);
    await page.route('**/assets/deferred-*', (route) => route.abort('failed'));
    await sendPlainForm({ page, mailbox });
  });
});

async function sendPlainForm({ page, mailbox }: { page: Page; mailbox: Mailbox }) {
  const application = newApplication();
  const resume = resumeOf(2_000);
  for (const opener of ['Submit Resume', 'Apply for this Position']) {
    await page.goto('/careers');
    await expect(page.getByRole('heading', { name: 'Submit Your Application' })).toBeHidden();
    await page.getByRole('link', { name: opener }).first().click();
    await expect(page.getByRole('heading', { name: 'Submit Your Application' })).toBeInViewport();
  }
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await completeApplication(page, application, resume);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: messages.applicationSent })).toBeVisible();
  const mail = await mailbox.waitFor(referenceIn(await page.locator('body').innerText()));
  expect(mail.text).toContain(application.coverLetter);
  expect(mail.attachments[0]?.content.equals(resume.buffer)).toBe(true);
}
