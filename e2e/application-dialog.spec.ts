import { writeFileSync } from 'node:fs';
import { expect, test } from './harness/test.ts';
import { applicationDialog, openApplication, resumeOf } from './pages/application-page.ts';
import { hydrate, isScrollLocked } from './pages/site.ts';
import { applicationField, applicationWords } from './pages/words.ts';
import { messages } from '../form-service/src/contract/messages.ts';

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
  await zone.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await zone.boundingBox()) ?? {};
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, x: x + 9, y: y + 9, data });
  await expect(applicationDialog(page).getByText('dropped.pdf')).toBeVisible();
});
