import { createHash } from 'node:crypto';
import { SITE_HOST } from '../form-service/test/site-host.ts';
import { expect, test } from './harness/test.ts';
import {
  applicationDialog,
  fillApplication,
  newApplication,
  openApplication,
  resumeOf,
  submitButton,
} from './pages/application-page.ts';
import { company } from './support/content.ts';
import { referenceIn } from './pages/site.ts';
import { applicationWords } from './pages/words.ts';

const sha256 = (bytes: Buffer = Buffer.alloc(0)) => createHash('sha256').update(bytes).digest('hex');

test('application > arrives at HR unchanged > with a file of 9.9 MB', async ({ page, mailbox }) => {
  const application = newApplication();
  const resume = resumeOf(9_900_000);
  const answered = page.waitForResponse('**/api/resume');
  await openApplication(page);
  const client = await page.context().newCDPSession(page);
  const sendAt = (uploadThroughput: number) => {
    const line = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
    return client.send('Network.emulateNetworkConditions', line);
  };
  await fillApplication(page, application, resume);
  await sendAt(500_000);
  await submitButton(page).click();
  await expect(applicationDialog(page).getByRole('button', { name: applicationWords.sending })).toBeDisabled();
  await expect(applicationDialog(page).getByRole('progressbar', { name: applicationWords.uploading })).toBeVisible();
  await sendAt(-1);

  await expect(applicationDialog(page).getByText(applicationWords.sentDetail)).toBeVisible();
  await expect(applicationDialog(page).getByRole('progressbar')).toBeHidden();
  const answer = await answered;
  expect(answer.status()).toBe(202);
  const { reference } = (await answer.json()) as { reference: string };
  const mail = await mailbox.waitFor(reference);
  expect(mail.to).toMatchObject({ value: [{ address: company.careersEmail }] });
  expect(mail.from?.value[0]?.address).toBe(`no-reply@${SITE_HOST}`);
  expect(mail.replyTo?.value[0]).toMatchObject({ address: application.email, name: application.fullName });
  expect(mail.subject).toContain(application.fullName);
  for (const value of [reference, ...Object.values(application)]) expect(mail.text).toContain(value);
  expect(mail.attachments).toHaveLength(1);
  const [attachment] = mail.attachments;
  expect(attachment).toMatchObject({ filename: resume.name, contentType: 'application/pdf' });
  expect(sha256(attachment?.content)).toBe(sha256(resume.buffer));
});

test('open position > is applied for on its own page > opened from its card @phone', async ({ page, mailbox }) => {
  await page.goto('/careers');
  const card = page.getByRole('article').first().getByRole('heading', { level: 3 });
  test.skip((await card.count()) === 0, 'no position is open');
  const title = await card.innerText();
  await card.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await page.locator('main [href="#application"]').first().click();
  await expect(applicationDialog(page)).toBeVisible();
  const application = newApplication();
  await fillApplication(page, application, resumeOf(5_000));
  await submitButton(page).click();
  await expect(page.getByText(applicationWords.sentDetail)).toBeInViewport({ ratio: 1 });
  const mail = await mailbox.waitFor(referenceIn(await applicationDialog(page).innerText()));
  expect(mail.text).toContain(application.fullName);
});
