import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIRequestContext, Browser, BrowserContextOptions, Locator, Page } from '@playwright/test';
import { HONEYPOT } from '../form-service/src/contract/protocol.ts';
import { inSentence } from '../form-service/src/submissions/labels.ts';
import { words } from '../form-service/test/words.ts';
import { signIn } from './harness/inbox-users.ts';
import { views } from './harness/matrix.ts';
import { expect, inboxTest as test } from './harness/test.ts';
import { expectNoFindings, smallTargets, tooWide } from './pages/accessibility.ts';
import { newApplication, resumeOf } from './pages/application-page.ts';
import { newEnquiry } from './pages/enquiry-page.ts';
import { enquiryWords } from './pages/words.ts';

type Role = 'sales' | 'all';

/** Opens a page and signs in, without script unless the options allow it. */
const openAs = async (browser: Browser, role: Role, options: BrowserContextOptions & { baseURL: string }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  await signIn(page, role);
  return page;
};

const { history } = words.submissions;
/** The end of what happened: ` by Ada`. */
const by = (name: string) => ({ by: ` ${history.by({ name })}` });
/** The end of the title of a list. */
const numberFound = (count: number) => words.inbox.list.found({ filter: '', count });

const accepted = { Accept: 'application/json' };

/** Posts an enquiry that is held back, and returns its reference. */
async function postSpam(request: APIRequestContext, name: string, message = newEnquiry().message): Promise<string> {
  const data = { ...newEnquiry(), name, message, [HONEYPOT]: 'filled in' };
  const headers = { ...accepted, 'idempotency-key': randomUUID() };
  const answer = await request.post('/api/contact', { data, headers });
  expect(answer.status()).toBe(202);
  return ((await answer.json()) as { reference: string }).reference;
}

/** Rows of a list that can be read as a whole without scrolling. */
const visibleRows = (page: Page) =>
  page.locator('li:has(input[type=checkbox])').evaluateAll((rows) => {
    // The bar is above the rows, or on a phone at the bottom.
    const bar = document
      .querySelector('form[action="/inbox/mark"] button[name]')
      ?.parentElement?.getBoundingClientRect();
    const bottom = bar && bar.top > innerHeight / 2 ? bar.top : innerHeight;
    return rows.filter((row) => row.getBoundingClientRect().bottom <= bottom).length;
  });

const press = async (control: Locator, key = 'Enter') => {
  await control.focus();
  await control.press(key);
};

test('morning > marks 48 of 52 as spam, answers, closes and forwards an application @also-phone', async ({
  browser,
  request,
  mailbox,
  baseURL,
}, { project }) => {
  const isPhone = project.name === 'phone';
  const marker = randomUUID().slice(0, 8);
  for (let count = 0; count < 52; count++) await postSpam(request, `${count < 48 ? 'Casino' : 'Customer'} ${marker}`);
  const fields = { ...newApplication(), position: 'Android Developer', coverLetter: `Hello ${marker}` };
  const { fullName, email, position, coverLetter } = fields;
  const sent = { fullName, email, position, coverLetter, resume: resumeOf(2_000) };
  const answer = await request.post('/api/resume', { multipart: sent, headers: accepted });
  const { reference } = (await answer.json()) as { reference: string };
  await mailbox.waitFor(reference);

  const viewport = isPhone ? { width: 390, height: 844 } : { width: 1280, height: 900 };
  const page = await openAs(browser, 'all', { baseURL: baseURL ?? '', viewport });
  const title = page.getByRole('heading', { level: 1 });
  await page.getByRole('link', { name: words.inbox.list.decision }).first().click();
  const search = page.getByRole('searchbox');
  await search.fill(marker);
  await press(search);
  await expect(title).toContainText(numberFound(52));
  expect(await visibleRows(page)).toBeGreaterThanOrEqual(isPhone ? 6 : 10);

  // Two pages of up to 50: all are ticked by a link, and the customers on the page are spared.
  for (const left of [null, 4]) {
    await press(page.getByRole('link', { name: words.inbox.list.selectAll }));
    await expect(page.getByRole('checkbox', { checked: false })).toHaveCount(0);
    for (const box of await page.getByRole('checkbox', { name: /Customer/ }).all()) await press(box, 'Space');
    await press(page.getByRole('button', { name: words.inbox.frame.markSpam }));
    await expect(page.getByRole('status')).toContainText(inSentence('spam'));
    if (left !== null) await expect(title).toContainText(numberFound(left));
  }

  await page.goto('/inbox');
  await search.fill(`android ${marker}`);
  await press(search);
  await expect(title).toContainText(numberFound(1));
  await press(page.getByRole('link', { name: fullName }));
  const mail = page.getByRole('link', { name: words.inbox.submission.answer });
  expect(await mail.getAttribute('href')).toMatch(new RegExp(`^mailto:[^?]+\\?subject=.*${reference}`));
  await press(page.getByRole('button', { name: words.inbox.frame.markDone }));
  await expect(page.getByRole('status')).toHaveText(words.inbox.list.marked.done({ count: 1 }));
  await press(page.getByRole('button', { name: words.inbox.frame.undo }));
  await press(page.getByRole('link', { name: fullName }));
  await press(page.locator('summary', { hasText: words.inbox.submission.sendTo }));
  // The mailbox belongs to another department.
  const mailboxes = page.getByLabel(words.inbox.submission.mailboxesFor({ nouns: enquiryWords.nouns }));
  await expect(mailboxes).toHaveValue('');
  await mailboxes.selectOption({ index: 1 });
  const to = await mailboxes.inputValue();
  await press(page.getByRole('checkbox'), 'Space');
  await press(page.getByRole('button', { name: words.inbox.submission.send, exact: true }));
  await expect(page.getByText(history['sent on']({ mailbox: to, ...by('all') }))).toBeVisible();
  await expect(async () => expect(await mailbox.count(reference)).toBe(2)).toPass();
  await press(page.getByRole('link', { name: words.inbox.frame.back }));
  await expect(title).toContainText(numberFound(1));
  await press(page.getByRole('button', { name: words.inbox.frame.signOut, exact: true }));
  await expect(page.getByRole('button', { name: words.signIn.title, exact: true })).toBeVisible();
  await page.context().close();
});

test('inbox > passes axe > at every size, in both themes', async ({ browser, request, baseURL }) => {
  const reference = await postSpam(request, 'A Name That Is Quite Long For A Phone '.repeat(3));
  const page = await openAs(browser, 'all', { baseURL: baseURL ?? '', javaScriptEnabled: true, bypassCSP: true });
  await page.goto(`/inbox/${reference}`);
  await page.getByLabel(words.inbox.submission.newNote).fill('ALongWordWithoutSpaces'.repeat(10));
  await page.getByRole('button', { name: words.inbox.submission.saveNote }).click();
  await page.getByRole('button', { name: 'invited' }).click();
  await page.getByText(words.inbox.submission.remind, { exact: true }).click();
  await page.getByLabel(words.inbox.submission.remindOn).fill(new Date().toISOString().slice(0, 10));
  await page.getByRole('button', { name: words.inbox.submission.setReminder }).click();
  const colleague = await openAs(browser, 'sales', { baseURL: baseURL ?? '' });
  await colleague.goto(`/inbox/${reference}`);
  await press(colleague.getByRole('button', { name: words.inbox.submission.take }));
  await colleague.context().close();
  await press(page.locator('[data-key=e]'));
  for (const path of [
    '',
    `?state=waiting&select=all&q=${reference}`,
    '?q=nobody+has+this+name',
    `/${reference}`,
    '/nothing',
  ]) {
    await page.goto(`/inbox${path}`);
    await page.locator('aside summary').evaluateAll((all) => all.forEach((one) => (one as HTMLElement).click()));
    for (const [width, theme] of views) {
      await page.setViewportSize({ width, height: 800 });
      // Anywhere else, the sticky bar covers a part of the entries: it is at the bottom of a phone, and else at the top.
      await page.evaluate((y) => scrollTo(0, y), width < 768 ? 1e6 : 0);
      await expectNoFindings(page, `${path} ${width}`, theme);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect.soft([...(await tooWide(page)), ...(await smallTargets(page))], path).toEqual([]);
  }
  await page.goto('/inbox');
  await page.getByRole('button', { name: words.inbox.frame.shortcuts }).click();
  for (const [width, theme] of views) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoFindings(page, `shortcuts ${width}`, theme);
  }
  await page.context().close();
});

test('inbox > clips marks that a visitor stacks', async ({ browser, request, baseURL }) => {
  const stacked = `Stacked ${'\u0302'.repeat(90)}`;
  const reference = await postSpam(request, stacked, `${stacked} from a visitor`);
  const page = await openAs(browser, 'all', { baseURL: baseURL ?? '' });
  await page.goto(`/inbox/${reference}`);
  const shown = page.locator('main :not(textarea)', { hasText: '\u0302' });
  const isOpen = (element: Element) => {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.includes('\u0302')))
      return false;
    for (let at: Element | null = element; at && at.tagName !== 'MAIN'; at = at.parentElement)
      if (/clip|hidden/.test(getComputedStyle(at).overflowY)) return false;
    return true;
  };
  expect(await shown.count()).toBeGreaterThan(1);
  for (const element of await shown.all()) expect(await element.evaluate(isOpen)).toBe(false);
});

test('inbox > rejects posts and frames > of another site, of another port', async ({ browser, request, baseURL }) => {
  const reference = await postSpam(request, 'Wanted By A Stranger');
  const address = `${baseURL}/inbox/${reference}`;
  const bait = `<!doctype html><title>Bait</title><iframe src="${address}"></iframe>
    <form method="post" action="${address}/release"><button>Win</button></form>`;
  const page = await openAs(browser, 'sales', { baseURL: baseURL ?? '' });
  for (const host of ['localhost', '127.0.0.1']) {
    const stranger = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(bait));
    await once(stranger.listen(0, host), 'listening');
    await page.goto(`http://${host}:${(stranger.address() as AddressInfo).port}/`);
    await expect(page.frameLocator('iframe').getByText('Wanted By A Stranger')).toHaveCount(0);
    expect(page.frames().map((frame) => frame.url())).not.toContain(address);
    await page.getByRole('button', { name: 'Win' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.signIn.otherSite);
    await page.goto(address);
    await expect(page.getByRole('button', { name: words.inbox.submission.release })).toBeVisible();
    stranger.close().closeAllConnections();
  }
  await page.context().close();
});
