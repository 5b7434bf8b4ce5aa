import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import {
  applicationDialog,
  completeApplication,
  newApplication,
  openApplication,
  resumeInput,
  resumeOf,
  submitButton,
} from './pages/application-page.ts';
import { fillEnquiry, newEnquiry, openEnquiry, outcome, sendButton } from './pages/enquiry-page.ts';
import { notifications } from './pages/site.ts';

const CUT_SHORT = '../form-service/test/corpus/files/download-cut-short.docx';
const FAILED = /status of (?:4|5)\d\d|Submission failed|net::ERR_/;

/** What a network's sign-in page answers to everything. */
const SIGN_IN_PAGE = '<!doctype html><title>Welcome</title><p>Please sign in to use this network.';

for (const [answer, body, contentType] of [
  ['a page', SIGN_IN_PAGE, 'text/html'],
  ['nothing', '', 'text/plain'],
  ['success without a reference', '{"success":true}', 'application/json'],
] as const) {
  test(`An enquiry is not called sent, and stays in the form, when ${answer} is answered with status 200.`, async ({
    page,
  }) => {
    await page.route('**/api/contact', (route) => route.fulfill({ status: 200, body, contentType }));
    await openEnquiry(page);
    const enquiry = newEnquiry();
    await fillEnquiry(page, enquiry);
    await sendButton(page).click();
    await expect(notifications(page)).toContainText(messages.contactFailed);
    await expect(outcome(page)).toContainText(messages.foreignAnswer);
    await expect(page.getByText(messages.contactSent)).toBeHidden();
    await expect(page.getByText('sign in to use')).toBeHidden();
    await expect(page.getByLabel('Message *')).toHaveValue(enquiry.message);
    await page.screenshot({ path: test.info().outputPath('not-sent.png') });
  });
}

test('An application is not called sent when a page is answered with status 200.', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(FAILED);
  await page.route('**/api/resume', (route) => route.fulfill({ status: 200, body: SIGN_IN_PAGE }));
  await openApplication(page);
  await completeApplication(page, newApplication(), resumeOf(2_000));
  await submitButton(page).click();
  await expect(applicationDialog(page).getByText(messages.foreignAnswer)).toBeVisible();
});

test('What the service finds wrong with a field of an enquiry stands at that field, until it is changed.', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(FAILED);
  const errors = { phone: ['Please give a number in Europe'], email: ['No mail reaches that address'] };
  const json = { success: false, message: 'Please check the form.', errors };
  await page.route('**/api/contact', (route) => route.fulfill({ status: 422, json }));
  await openEnquiry(page);
  await fillEnquiry(page, newEnquiry());
  await sendButton(page).click();
  await expect(outcome(page)).toContainText('422: Please check the form.');
  await expect(page.getByLabel('Phone (Optional)')).toHaveAccessibleDescription('Please give a number in Europe');
  await expect(page.getByLabel('Email *')).toBeFocused();
  await page.getByLabel('Email *').fill('ana@example.com');
  await expect(page.getByLabel('Email *')).toHaveAccessibleDescription('');
  await expect(page.getByLabel('Phone (Optional)')).toHaveAccessibleDescription('Please give a number in Europe');
});

test('Who sends a damaged Word file reads that it is damaged, at the field and in the box, and can send another.', async ({
  page,
  mailbox,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(FAILED);
  await openApplication(page);
  const path = test.info().outputPath('cv.docx');
  writeFileSync(path, readFileSync(new URL(CUT_SHORT, import.meta.url)));
  await completeApplication(page, newApplication());
  await resumeInput(page).setInputFiles(path);
  await submitButton(page).click();
  const box = applicationDialog(page).locator('.notice-error');
  await expect(box).toContainText(messages.applicationFailed);
  await expect(box).toContainText(messages.resumeDamaged);
  await expect(box).toContainText(messages.applicationFailedDetail('careers@kitewright.example'));
  await expect(resumeInput(page)).toHaveAccessibleDescription(new RegExp(messages.resumeDamaged));
  await page.screenshot({ path: test.info().outputPath('damaged.png') });

  writeFileSync(path, readFileSync(new URL(CUT_SHORT.replace('download-cut-short', 'libreoffice'), import.meta.url)));
  await resumeInput(page).setInputFiles(path);
  await expect(resumeInput(page)).not.toHaveAccessibleDescription(new RegExp(messages.resumeDamaged));
  const answered = page.waitForResponse('**/api/resume');
  await submitButton(page).click();
  const { reference } = (await (await answered).json()) as { reference: string };
  await expect(applicationDialog(page).getByText(reference)).toBeVisible();
  expect((await mailbox.waitFor(reference)).attachments[0]?.filename).toBe('cv.docx');
});

for (const status of [429, 503]) {
  test(`An applicant who is answered ${status} reads why.`, async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(FAILED);
    const json = { success: false, message: 'Please wait a minute and try again.' };
    await page.route('**/api/resume', (route) => route.fulfill({ status, json }));
    await openApplication(page);
    await completeApplication(page, newApplication(), resumeOf(2_000));
    await submitButton(page).click();
    await expect(applicationDialog(page).locator('.notice-error')).toContainText(json.message);
    await expect(applicationDialog(page).getByText('Résumé ✈ Ana.pdf')).toBeVisible();
  });
}

test('A file that was edited after it was chosen is named as such, and can be chosen again and sent.', async ({
  page,
  mailbox,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(FAILED);
  await openApplication(page);
  const path = test.info().outputPath('cv.pdf');
  writeFileSync(path, resumeOf(2_000).buffer);
  await completeApplication(page, newApplication());
  await resumeInput(page).setInputFiles(path);
  await expect(applicationDialog(page).getByText('cv.pdf')).toBeVisible();
  writeFileSync(path, resumeOf(3_000).buffer);
  // Chromium compares whole seconds, and a person takes longer than one to edit a file.
  const later = Date.now() / 1_000 + 5;
  utimesSync(path, later, later);
  await submitButton(page).click();
  await expect(applicationDialog(page).locator('.notice-error')).toContainText(messages.resumeChanged);
  await expect(resumeInput(page)).toHaveAccessibleDescription(new RegExp(messages.resumeChanged));
  await expect(resumeInput(page)).toBeFocused();
  expect(await resumeInput(page).evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);
  await page.screenshot({ path: test.info().outputPath('changed.png') });

  await resumeInput(page).setInputFiles(path);
  const answered = page.waitForResponse('**/api/resume');
  await submitButton(page).click();
  const { reference } = (await (await answered).json()) as { reference: string };
  expect((await mailbox.waitFor(reference)).attachments[0]?.content).toHaveLength(3_000);
});

test('Who is offline reads so on both forms, and that nothing is lost.', async ({
  page,
  context,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(FAILED);
  await openEnquiry(page);
  const enquiry = newEnquiry();
  await fillEnquiry(page, enquiry);
  await context.setOffline(true);
  await sendButton(page).click();
  await expect(outcome(page)).toContainText(messages.offline);
  await expect(notifications(page)).toContainText(messages.offline);
  await expect(page.getByText('Failed to fetch')).toBeHidden();
  await context.setOffline(false);
  await sendButton(page).click();
  await expect(outcome(page)).toContainText('Your reference is KW-');

  await openApplication(page);
  await completeApplication(page, newApplication(), resumeOf(2_000));
  await context.setOffline(true);
  await submitButton(page).click();
  await expect(applicationDialog(page).getByText(messages.offline)).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('offline.png') });
});

test('Who writes too much reads how much room is left, then by how much it is too long, and the limit of that field.', async ({
  page,
}) => {
  await openEnquiry(page);
  await fillEnquiry(page, newEnquiry());
  const message = page.getByLabel('Message *');
  await expect(message).toHaveAccessibleDescription('');
  await message.fill('x'.repeat(9_500));
  await expect(message).toHaveAccessibleDescription(messages.charactersLeft(500));
  await message.fill('x'.repeat(10_012));
  await expect(message).toHaveAccessibleDescription(messages.charactersTooMany(12));
  await page.getByLabel('Name *').fill('x'.repeat(201));
  await sendButton(page).click();
  await expect(page.getByText('Name must be at most 200 characters')).toBeVisible();
  await expect(page.getByText('Message must be at most 10,000 characters').first()).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('too-long.png') });
});

test('Cancel is disabled while an application is sent; Escape ends it, and the page says beside the opener that it was not sent.', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(FAILED);
  await openApplication(page);
  const application = newApplication();
  await completeApplication(page, application, resumeOf(900_000));
  const client = await page.context().newCDPSession(page);
  const sendAt = (uploadThroughput: number) => {
    const line = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
    return client.send('Network.emulateNetworkConditions', line);
  };
  await sendAt(50_000);
  await submitButton(page).click();
  const cancel = applicationDialog(page).getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeDisabled();
  await cancel.click({ force: true });
  await expect(applicationDialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(applicationDialog(page)).toBeHidden();
  await expect(page.getByRole('status').filter({ hasText: messages.applicationNotSent })).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Submit Resume' })).toBeFocused();
  await page.screenshot({ path: test.info().outputPath('closed.png') });

  await sendAt(-1);
  await page.getByRole('button', { name: 'Submit Resume' }).click();
  await expect(page.getByLabel('Full Name *')).toHaveValue(application.fullName);
  await submitButton(page).click();
  await expect(applicationDialog(page).getByText('Your reference is KW-')).toBeVisible();
});
