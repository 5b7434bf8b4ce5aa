import type { Page } from '@playwright/test';
import type { Mailbox } from './harness/mailbox.ts';
import { expect, test } from './harness/test.ts';
import { fillApplication, newApplication, resumeOf, submitButton } from './pages/application-page.ts';
import { referenceIn } from './pages/site.ts';
import { applicationWords } from './pages/words.ts';
import { messages } from '../form-service/src/contract/messages.ts';

test.use({ javaScriptEnabled: false });

test('application > is sent by the plain form > without JavaScript', sendPlainForm);

test.describe('application', () => {
  test.use({ javaScriptEnabled: true });

  test('is sent by the plain form > the deferred script fails to load', async ({
    page,
    mailbox,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/ERR_FAILED/, /dynamically imported module/);
    await page.route('**/assets/deferred-*', (route) => route.abort('failed'));
    await sendPlainForm({ page, mailbox });
  });
});

async function sendPlainForm({ page, mailbox }: { page: Page; mailbox: Mailbox }) {
  const application = newApplication();
  const resume = resumeOf(2_000);
  await page.goto('/careers');
  const openers = page.locator('main [aria-haspopup=dialog]');
  expect(await openers.count()).toBeGreaterThan(0);
  for (let index = 0; index < (await openers.count()); index += 1) {
    await page.goto('/careers');
    await expect(page.getByRole('heading', { name: applicationWords.title })).toBeHidden();
    await openers.nth(index).click();
    await expect(page.getByRole('heading', { name: applicationWords.title })).toBeInViewport();
  }
  await expect(page.getByRole('button', { name: messages.cancel })).toBeHidden();
  await fillApplication(page, application, resume);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: applicationWords.sent })).toBeVisible();
  const mail = await mailbox.waitFor(referenceIn(await page.locator('body').innerText()));
  expect(mail.text).toContain(application.coverLetter);
  expect(mail.attachments[0]?.content.equals(resume.buffer)).toBe(true);
}
