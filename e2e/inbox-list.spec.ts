import { randomUUID } from 'node:crypto';
import type { APIRequestContext, Page } from '@playwright/test';
import type { Handled } from '../form-service/src/submissions/submission.ts';
import { HONEYPOT } from '../form-service/src/contract/protocol.ts';
import { words } from '../form-service/test/words.ts';
import { signIn } from './harness/inbox-users.ts';
import { expect, inboxTest as test } from './harness/test.ts';
import { newEnquiry } from './pages/enquiry-page.ts';

/** Posts enquiries that are held back. Returns a word that all of them have. */
async function postSpam(request: APIRequestContext, count: number): Promise<string> {
  const marker = randomUUID().slice(0, 8);
  for (let number = 1; number <= count; number++) {
    const data = { ...newEnquiry(), name: `Visitor ${number} ${marker}`, [HONEYPOT]: 'filled in' };
    const answer = await request.post('/api/contact', { data, headers: { Accept: 'application/json' } });
    expect(answer.status()).toBe(202);
  }
  return marker;
}

/** Name of the focused element, as a person reads it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    if (!element || element === document.body) return '';
    return element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
  });

/** The end of the title of a list. */
const numberFound = (count: number) => words.inbox.list.found({ filter: '', count });
const marked = (status: Handled) => words.inbox.list.marked[status]({ count: 1 });

test.describe('list, without script', () => {
  test.use({ javaScriptEnabled: false });

  test('Enter on a ticked box marks nothing, and an empty choice says so', async ({
    page,
    request,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 400 .*\/inbox\/mark/);
    const marker = await postSpam(request, 2);
    await signIn(page, 'all');
    await page.goto(`/inbox?state=waiting&q=${marker}`);
    const box = page.getByRole('checkbox').first();
    await box.press('Space');
    await box.press('Enter');
    await page.getByRole('button', { name: words.inbox.frame.markSpam }).press('Enter');
    await expect(page.getByRole('status')).toHaveText(marked('spam'));
    await page.getByRole('button', { name: words.inbox.frame.markDone }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.inbox.list.chooseFirst);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(numberFound(1));
  });
});

test('shortcuts > are off until switched on, and never act in a field', async ({ page, request }) => {
  const marker = await postSpam(request, 3);
  await signIn(page, 'all');
  const address = `/inbox?state=waiting&q=${marker}`;
  await page.goto(address);
  await page.keyboard.press('j');
  expect(await focused(page)).not.toContain('Visitor');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: words.inbox.frame.shortcuts }).click();
  await page.getByRole('checkbox', { name: words.inbox.frame.useShortcuts }).check();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: words.inbox.frame.close }).click();
  await page.goto(address);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  expect(await focused(page)).toContain('Visitor 2');
  await page.keyboard.press('Control+e');
  await page.keyboard.press('x');
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(1);
  const search = page.getByRole('searchbox');
  await search.focus();
  await page.keyboard.type('jkexu?');
  await expect(search).toHaveValue(/jkexu\?/);
  await search.blur();
  await page.keyboard.press('e');
  await expect(page.getByRole('status')).toHaveText(marked('done'));
  await page.waitForLoadState();
  await page.keyboard.press('u');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(numberFound(3));
  // Back from a submission, the next row is the one after it.
  await page.getByRole('link', { name: `Visitor 2 ${marker}` }).click();
  await page.waitForURL(/\/KW-/);
  await page.waitForLoadState();
  await page.keyboard.press('u');
  await page.waitForURL(/#KW-/);
  await page.waitForLoadState();
  await page.keyboard.press('j');
  expect(await focused(page)).toContain('Visitor 1');
  // On the page of a submission.
  await page.getByRole('link', { name: `Visitor 1 ${marker}` }).click();
  // The script runs before the page is loaded.
  await page.waitForURL(/\/KW-/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await expect(page.getByRole('status')).toHaveText(marked('done'));
});

test('submission > prints what was sent and none of its forms', async ({ page, request }) => {
  const marker = await postSpam(request, 1);
  await signIn(page, 'all');
  await page.goto(`/inbox?state=waiting&q=${marker}`);
  await page.getByRole('link', { name: marker }).click();
  const forms = [
    page.getByLabel(words.inbox.submission.newNote),
    page.getByRole('heading', { name: words.inbox.submission.labels }),
  ];
  for (const form of forms) await expect(form).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  for (const form of forms) await expect(form).toBeHidden();
  await expect(page.getByText(newEnquiry().message.slice(0, 10)).first()).toBeVisible();
});
