import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { RESUME_MAX_BYTES } from '../form-service/src/contract/limits.ts';
import { messages } from '../form-service/src/contract/messages.ts';
import { applicationFields } from '../form-service/src/contract/fields.ts';
import { expect, test } from './harness/test.ts';
import {
  applicationDialog,
  completeApplication,
  newApplication,
  resumeInput,
  submitButton,
} from './support/application-form.ts';
import { referenceIn } from './support/enquiry-form.ts';
import { holdBack } from './support/gate.ts';
import { pdfOfSize } from './support/pdf.ts';
import { hasDeclinedCookies, hydrate, isScrollLocked } from './support/visitor.ts';

const CAREERS_ADDRESS = 'careers@kitewright.example';
const START = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;

const ACCEPTED = { success: true, message: messages.applicationSent, reference: 'KW-0000-0000-0000-0000' };

const pdf = (bytes: number) => ({ name: 'Résumé ✈ Ana.pdf', mimeType: 'application/pdf', buffer: pdfOfSize(bytes) });

async function openDialog(page: Page): Promise<void> {
  await page.goto('/careers');
  await hydrate(page);
  await page.getByRole('button', { name: 'Submit Resume' }).click();
  await expect(applicationDialog(page)).toBeVisible();
}

test.describe('the application dialog', () => {
  test.beforeEach(({ page }) => hasDeclinedCookies(page));

  test('opens from each of its buttons, and gives the focus back', async ({ page }) => {
    await page.goto('/careers');
    await hydrate(page);
    const openers = page
      .getByRole('main')
      .getByRole('button', { name: /^(Submit Resume|Apply for this Position|Send Your Resume)$/ });
    await expect(openers).not.toHaveCount(0);
    const count = await openers.count();
    const closings = [
      () => page.keyboard.press('Escape'),
      () => applicationDialog(page).getByRole('button', { name: 'Close' }).click(),
      () => applicationDialog(page).getByRole('button', { name: 'Cancel' }).click(),
    ];
    for (let index = 0; index < Math.max(count, closings.length); index += 1) {
      const opener = openers.nth(index % count);
      const close = closings[index % closings.length] ?? closings[0];
      await opener.focus();
      await page.keyboard.press(index % 2 === 0 ? 'Enter' : 'Space');
      await expect(page.getByRole('dialog', { name: 'Submit Your Application' })).toBeVisible();
      await expect(page.getByLabel('Full Name *')).toBeFocused();
      expect(await isScrollLocked(page)).toBe(true);
      await close?.();
      await expect(applicationDialog(page)).toBeHidden();
      await expect(opener).toBeFocused();
      expect(await isScrollLocked(page)).toBe(false);
    }
    await expect(page).toHaveURL('/careers');
  });

  test('keeps the focus inside @desktop', async ({ page }) => {
    await openDialog(page);
    const hasFocus = () =>
      page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      );
    expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let pressed = 0; pressed < 14; pressed += 1) {
        await page.keyboard.press(key);
        expect(await hasFocus()).toBe(true);
      }
    }
  });

  test('opens and closes before React has come @desktop', async ({ page }) => {
    const gate = await holdBack(page, '**/assets/*-island-*.js');
    await page.goto('/careers');
    for (const name of ['Close', 'Cancel']) {
      await page.getByRole('button', { name: 'Submit Resume' }).click();
      await expect(page.getByRole('dialog', { name: 'Submit Your Application' })).toBeVisible();
      expect(await isScrollLocked(page)).toBe(true);
      await applicationDialog(page).getByRole('button', { name }).click();
      await expect(applicationDialog(page)).toBeHidden();
    }
    await expect(page).toHaveURL('/careers');
    gate.open();
  });

  test('has the labels of the specification, in order @desktop', async ({ page }) => {
    await openDialog(page);
    const labels = applicationFields.map(({ label }) => label);
    expect(labels).toEqual([
      'Full Name *',
      'Email Address *',
      'Phone Number',
      'Position of Interest',
      'Years of Experience',
      'Resume/CV *',
      'Cover Letter / Message',
    ]);
    await expect(applicationDialog(page).locator('label')).toHaveText(labels);
    for (const label of labels) await expect(applicationDialog(page).getByLabel(label, { exact: true })).toHaveCount(1);
    await expect(applicationDialog(page).getByLabel('Email Address *')).toHaveAttribute('type', 'email');
    await expect(applicationDialog(page).getByLabel('Cover Letter / Message')).toHaveAttribute('rows', '4');
    await expect(resumeInput(page)).toHaveAttribute('accept', '.pdf,.doc,.docx');
    await expect(applicationDialog(page).getByText(messages.resumeHint)).toBeVisible();
  });

  test('can be submitted only with a name, an address and a file', async ({ page }) => {
    await openDialog(page);
    const application = newApplication();
    const nameField = applicationDialog(page).getByLabel('Full Name *');
    const emailField = applicationDialog(page).getByLabel('Email Address *');
    await expect(submitButton(page)).toBeDisabled();
    await expect(submitButton(page)).toHaveAccessibleDescription('Still needed: Full Name, Email Address, Resume/CV');
    await nameField.fill(application.fullName);
    await expect(submitButton(page)).toBeDisabled();
    await emailField.fill(application.email);
    await expect(submitButton(page)).toBeDisabled();
    await expect(submitButton(page)).toHaveAccessibleDescription('Still needed: Resume/CV');
    await submitButton(page).press('Enter');
    await expect(resumeInput(page)).toBeFocused();
    await resumeInput(page).setInputFiles(pdf(2_000));
    await expect(applicationDialog(page).getByText('Résumé ✈ Ana.pdf')).toBeVisible();
    await expect(submitButton(page)).toBeEnabled();

    await applicationDialog(page).getByRole('button', { name: 'Remove file' }).click();
    await expect(applicationDialog(page).getByText('Résumé ✈ Ana.pdf')).toBeHidden();
    await expect(resumeInput(page)).toBeFocused();
    await expect(submitButton(page)).toBeDisabled();
    await resumeInput(page).setInputFiles(pdf(2_000));
    await expect(submitButton(page)).toBeEnabled();
    await expect(submitButton(page)).toHaveAccessibleDescription('');
    await emailField.fill('');
    await expect(submitButton(page)).toBeDisabled();
    await emailField.fill(application.email);
    await nameField.fill('');
    await expect(submitButton(page)).toBeDisabled();
  });

  test('keeps no file that is too large or of another type @desktop', async ({ page }, testInfo) => {
    await openDialog(page);
    const alerts: string[] = [];
    page.on('dialog', async (dialog) => {
      alerts.push(`${dialog.type()}: ${dialog.message()}`);
      await dialog.accept();
    });
    const choose = async (name: string, bytes: number, head = '') => {
      writeFileSync(
        testInfo.outputPath(name),
        Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(bytes)]).subarray(0, bytes),
      );
      await resumeInput(page).setInputFiles(testInfo.outputPath(name));
    };
    const refused = [
      ['large.pdf', RESUME_MAX_BYTES + 1, messages.resumeTooLarge],
      ['picture.png', 1, messages.resumeWrongType],
      ['notes.txt', 1, messages.resumeWrongType],
      ['program.pdf', 1_000, messages.resumeWrongType],
    ] as const;
    for (const [name, bytes, message] of refused) {
      await choose(name, bytes);
      await expect.poll(() => alerts.splice(0)).toEqual([`alert: ${message}`]);
      await expect(applicationDialog(page).getByText(name)).toBeHidden();
      expect(await resumeInput(page).evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);
    }
    const kept = [
      ['a.doc', 1_000, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
      ['b.docx', 1_000, 'PK\x03\x04'],
      ['c.pdf', RESUME_MAX_BYTES, '%PDF-1.7'],
    ] as const;
    for (const [name, bytes, head] of kept) {
      await choose(name, bytes, head);
      await expect(applicationDialog(page).getByText(name)).toBeVisible();
    }
    expect(alerts).toEqual([]);
  });

  test('takes a file that is dropped on it @desktop', async ({ page }, testInfo) => {
    await openDialog(page);
    const path = testInfo.outputPath('dropped.pdf');
    writeFileSync(path, pdfOfSize(2_000));
    const zone = applicationDialog(page).getByText('Choose a file or drop it here');
    await zone.scrollIntoViewIfNeeded();
    const box = await zone.boundingBox();
    if (!box) throw new Error('The drop zone is not shown');
    const client = await page.context().newCDPSession(page);
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await client.send('Input.dispatchDragEvent', {
        type,
        x: box.x + 9,
        y: box.y + 9,
        data: { items: [], files: [path], dragOperationsMask: 1 },
      });
    }
    await expect(applicationDialog(page).getByText('dropped.pdf')).toBeVisible();
  });
});

test.describe('an application', () => {
  test.beforeEach(({ page }) => hasDeclinedCookies(page));

  test('with a file of 9.9 MB arrives in the inbox of HR, byte for byte @desktop', async ({ page, mailbox }) => {
    const application = newApplication();
    const resume = pdf(9_900_000);
    const answered = page.waitForResponse('**/api/resume');
    await openDialog(page);
    const client = await page.context().newCDPSession(page);
    const sendAt = (uploadThroughput: number) =>
      client.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await completeApplication(page, application, resume);
    await sendAt(500_000);
    await submitButton(page).click();
    await expect(applicationDialog(page).getByRole('button', { name: 'Submitting...' })).toBeDisabled();
    await expect(applicationDialog(page).getByRole('progressbar', { name: 'Sending your résumé' })).toBeVisible();
    await sendAt(-1);

    await expect(applicationDialog(page).getByText(messages.applicationSent)).toBeVisible();
    await expect(applicationDialog(page).getByText(messages.applicationSentDetail)).toBeVisible();
    await expect(applicationDialog(page).getByRole('progressbar')).toBeHidden();
    const answer = await answered;
    expect(answer.status()).toBe(202);
    const { reference } = (await answer.json()) as { reference: string };
    const mail = await mailbox.waitFor(reference);
    expect(mail.to).toMatchObject({ value: [{ address: CAREERS_ADDRESS }] });
    expect(mail.from?.value[0]?.address).toBe('no-reply@kitewright.example');
    expect(mail.replyTo?.value).toEqual([
      expect.objectContaining({ address: application.email, name: application.fullName }),
    ]);
    expect(mail.subject).toContain(application.fullName);
    expect(mail.text).toContain(reference);
    for (const value of Object.values(application)) expect(mail.text).toContain(value);
    expect(mail.attachments).toHaveLength(1);
    const [attachment] = mail.attachments;
    expect(attachment).toMatchObject({
      filename: resume.name,
      contentType: 'application/pdf',
      size: resume.buffer.length,
    });
    expect(sha256(attachment?.content)).toBe(sha256(resume.buffer));
  });

  test('that was accepted closes the dialog after two seconds, and clears it', async ({ page }) => {
    await page.clock.install({ time: START });
    await page.route('**/api/resume', (route) => route.fulfill({ status: 202, json: ACCEPTED }));
    const gate = await holdBack(page, '**/api/resume');
    await openDialog(page);
    await completeApplication(page, newApplication(), pdf(2_000));
    await page.clock.pauseAt(START + HOUR_MS);
    await submitButton(page).click();
    await expect(applicationDialog(page).getByRole('button', { name: 'Submitting...' })).toBeDisabled();
    gate.open();
    await expect(applicationDialog(page).getByText(messages.applicationSent)).toBeVisible();
    await page.clock.runFor(1_999);
    await expect(applicationDialog(page).getByText(messages.applicationSentDetail)).toBeVisible();
    await expect(applicationDialog(page).getByText(ACCEPTED.reference)).toBeVisible();
    await page.clock.runFor(1);
    await expect(applicationDialog(page)).toBeHidden();
    await expect(page.getByRole('status').filter({ hasText: ACCEPTED.reference })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Submit Resume' })).toBeFocused();

    await page.getByRole('button', { name: 'Apply for this Position' }).click();
    for (const { label, input } of applicationFields) {
      if (input !== 'file') await expect(applicationDialog(page).getByLabel(label, { exact: true })).toHaveValue('');
    }
    await expect(applicationDialog(page).getByText('Résumé ✈ Ana.pdf')).toBeHidden();
    await expect(applicationDialog(page).getByText(messages.applicationSent)).toBeHidden();
    await expect(submitButton(page)).toBeDisabled();
  });

  test('that was accepted does not close the dialog when it was closed and opened again @desktop', async ({ page }) => {
    await page.clock.install({ time: START });
    await page.route('**/api/resume', (route) => route.fulfill({ status: 202, json: ACCEPTED }));
    await openDialog(page);
    await completeApplication(page, newApplication(), pdf(2_000));
    await submitButton(page).click();
    await expect(applicationDialog(page).getByText(ACCEPTED.reference)).toBeVisible();
    await applicationDialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Apply for this Position' }).first().click();
    await expect(page.getByLabel('Full Name *')).toHaveValue('');
    await page.clock.runFor(10_000);
    await expect(applicationDialog(page)).toBeVisible();
  });

  test('is no longer sent when Cancel is pressed, and can be sent then @desktop', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/ERR_FAILED/);
    const gate = await holdBack(page, '**/api/resume');
    const application = newApplication();
    await openDialog(page);
    await completeApplication(page, application, pdf(2_000));
    await submitButton(page).click();
    const aborted = page.waitForEvent('requestfailed');
    await applicationDialog(page).getByRole('button', { name: 'Cancel' }).click();
    await aborted;
    await expect(applicationDialog(page)).toBeHidden();
    gate.open();

    await page.getByRole('button', { name: 'Submit Resume' }).click();
    await expect(applicationDialog(page).getByText(messages.applicationFailed)).toBeHidden();
    await expect(page.getByLabel('Full Name *')).toHaveValue(application.fullName);
    await submitButton(page).click();
    await expect(applicationDialog(page).getByText(messages.applicationSent)).toBeVisible();
  });

  test('that fails says so, and keeps the form as it is', async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 503/, /net::ERR_FAILED/, /The application was not accepted/);
    const application = newApplication();
    await openDialog(page);
    await completeApplication(page, application, pdf(2_000));
    const failures = [
      () =>
        page.route(
          '**/api/resume',
          (route) => route.fulfill({ status: 503, json: { success: false, message: 'Not now' } }),
          { times: 1 },
        ),
      () =>
        page.route('**/api/resume', (route) => route.fulfill({ status: 200, json: { success: false } }), { times: 1 }),
      () => page.route('**/api/resume', (route) => route.fulfill({ status: 200, body: 'no JSON' }), { times: 1 }),
      () => page.route('**/api/resume', (route) => route.abort('failed'), { times: 1 }),
    ];
    for (const fail of failures) {
      await fail();
      await submitButton(page).click();
      await expect(applicationDialog(page).getByText(messages.applicationFailed)).toBeVisible();
      await expect(applicationDialog(page).getByText(messages.applicationFailedDetail(CAREERS_ADDRESS))).toBeVisible();
      await expect(applicationDialog(page).getByLabel('Full Name *')).toHaveValue(application.fullName);
      await expect(applicationDialog(page).getByLabel('Cover Letter / Message')).toHaveValue(application.coverLetter);
      await expect(applicationDialog(page).getByText('Résumé ✈ Ana.pdf')).toBeVisible();
      await expect(submitButton(page)).toBeEnabled();
    }
  });
});

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('the buttons lead to a plain form, which sends the file', async ({ page, mailbox }) => {
    const application = newApplication();
    const resume = pdf(2_000);
    for (const opener of ['Submit Resume', 'Apply for this Position']) {
      await page.goto('/careers');
      await expect(page.getByRole('heading', { name: 'Submit Your Application' })).toBeHidden();
      await page.getByRole('link', { name: opener }).click();
      await expect(page.getByRole('heading', { name: 'Submit Your Application' })).toBeInViewport();
    }
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden();
    await completeApplication(page, application, resume);
    await submitButton(page).click();
    await expect(page.getByRole('heading', { name: messages.applicationSent })).toBeVisible();
    await expect(page.getByText(messages.applicationSentDetail)).toBeVisible();
    const mail = await mailbox.waitFor(referenceIn(await page.locator('body').innerText()));
    expect(mail.text).toContain(application.coverLetter);
    expect(sha256(mail.attachments[0]?.content)).toBe(sha256(resume.buffer));
  });

  test('a form without a file is answered readably, and keeps what was typed', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 422/);
    const application = newApplication();
    await page.goto('/careers#application');
    await completeApplication(page, application);
    await submitButton(page).click();
    await expect(page.getByRole('heading', { name: 'Submit Your Application' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('Resume/CV: ');
    await expect(resumeInput(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Full Name *')).toHaveValue(application.fullName);
    await expect(page.getByLabel('Cover Letter / Message')).toHaveValue(application.coverLetter);

    await resumeInput(page).setInputFiles(pdf(2_000));
    await submitButton(page).click();
    await expect(page.getByRole('heading', { name: messages.applicationSent })).toBeVisible();
  });
});

function sha256(bytes: Buffer | undefined): string {
  return createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');
}
