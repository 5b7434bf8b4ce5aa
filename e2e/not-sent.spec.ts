import { utimesSync, writeFileSync } from 'node:fs';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import {
  applicationDialog,
  fillApplication,
  newApplication,
  openApplication,
  resumeInput,
  resumeOf,
  sendApplication,
  submitButton,
} from './pages/application-page.ts';

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
