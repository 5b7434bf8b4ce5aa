import type { Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import { utimesSync, writeFileSync } from 'node:fs';
import { messages } from '../form-service/src/contract/messages.ts';
import { SITE_HOST } from '../form-service/test/site-host.ts';
import type { Mailbox } from './harness/mailbox.ts';
import { expect, test } from './harness/test.ts';
import {
  applicationDialog,
  applicationOpener,
  fillApplication,
  newApplication,
  openApplication,
  resumeInput,
  resumeOf,
  sendApplication,
  submitButton,
} from './pages/application-page.ts';
import { company } from './support/content.ts';
import { hydrate, isScrollLocked, referenceIn } from './pages/site.ts';
import { applicationField, applicationWords } from './pages/words.ts';

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

const FAILED = new RegExp(`status of [45]\\d\\d|${messages.submissionFailed}|net::ERR_`);

test('application > asks to choose the file again > it was edited after it was chosen', async ({
  page,
  mailbox,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(FAILED);
  await openApplication(page);
  const path = test.info().outputPath('cv.pdf');
  writeFileSync(path, resumeOf(2_000).buffer);
  await fillApplication(page, newApplication());
  await resumeInput(page).setInputFiles(path);
  await expect(applicationDialog(page).getByText('cv.pdf')).toBeVisible();
  writeFileSync(path, resumeOf(3_000).buffer);
  // Chromium compares the modification time in whole seconds.
  const later = Date.now() / 1_000 + 5;
  utimesSync(path, later, later);
  await submitButton(page).click();
  await expect(applicationDialog(page).locator('.notice-error')).toContainText(messages.resumeChanged);
  await expect(resumeInput(page)).toHaveAccessibleDescription(new RegExp(messages.resumeChanged));
  await expect(resumeInput(page)).toBeFocused();
  expect(await resumeInput(page).evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);

  await resumeInput(page).setInputFiles(path);
  const reference = await sendApplication(page);
  expect((await mailbox.waitFor(reference)).attachments[0]?.content).toHaveLength(3_000);
});

const dialogByName = { name: applicationWords.title };

test('application dialog > opens from each button, returns the focus @also-phone', async ({ page }) => {
  await page.goto('/careers');
  await hydrate(page);
  const openers = page.getByRole('main').getByRole('button').and(page.locator('[aria-haspopup=dialog]'));
  await expect(openers).not.toHaveCount(0);
  const count = await openers.count();
  const closings = [
    () => page.keyboard.press('Escape'),
    () => applicationDialog(page).getByRole('button', { name: messages.close }).click(),
    () => applicationDialog(page).getByRole('button', { name: messages.cancel }).click(),
  ];
  for (let index = 0; index < Math.max(count, closings.length); index += 1) {
    const opener = openers.nth(index % count);
    await opener.focus();
    await page.keyboard.press(index % 2 === 0 ? 'Enter' : 'Space');
    await expect(page.getByRole('dialog', dialogByName)).toBeVisible();
    await expect(applicationField(page, 'fullName')).toBeFocused();
    expect(await isScrollLocked(page)).toBe(true);
    await closings[index % closings.length]?.();
    await expect(applicationDialog(page)).toBeHidden();
    await expect(opener).toBeFocused();
    expect(await isScrollLocked(page)).toBe(false);
  }
  await expect(page).toHaveURL('/careers');
});

test('application dialog > accepts a dropped file', async ({ page }, testInfo) => {
  await openApplication(page);
  const path = testInfo.outputPath('dropped.pdf');
  writeFileSync(path, resumeOf(2_000).buffer);
  const zone = applicationDialog(page).getByText(messages.chooseFile);
  // In the middle, where the buttons of the dialog do not cover it.
  await zone.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const { x = 0, y = 0 } = (await zone.boundingBox()) ?? {};
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, x: x + 9, y: y + 9, data });
  await expect(applicationDialog(page).getByText('dropped.pdf')).toBeVisible();
});

test.describe('application', () => {
  test.use({ javaScriptEnabled: false });
  test('is sent by the plain form > without JavaScript', sendPlainForm);
});

test('application > is sent by the plain form > the deferred script fails to load', async ({
  page,
  mailbox,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/ERR_FAILED/, /dynamically imported module/);
  await page.route('**/assets/deferred-*', (route) => route.abort('failed'));
  await sendPlainForm({ page, mailbox });
});

async function sendPlainForm({ page, mailbox }: { page: Page; mailbox: Mailbox }) {
  const application = newApplication();
  const resume = resumeOf(2_000);
  await page.goto('/careers');
  await expect(page.getByRole('heading', { name: applicationWords.title })).toBeHidden();
  await applicationOpener(page).click();
  await expect(page.getByRole('heading', { name: applicationWords.title })).toBeInViewport();
  await expect(page.getByRole('button', { name: messages.cancel })).toBeHidden();
  await fillApplication(page, application, resume);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: applicationWords.sent })).toBeVisible();
  const mail = await mailbox.waitFor(referenceIn(await page.locator('body').innerText()));
  expect(mail.text).toContain(application.coverLetter);
  expect(mail.attachments[0]?.content.equals(resume.buffer)).toBe(true);
}
