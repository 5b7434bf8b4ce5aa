import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { applicationDialog, completeApplication, newApplication, submitButton } from './support/application-form.ts';
import { referenceIn } from './support/enquiry-form.ts';
import { pdfOfSize } from './support/pdf.ts';
import { hasDeclinedCookies } from './support/visitor.ts';

test('an open position is found from its card, and applied for on its own page', async ({ page, mailbox }) => {
  await hasDeclinedCookies(page);
  await page.goto('/careers');
  const card = page.getByRole('article').first().getByRole('heading', { level: 3 });
  const title = await card.innerText();
  await card.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await page.locator('main [href="#application"]').first().click();
  await expect(applicationDialog(page)).toBeVisible();
  const application = newApplication();
  const resume = { name: 'resume.pdf', mimeType: 'application/pdf', buffer: pdfOfSize(5_000) };
  await completeApplication(page, application, resume);
  await submitButton(page).click();
  await expect(page.getByText(messages.applicationSent)).toBeVisible();
  const mail = await mailbox.waitFor(referenceIn(await applicationDialog(page).innerText()));
  expect(mail.text).toContain(application.fullName);
});
