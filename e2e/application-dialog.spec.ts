import { writeFileSync } from 'node:fs';
import { RESUME_MAX_BYTES } from '../form-service/src/contract/limits.ts';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { applicationDialog, openApplication, resumeInput, resumeOf, submitButton } from './pages/application-page.ts';
import { holdBack, hydrate, ISLANDS, isScrollLocked } from './pages/site.ts';

const dialogByName = { name: 'Submit Your Application' };

test('The application dialog opens from each of its buttons, and gives the focus back. @both', async ({ page }) => {
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
    await opener.focus();
    await page.keyboard.press(index % 2 === 0 ? 'Enter' : 'Space');
    await expect(page.getByRole('dialog', dialogByName)).toBeVisible();
    await expect(page.getByLabel('Full Name *')).toBeFocused();
    expect(await isScrollLocked(page)).toBe(true);
    await closings[index % closings.length]?.();
    await expect(applicationDialog(page)).toBeHidden();
    await expect(opener).toBeFocused();
    expect(await isScrollLocked(page)).toBe(false);
  }
  await expect(page).toHaveURL('/careers');
});

test('The application dialog keeps the focus inside.', async ({ page }) => {
  await openApplication(page);
  const isInside = () =>
    page.evaluate(() => document.activeElement === document.body || !!document.activeElement?.closest('dialog'));
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let pressed = 0; pressed < 14; pressed += 1) {
      await page.keyboard.press(key);
      expect(await isInside()).toBe(true);
    }
  }
});

test('The application dialog opens and closes before React has come.', async ({ page }) => {
  const gate = await holdBack(page, ISLANDS);
  await page.goto('/careers');
  for (const name of ['Close', 'Cancel']) {
    await page.getByRole('button', { name: 'Submit Resume' }).click();
    await expect(page.getByRole('dialog', dialogByName)).toBeVisible();
    expect(await isScrollLocked(page)).toBe(true);
    await applicationDialog(page).getByRole('button', { name }).click();
    await expect(applicationDialog(page)).toBeHidden();
  }
  gate.open();
});

test('The application dialog opens from its address, and stays closed when it was closed.', async ({ page }) => {
  await page.goto('/careers#application');
  await expect(page.getByRole('dialog', dialogByName)).toBeVisible();
  await expect(page.getByLabel('Full Name *')).toBeFocused();
  await applicationDialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(resumeInput(page)).toBeHidden();
  await expect(page).toHaveURL('/careers');
});

test('The application can be submitted only with a file, and says what is missing.', async ({ page }) => {
  await openApplication(page);
  await expect(submitButton(page)).toHaveAccessibleDescription('Still needed: Full Name, Email Address, Resume/CV');
  await page.getByLabel('Full Name *').fill('Ana');
  await page.getByLabel('Email Address *').fill('ana@example.org');
  await expect(submitButton(page)).toBeDisabled();
  await submitButton(page).press('Enter');
  await expect(resumeInput(page)).toBeFocused();
  const { name } = resumeOf(2_000);
  await resumeInput(page).setInputFiles({ ...resumeOf(2_000) });
  await expect(applicationDialog(page).getByText(name)).toBeVisible();
  await expect(submitButton(page)).toBeEnabled();
  await applicationDialog(page).getByRole('button', { name: 'Remove file' }).click();
  await expect(applicationDialog(page).getByText(name)).toBeHidden();
  await expect(resumeInput(page)).toBeFocused();
  await expect(submitButton(page)).toBeDisabled();
});

test('A file that is too large or of another type is refused in words, and not kept.', async ({ page }, testInfo) => {
  await openApplication(page);
  const alerts: string[] = [];
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  const choose = async (name: string, bytes: number, head: string) => {
    const path = testInfo.outputPath(name);
    writeFileSync(path, Buffer.alloc(bytes).fill(head, 0, head.length, 'latin1'));
    await resumeInput(page).setInputFiles(path);
  };
  for (const [name, bytes, message] of [
    ['large.pdf', RESUME_MAX_BYTES + 1, messages.resumeTooLarge],
    ['picture.png', 1, messages.resumeWrongType],
    ['program.pdf', 1_000, messages.resumeWrongType],
  ] as const) {
    await choose(name, bytes, 'M');
    await expect.poll(() => alerts.splice(0)).toEqual([message]);
    await expect(applicationDialog(page).getByText(name)).toBeHidden();
    expect(await resumeInput(page).evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);
  }
  for (const [name, bytes, head] of [
    ['a.doc', 1_000, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['b.docx', 1_000, 'PK\x03\x04'],
    ['c.pdf', RESUME_MAX_BYTES, '%PDF-1.7'],
  ] as const) {
    await choose(name, bytes, head);
    await expect(applicationDialog(page).getByText(name)).toBeVisible();
  }
  expect(alerts).toEqual([]);
});

test('A file can be dropped on the application.', async ({ page }, testInfo) => {
  await openApplication(page);
  const path = testInfo.outputPath('dropped.pdf');
  writeFileSync(path, resumeOf(2_000).buffer);
  const zone = applicationDialog(page).getByText('Choose a file or drop it here');
  await zone.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await zone.boundingBox()) ?? {};
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, x: x + 9, y: y + 9, data });
  await expect(applicationDialog(page).getByText('dropped.pdf')).toBeVisible();
});
