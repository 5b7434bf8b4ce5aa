import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIRequestContext, Browser, BrowserContextOptions } from '@playwright/test';
import { HONEYPOT } from '../form-service/src/contract/protocol.ts';
import { INBOX_PASSWORD } from './harness/inbox-users.ts';
import { expect, test } from './harness/test.ts';
import { expectNoFindings, smallTargets, tooWide } from './pages/accessibility.ts';
import { newApplication, resumeOf } from './pages/application-page.ts';
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
  // The list before the search has the entry too.
  await page.waitForURL((url) => url.searchParams.get('q') === reference);
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

test('A résumé is downloaded byte for byte by HR, and is nothing for sales.', async ({ browser, request, baseURL }) => {
  const { fullName, email } = newApplication();
  const resume = resumeOf(20_000);
  const answer = await request.post('/api/resume', { multipart: { fullName, email, resume }, headers: accepted });
  const { reference } = (await answer.json()) as { reference: string };
  const page = await openAs(browser, 'hr', { baseURL: baseURL ?? '' });
  await page.goto(`/inbox/${reference}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the résumé' }).click();
  expect((await readFile(await (await downloading).path())).equals(resume.buffer)).toBe(true);
  const stranger = await openAs(browser, 'sales', { baseURL: baseURL ?? '' });
  for (const path of ['', '/resume', '/erase'])
    expect((await stranger.request.get(`/inbox/${reference}${path}`)).status()).toBe(404);
  for (const one of [page, stranger]) await one.context().close();
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
  expect(headers['x-frame-options']).toBe('DENY');
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

for (const [where, host] of [
  ['another site', 'localhost'],
  ['another port of this machine', '127.0.0.1'],
] as const) {
  test(`A page of ${where} can neither post with the login of the browser nor show the inbox in a frame.`, async ({
    browser,
    request,
    baseURL,
  }) => {
    const reference = await postSpam(request, 'Wanted By A Stranger');
    const address = `${baseURL}/inbox/${reference}`;
    const bait = `<!doctype html><title>Bait</title><iframe src="${address}"></iframe>
      <form method="post" action="${address}/release"><button>Win</button></form>`;
    const stranger = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(bait));
    await once(stranger.listen(0, host), 'listening');
    const page = await openAs(browser, 'sales');
    // The browser knows the login from here on, and sends it along by itself.
    await page.goto(address);
    await page.goto(`http://${host}:${(stranger.address() as AddressInfo).port}/`);
    await expect(page.frameLocator('iframe').getByText('Wanted By A Stranger')).toHaveCount(0);
    expect(page.frames().map((frame) => frame.url())).not.toContain(address);
    await page.getByRole('button', { name: 'Win' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/sent from another site, so nothing was done/);
    await page.goto(address);
    await expect(page.getByRole('button', { name: 'Release and send' })).toBeVisible();
    await page.context().close();
    stranger.close().closeAllConnections();
  });
}
