import type { APIRequestContext, Browser, BrowserContextOptions } from '@playwright/test';
import { HONEYPOT } from '../form-service/src/contract/protocol.ts';
import { INBOX_PASSWORD } from './harness/inbox-users.ts';
import { expect, test } from './harness/test.ts';
import { expectNoFindings, smallTargets, tooWide } from './pages/accessibility.ts';
import { newEnquiry } from './pages/enquiry-page.ts';

type Role = 'sales' | 'hr' | 'all';

/** A page that has signed in, without script unless told. */
const openAs = async (browser: Browser, role: Role, options: BrowserContextOptions = {}) => {
  const httpCredentials = { username: role, password: INBOX_PASSWORD };
  const context = await browser.newContext({ httpCredentials, javaScriptEnabled: false, ...options });
  return context.newPage();
};

const accepted = { Accept: 'application/json' };

/** Posts an enquiry that is held back, and returns its reference. */
async function postSpam(request: APIRequestContext, name: string): Promise<string> {
  const data = { ...newEnquiry(), name, [HONEYPOT.name]: 'filled in' };
  const answer = await request.post('/api/contact', { data, headers: accepted });
  expect(answer.status()).toBe(202);
  return ((await answer.json()) as { reference: string }).reference;
}

test('With the keyboard alone and without script, a held enquiry is found, read, released and arrives.', async ({
  browser,
  request,
  mailbox,
  baseURL,
}) => {
  const name = 'Held Back Visitor';
  const reference = await postSpam(request, name);
  const page = await openAs(browser, 'sales', { baseURL: baseURL ?? '' });
  await page.goto('/inbox');
  const entry = page.getByRole('link', { name: new RegExp(name) }).first();
  await page.getByLabel('Name, e-mail address or reference').focus();
  await page.keyboard.type(reference);
  await page.keyboard.press('Enter');
  await entry.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByText('a field was filled in that people cannot see')).toBeVisible();
  await page.getByRole('button', { name: 'Release and send' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Released by sales')).toBeVisible();
  expect((await mailbox.waitFor(reference)).text).toContain(name);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('The mail server took the mail')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.context().close();
});

test('The inbox runs no script, is kept by nobody, and asks who comes first.', async ({
  browser,
  request,
  baseURL,
}) => {
  expect((await request.get('/inbox')).status()).toBe(401);
  const page = await openAs(browser, 'all', { baseURL: baseURL ?? '' });
  const answer = await page.goto('/inbox');
  const headers = (await answer?.allHeaders()) ?? {};
  expect(headers['content-security-policy']).not.toContain('script-src');
  expect(headers['speculation-rules']).toBeUndefined();
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-robots-tag']).toContain('noindex');
  expect((await page.goto('/inbox/'))?.status()).toBe(200);
  for (const path of ['/health/ready', '/metrics', '/inboxes']) expect((await request.get(path)).status()).toBe(404);
  await page.context().close();
});

test('axe finds nothing on the pages of the inbox, at any size in either theme.', async ({
  browser,
  request,
  baseURL,
}) => {
  const reference = await postSpam(request, 'A Name That Is Quite Long For A Phone '.repeat(3));
  const page = await openAs(browser, 'all', { baseURL: baseURL ?? '', javaScriptEnabled: true, bypassCSP: true });
  for (const path of ['', '?q=nobody+has+this+name', `/${reference}`, `/${reference}/erase`, '/nothing']) {
    await page.goto(`/inbox${path}`);
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const theme of ['light', 'dark'] as const) await expectNoFindings(page, `${path} ${width}`, theme);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect.soft([...(await tooWide(page)), ...(await smallTargets(page))], path).toEqual([]);
  }
  await page.context().close();
});
