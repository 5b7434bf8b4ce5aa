import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { cookiesOf, InboxClient, inboxUsers, PASSWORD } from '../../test/inbox-client.ts';
import { CLIENT, OpenIdProvider } from '../../test/openid-provider.ts';
import { freePort } from '../../test/free-port.ts';
import { OIDC } from '../config/inbox-users.ts';
import { addressOf } from './open-id-connect.service.ts';

let stack: DeliveryStack;
let provider: OpenIdProvider;
let client: InboxClient;

beforeAll(async () => {
  const [workerPort, providerPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${workerPort}`;
  stack = await DeliveryStack.start({
    settings: {
      INBOX_USERS: [
        ...(await inboxUsers({ ada: 'all' })),
        { name: 'Hana@example.org', role: 'hr', hash: OIDC },
        { name: 'unverified@example.org', role: 'all', hash: OIDC },
      ],
      OIDC_ISSUER: `http://127.0.0.1:${providerPort}`,
      ...CLIENT,
    },
  });
  const worker = (await stack.startWorker()) as INestApplication;
  await worker.listen(workerPort, '127.0.0.1');
  expect((worker.getHttpServer().address() as AddressInfo).port).toBe(workerPort);
  client = new InboxClient(origin);
  // The worker has started without its provider.
  const { status, text } = await client.call('/inbox/sign-in');
  expect([status, text.includes('cannot be reached at the moment'), text.includes('>Password<')]).toEqual([
    200,
    true,
    true,
  ]);
  expect((await client.call('/inbox/sign-in/oidc')).status).toBe(503);
  expect((await client.signIn('ada')).status).toBe(303);
  // It warns that it is not set up for production.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  provider = await OpenIdProvider.start([`${origin}/inbox/sign-in/callback`], providerPort);
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now + 31_000);
  expect((await client.call('/inbox/sign-in')).text).toContain(`Sign in with 127.0.0.1:${providerPort}`);
  jest.restoreAllMocks();
});

afterAll(async () => {
  await Promise.all([stack.close(), provider.stop()]);
});

/** Begins a sign-in. @returns the URL of the provider, and the cookie of the browser */
async function begin(to = '/inbox') {
  const answer = await client.call(`/inbox/sign-in/oidc?${new URLSearchParams({ to })}`);
  expect(answer.status).toBe(303);
  return { url: new URL(String(answer.headers['location'])), cookie: cookiesOf(answer) };
}

/** Follows the provider's redirect, which is a navigation from another site. */
const comeBack = (back: URL, Cookie: string) =>
  client.call(`${back.pathname}${back.search}`, {
    headers: { Cookie, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' },
  });

const refused = async (back: URL, cookie: string) => {
  const answer = await comeBack(back, cookie);
  expect([answer.status, cookiesOf(answer).includes('inbox=')]).toEqual([403, false]);
  expect(answer.text).toContain('role="alert"');
  return answer.text;
};

describe('inbox > single sign-on', () => {
  it('opens the page that the user wanted, with the role of the line', async () => {
    const { url, cookie } = await begin('/inbox?q=a%26b');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/.{40}/),
      nonce: expect.stringMatching(/.{40}/),
    });
    const answer = await comeBack(await provider.signIn(url.href, 'hana@EXAMPLE.org'), cookie);
    expect([answer.status, answer.headers['location']]).toEqual([303, '/inbox?q=a%26b']);
    const page = await client.call('/inbox', { headers: { Cookie: cookiesOf(answer) } });
    expect(page.text).toMatch(/Hana@example\.org[^]*sees applications/);
  });

  it.each([
    ['an address that is no user', 'eve@example.org', 'eve@example.org may not open this inbox'],
    ['an address that the provider has not verified', 'unverified@example.org', 'confirms no address'],
    ['the name of a user with a password', 'ada', 'may not open this inbox'],
  ])('refuses %s', async (_, account, sentence) => {
    const { url, cookie } = await begin();
    expect(await refused(await provider.signIn(url.href, account), cookie)).toContain(sentence);
  });

  it('refuses a state that was used, is of another sign-in, or of another browser', async () => {
    const first = await begin();
    const back = await provider.signIn(first.url.href, 'hana@example.org');
    const second = await begin();
    await refused(back, second.cookie);
    await refused(back, '');
    const answer = await comeBack(back, first.cookie);
    expect(answer.status).toBe(303);
    // The browser has forgotten the transaction, and the provider accepts a code once.
    expect(answer.headers['set-cookie']).toContainEqual(
      expect.stringMatching(/^inbox-oidc=; .*Expires=Thu, 01 Jan 1970/),
    );
    await refused(back, cookiesOf(answer));
    await refused(back, first.cookie);
  });

  it.each(['nonce', 'code_challenge', 'state'])('refuses another %s than it has sent', async (name) => {
    const { url, cookie } = await begin();
    const others = (await begin()).url.searchParams;
    url.searchParams.set(name, others.get(name) ?? '');
    await refused(await provider.signIn(url.href, 'hana@example.org'), cookie);
  });

  it('refuses an edited cookie, and one that is older than ten minutes', async () => {
    const { url, cookie } = await begin();
    const back = await provider.signIn(url.href, 'hana@example.org');
    const [content = '', mac = ''] = cookie.slice('inbox-oidc='.length).split('.');
    const transaction = JSON.parse(Buffer.from(content, 'base64url').toString()) as object;
    const edited = Buffer.from(JSON.stringify({ ...transaction, to: 'https://evil.example' })).toString('base64url');
    await refused(back, `inbox-oidc=${edited}.${mac}`);
    // A session is no transaction, and a transaction is no session.
    await refused(back, `inbox-oidc=${(await client.sessionOf('ada')).slice('inbox='.length)}`);
    expect((await client.call('/inbox', { headers: { Cookie: `inbox=${content}.${mac}` } })).status).toBe(303);
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 11 * 60_000);
    await refused(back, cookie);
    jest.restoreAllMocks();
  });

  it('refuses what the provider refuses, and a return path elsewhere', async () => {
    const { url, cookie } = await begin('//evil.example');
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    back.search = String(new URLSearchParams({ error: 'access_denied', state: url.searchParams.get('state') ?? '' }));
    expect(await refused(back, cookie)).toContain('did not sign you in');
    const other = await begin('//evil.example');
    const answer = await comeBack(await provider.signIn(other.url.href, 'hana@example.org'), other.cookie);
    expect(answer.headers['location']).toBe('/inbox');
  });

  it('accepts no password for a user of the provider', async () => {
    for (const password of ['', OIDC, PASSWORD])
      expect((await client.signIn('Hana@example.org', password)).status).toBe(403);
  });
});

describe('inbox > verified address', () => {
  const google = { iss: 'https://accounts.google.com', email_verified: true };
  const microsoft = { iss: 'https://login.microsoftonline.com/0f0e/v2.0', email: 'hana@example.org' };
  const hana = 'hana@example.org';

  it.each([
    [{ iss: 'https://id.example', email: hana, email_verified: true }, hana],
    [{ iss: 'https://id.example', email: hana, email_verified: 'true' }, undefined],
    [{ iss: 'https://id.example', email: hana }, undefined],
    [{ ...google, email: 'hana@gmail.com' }, 'hana@gmail.com'],
    [{ ...google, email: hana, hd: 'example.org' }, hana],
    [{ ...google, email: hana }, undefined],
    [{ ...google, email: hana, hd: 'evil.example' }, undefined],
    [{ ...microsoft, preferred_username: 'h@example.org' }, 'h@example.org'],
    [{ ...microsoft, email_verified: true }, undefined],
    [{ ...microsoft, preferred_username: hana, idp: 'https://sts.windows.net/evil/' }, undefined],
  ])('of %j is %s', (claims, address) => {
    expect(addressOf(claims)).toBe(address);
  });
});
