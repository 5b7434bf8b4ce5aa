import { generateKeyPairSync, sign as signRsa } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { cookiesOf, InboxBrowser, InboxClient, inboxUsers, PASSWORD, type Answer } from '../../test/inbox-client.ts';
import { CLIENT, OpenIdProvider } from '../../test/openid-provider.ts';
import { freePort } from '../../test/free-port.ts';
import { OIDC } from '../config/inbox-users.ts';
import { until } from '../../test/until.ts';
import { storeApplication } from '../../test/submissions.ts';
import { words } from '../../test/words.ts';
import { application } from '../contract/forms/application.ts';
import { discover } from './open-id-connect.service.ts';
import { Log, type LogFields } from '../observability/log.ts';

let stack: DeliveryStack;
let provider: OpenIdProvider;
let client: InboxClient;
const providers: OpenIdProvider[] = [];

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
  const atProvider = { provider: `127.0.0.1:${providerPort}` };
  const unavailable = words.signIn.unavailable(atProvider);
  // The worker has started without its provider.
  expect((await client.call('/inbox/sign-in/oidc', { method: 'POST' })).status).toBe(503);
  const { status, text } = await client.call('/inbox/sign-in');
  expect([status, text.includes(unavailable), text.includes(`>${words.signIn.password}<`)]).toEqual([200, true, true]);
  expect((await client.signIn('ada')).status).toBe(303);
  // It warns that it is not set up for production.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  provider = await OpenIdProvider.start([`${origin}/inbox/sign-in/callback`], { port: providerPort });
  const now = performance.now();
  // A failed discovery is repeated after half a minute.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 15_000);
  expect((await client.call('/inbox/sign-in')).text).toContain(unavailable);
  clock.mockReturnValue(now + 31_000);
  const isShown = async () => (await client.call('/inbox/sign-in')).text.includes(words.signIn.with(atProvider));
  await until('the provider is found', isShown);
  jest.restoreAllMocks();
});

afterAll(async () => {
  await Promise.all([stack.close(), ...[provider, ...providers].map((one) => one.stop())]);
});

/** Starts a worker that signs in at another provider, or with other settings. */
async function startWorker(
  options: Parameters<typeof OpenIdProvider.start>[1] | undefined,
  settings: Partial<DeliveryStack['settings']> = {},
): Promise<{ client: InboxClient; provider: OpenIdProvider }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const other = options ? await OpenIdProvider.start([`${origin}/inbox/sign-in/callback`], options) : provider;
  if (options) providers.push(other);
  const before = stack.settings;
  Object.assign(stack, { settings: { ...before, OIDC_ISSUER: other.issuer, ...settings } });
  const worker = (await stack.startWorker()) as INestApplication;
  Object.assign(stack, { settings: before });
  await worker.listen(port, '127.0.0.1');
  return { client: new InboxClient(origin), provider: other };
}

/** A browser with cookies at the inbox and at the provider. */
class Browser extends InboxBrowser {
  readonly cookiesOfProvider = new Map<string, string>();

  constructor(
    inbox: InboxClient,
    private readonly at: OpenIdProvider,
  ) {
    super(inbox);
  }

  /** Presses the button of single sign-on. @returns the provider's address */
  async press(to = '/inbox'): Promise<URL> {
    return providerUrlOf(await this.call('/inbox/sign-in/oidc', { method: 'POST', body: { to } }));
  }

  /** Signs in at the provider, and comes back to the inbox. @returns the last answer, and the prompts on the way */
  async signInAt(url: URL, account: string) {
    const prompts: (string | null)[] = [];
    for (let next = url; ;) {
      prompts.push(next.searchParams.get('prompt'));
      const back = await this.at.signIn(next.href, account, this.cookiesOfProvider);
      const answer = await this.open(`${back.pathname}${back.search}`, {
        headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' },
      });
      const { location } = answer.headers;
      if (typeof location !== 'string') return { ...answer, prompts };
      next = new URL(location);
      if (prompts.length > 5) throw new Error(`An endless loop: ${prompts.join(', ')}`);
    }
  }
}

/** Records the log lines of sign-ins. */
function recordLog(): LogFields[] {
  const lines: LogFields[] = [];
  const isSignIn = ({ event }: LogFields) => event.startsWith('sign');
  const record = (fields: LogFields) => void (isSignIn(fields) && lines.push(fields));
  jest.spyOn(Log.prototype, 'log').mockImplementation(record);
  jest.spyOn(Log.prototype, 'warn').mockImplementation(record);
  return lines;
}

afterEach(() => {
  jest.restoreAllMocks();
});

/** Begins a sign-in. @returns the URL of the provider, and the cookie of the browser */
async function begin(to = '/inbox') {
  const answer = await client.call('/inbox/sign-in/oidc', { method: 'POST', body: { to } });
  return { url: providerUrlOf(answer), cookie: cookiesOf(answer) };
}

/** Follows the provider's redirect, which is a navigation from another site. */
const comeBack = (back: URL, Cookie: string) =>
  client.call(`${back.pathname}${back.search}`, {
    headers: { Cookie, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' },
  });

/** Sentences by the guard that refuses. */
const UNKNOWN_STATE = words.signIn.expired;
const BY_PROVIDER = words.signIn.refused({ provider: '' }).trim();

/** Returns the provider's address, to which a page leads. */
function providerUrlOf({ status, headers, text }: Answer): URL {
  const [, url = ''] = /^0; url=(.+)$/.exec(String(headers['refresh'])) ?? [];
  expect([status, text.includes(`href="${url.replaceAll('&', '&#38;')}"`)]).toEqual([200, true]);
  return new URL(url);
}

/** Expects a refusal with its reason: several guards could refuse. */
const expectRefusal = async (back: URL, cookie: string, sentence: string) => {
  const answer = await comeBack(back, cookie);
  expect([answer.status, cookiesOf(answer).includes('inbox=')]).toEqual([403, false]);
  expect(/role="alert"[^>]*>([^<]*)/.exec(answer.text)?.[1]).toContain(sentence);
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
    expect(page.text).toMatch(
      new RegExp(`Hana@example\\.org[^]*${words.inbox.frame.someForms({ nouns: application.words.nouns })}`),
    );
  });

  it.each([
    ['an address that is no user', 'eve@example.org', words.signIn.noUser({ address: 'eve@example.org' })],
    [
      'an address that the provider has not verified',
      'unverified@example.org',
      words.signIn.noAddress({ provider: '' }).trim(),
    ],
    ['the name of a user with a password', 'ada', words.signIn.noUser({ address: 'ada' })],
  ])('refuses %s', async (_, account, sentence) => {
    const { url, cookie } = await begin();
    await expectRefusal(await provider.signIn(url.href, account), cookie, sentence);
  });

  it('refuses a state that was used, is of another sign-in, or of another browser', async () => {
    const first = await begin();
    const back = await provider.signIn(first.url.href, 'hana@example.org');
    const second = await begin();
    await expectRefusal(back, second.cookie, UNKNOWN_STATE);
    await expectRefusal(back, '', UNKNOWN_STATE);
    const answer = await comeBack(back, first.cookie);
    expect(answer.status).toBe(303);
    // The browser has forgotten the transaction, and the provider accepts a code once.
    expect(answer.headers['set-cookie']).toContainEqual(
      expect.stringMatching(/^inbox-oidc-[\w-]{8}=; .*Expires=Thu, 01 Jan 1970/),
    );
    await expectRefusal(back, cookiesOf(answer).replace(/\binbox=[^;]*/, ''), UNKNOWN_STATE);
    await expectRefusal(back, first.cookie, BY_PROVIDER);
  });

  it.each([
    ['nonce', BY_PROVIDER],
    ['code_challenge', BY_PROVIDER],
    ['state', UNKNOWN_STATE],
  ])('refuses another %s than it has sent', async (name, sentence) => {
    const { url, cookie } = await begin();
    const others = (await begin()).url.searchParams;
    url.searchParams.set(name, others.get(name) ?? '');
    await expectRefusal(await provider.signIn(url.href, 'hana@example.org'), cookie, sentence);
  });

  it('refuses an edited cookie, and one that is older than ten minutes', async () => {
    const { url, cookie } = await begin();
    const back = await provider.signIn(url.href, 'hana@example.org');
    const [, name = '', content = '', mac = ''] = /^([^=]+)=([^.]+)\.(.+)$/.exec(cookie) ?? [];
    const transaction = JSON.parse(Buffer.from(content, 'base64url').toString()) as object;
    const edited = Buffer.from(JSON.stringify({ ...transaction, to: 'https://evil.example' })).toString('base64url');
    await expectRefusal(back, `${name}=${edited}.${mac}`, UNKNOWN_STATE);
    // A session is no transaction, and a transaction is no session.
    const session = (await client.sessionOf('ada')).slice('inbox='.length);
    await expectRefusal(back, `${name}=${session}`, UNKNOWN_STATE);
    expect((await client.call('/inbox', { headers: { Cookie: `inbox=${content}.${mac}` } })).status).toBe(303);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 11 * 60_000);
    // By its reason: the provider's code has expired as well.
    await expectRefusal(back, cookie, UNKNOWN_STATE);
    clock.mockReturnValue(now + 9 * 60_000);
    await expectRefusal(back, cookie, BY_PROVIDER);
  });

  it('refuses what the provider refuses, and a return path elsewhere', async () => {
    const { url, cookie } = await begin('//evil.example');
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    const [state, iss] = [url.searchParams.get('state') ?? '', provider.issuer];
    back.search = String(new URLSearchParams({ error: 'access_denied', state, iss }));
    await expectRefusal(back, cookie, BY_PROVIDER);
    const other = await begin('//evil.example');
    const answer = await comeBack(await provider.signIn(other.url.href, 'hana@example.org'), other.cookie);
    expect(answer.headers['location']).toBe('/inbox');
  });

  it('accepts no password for a user of the provider', async () => {
    for (const password of ['', OIDC, PASSWORD])
      expect((await client.signIn('Hana@example.org', password)).status).toBe(403);
  });
});

it('single sign-on > reads the configuration of the provider once an hour', async () => {
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now');
  const requests = jest.spyOn(globalThis, 'fetch');
  const readAfter = async (minutes: number) => {
    requests.mockClear();
    clock.mockReturnValue(now + minutes * 60_000);
    expect((await client.call('/inbox/sign-in')).status).toBe(200);
    // Waits for the answer, which comes after the page.
    await Promise.all(requests.mock.results.map(({ value }) => value));
    await begin();
    return requests.mock.calls.length;
  };
  expect([await readAfter(59), await readAfter(61), await readAfter(62)]).toEqual([0, 1, 0]);
});

describe('inbox > a provider that does not answer properly', () => {
  const listen = async (answer: RequestListener) => {
    const server = createServer(answer);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    servers.push(server);
    return { OIDC_ISSUER: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  it('is not waited for by the sign-in page', async () => {
    let requests = 0;
    const settings = await listen(() => void requests++);
    const other = await startWorker(undefined, settings);
    await until('the worker asks for the metadata', async () => requests === 1);
    const { status, text } = await other.client.call('/inbox/sign-in');
    const provider = new URL(settings.OIDC_ISSUER).host;
    expect([status, requests, text.includes(words.signIn.with({ provider }))]).toEqual([200, 1, true]);
  });

  it('is not read to its end > the metadata is endless', async () => {
    let bytes = 0;
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const settings = await listen((request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      Readable.from(
        (function* () {
          for (; ; bytes += chunk.length) yield chunk;
        })(),
      ).pipe(response);
      request.socket.on('error', () => undefined);
    });
    await expect(discover({ ...stack.settings, ...settings }, 2_000)).rejects.toThrow();
    // The buffers of both ends come on top of 1 MiB.
    expect(bytes).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('inbox > start of single sign-on', () => {
  it('is a form of the sign-in page, and no link or form of another site', async () => {
    expect((await client.call('/inbox/sign-in')).text).toMatch(/<form method="post" action="\/inbox\/sign-in\/oidc">/);
    expect((await client.call('/inbox/sign-in/oidc')).status).toBe(404);
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'Sec-Fetch-Site': site, Origin: 'https://evil.example' };
      const answer = await client.call('/inbox/sign-in/oidc', { method: 'POST', headers });
      expect([site, answer.status, answer.headers['set-cookie']]).toEqual([site, 403, undefined]);
    }
  });
});

it('single sign-on > comes back to the host of the inbox', async () => {
  const Host = 'inbox.kitewright.example';
  const other = await startWorker(undefined, { INBOX_URL: `https://${Host}` });
  const headers = { Host, 'X-Forwarded-Host': Host, 'X-Forwarded-Proto': 'https', Origin: `https://${Host}` };
  const url = providerUrlOf(await other.client.call('/inbox/sign-in/oidc', { method: 'POST', headers }));
  expect(url.searchParams.get('redirect_uri')).toBe(`https://${Host}/inbox/sign-in/callback`);
});

describe('inbox > another account', () => {
  const ERRORS = [
    'invalid_request',
    'login_required',
    'interaction_required',
    'account_selection_required',
    'consent_required',
    'server_error',
    'something_else',
  ];

  it('is asked for > the first one was refused', async () => {
    const chooser = await startWorker({ hasAccountChooser: true });
    const browser = new Browser(chooser.client, chooser.provider);
    const first = await browser.press();
    expect(first.searchParams.get('prompt')).toBeNull();
    const refusal = await browser.signInAt(first, 'private@example.com');
    expect([refusal.status, refusal.text.includes(`>${words.signIn.chooseAccount}</button>`)]).toEqual([403, true]);
    expect((await browser.press()).searchParams.get('prompt')).toBe('select_account');
  });

  it.each(['private@example.com', 'unverified@example.com'])(
    'leads to the page that the user wanted > %s was refused',
    async (account) => {
      const to = '/inbox/KW-0000-0000-0000-0000#note';
      const { url, cookie } = await begin(to);
      const refusal = await comeBack(await provider.signIn(url.href, account), cookie);
      expect(refusal.text.split(`name="to" value="${to}"`).length - 1).toBe(2);
    },
  );

  it('signs in > the provider does not know the prompt', async () => {
    const browser = new Browser(client, provider);
    expect((await browser.signInAt(await browser.press(), 'private@example.com')).status).toBe(403);
    // Without the prompt, the provider's session would sign the same account in again.
    const answer = await browser.signInAt(await browser.press(), 'hana@example.org');
    expect([answer.status, answer.path, answer.prompts]).toEqual([200, '/inbox', ['select_account', 'login']]);
    expect(browser.cookies.has('inbox-prompt')).toBe(false);
    await browser.call('/inbox/sign-out', { method: 'POST' });
    const again = await browser.signInAt(await browser.press(), 'hana@example.org');
    expect([again.status, again.prompts]).toEqual([200, ['select_account', 'login']]);
  });

  it('asks for the account > the session had ended before the sign-out', async () => {
    const browser = new Browser(client, provider);
    await browser.signInAt(await browser.press(), 'hana@example.org');
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 13 * 3_600_000);
    expect((await browser.call('/inbox/sign-out', { method: 'POST' })).headers.location).toContain('ended=yes');
    clock.mockRestore();
    expect(browser.cookies.get('inbox-prompt')).toBe('select_account');
  });

  it.each(ERRORS)('signs in after all > every prompt is answered with %s', async (error) => {
    const browser = new Browser(client, provider);
    await browser.signInAt(await browser.press(), 'hana@example.org');
    await browser.call('/inbox/sign-out', { method: 'POST' });
    provider.refusals.set('select_account', error).set('login', error);
    const answer = await browser.signInAt(await browser.press('/inbox?q=a'), 'hana@example.org');
    expect([answer.path, answer.prompts]).toEqual(['/inbox?q=a', ['select_account', 'login', null]]);
    provider.refusals.clear();
  });

  it('ends in a refusal and not in a loop > the provider refuses without a prompt', async () => {
    const browser = new Browser(client, provider);
    browser.cookies.set('inbox-prompt', 'select_account');
    for (const prompt of ['select_account', 'login', '']) provider.refusals.set(prompt, 'invalid_request');
    const answer = await browser.signInAt(await browser.press(), 'hana@example.org');
    expect([answer.status, answer.prompts]).toEqual([403, ['select_account', 'login', null]]);
    provider.refusals.clear();
  });

  it('is asked for again > the user has cancelled', async () => {
    const browser = new Browser(client, provider);
    browser.cookies.set('inbox-prompt', 'select_account');
    provider.refusals.set('select_account', 'access_denied');
    const answer = await browser.signInAt(await browser.press(), 'hana@example.org');
    expect([answer.status, answer.prompts]).toEqual([403, ['select_account']]);
    expect(answer.text).toContain(`>${words.signIn.chooseAccount}</button>`);
    expect((await browser.press()).searchParams.get('prompt')).toBe('select_account');
    provider.refusals.clear();
  });

  it('is asked for less each time > nobody comes back from an error page of the provider', async () => {
    const browser = new Browser(client, provider);
    browser.cookies.set('inbox-prompt', 'select_account');
    const prompts: (string | null)[] = [];
    for (let tries = 0; tries < 4; tries++) prompts.push((await browser.press()).searchParams.get('prompt'));
    expect(prompts).toEqual(['select_account', 'login', null, null]);
  });

  it.each([
    [['login'], 'login'],
    [['none', 'consent'], null],
    [['none', 'select_account'], 'select_account'],
  ])('is asked for only with a prompt that the provider lists > %j', async (prompts, expected) => {
    const other = await startWorker({ prompts });
    const browser = new Browser(other.client, other.provider);
    browser.cookies.set('inbox-prompt', 'select_account');
    expect((await browser.press()).searchParams.get('prompt')).toBe(expected);
  });
});

describe('inbox > client of the provider', () => {
  it.each([
    ['only client_secret_post', { clientAuthMethod: 'client_secret_post' }],
    ['only client_secret_basic', { clientAuthMethod: 'client_secret_basic' }],
    ['basic, the default, and names no method', { clientAuthMethod: 'client_secret_basic', namesAuthMethods: false }],
  ] as const)('authenticates itself > the provider accepts %s', async (_, options) => {
    const other = await startWorker(options);
    const browser = new Browser(other.client, other.provider);
    const answer = await browser.signInAt(await browser.press(), 'hana@example.org');
    expect([answer.status, answer.path]).toEqual([200, '/inbox']);
  });
});

describe('inbox > signature of the ID token', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  let other: { client: InboxClient; provider: OpenIdProvider };

  beforeAll(async () => {
    other = await startWorker({});
  });
  afterEach(() => {
    other.provider.edits.clear();
  });

  /** Has the provider sign its ID tokens with another key. @param kid name of the key; by default that of the published one */
  function signWithAnotherKey(kid?: string): void {
    other.provider.edits.set('/token', ({ id_token, ...answer }) => {
      const [header = '', payload = ''] = String(id_token).split('.');
      const own = JSON.parse(Buffer.from(header, 'base64url').toString()) as object;
      const text = `${Buffer.from(JSON.stringify({ ...own, ...(kid && { kid }) })).toString('base64url')}.${payload}`;
      return {
        ...answer,
        id_token: `${text}.${signRsa('sha256', Buffer.from(text), privateKey).toString('base64url')}`,
      };
    });
  }

  const signIn = async () => {
    const browser = new Browser(other.client, other.provider);
    return (await browser.signInAt(await browser.press(), 'hana@example.org')).status;
  };

  it('is checked > the key is another one, of the same name or of an unknown one', async () => {
    const lines = recordLog();
    for (const kid of [undefined, 'unknown']) {
      signWithAnotherKey(kid);
      expect([kid, await signIn()]).toEqual([kid, 403]);
    }
    other.provider.edits.clear();
    expect(await signIn()).toBe(200);
    expect(lines.map(({ code }) => code)).toEqual(['OAUTH_INVALID_RESPONSE', 'OAUTH_KEY_SELECTION_FAILED', undefined]);
  });

  it('is accepted > the provider has rotated its keys', async () => {
    expect(await signIn()).toBe(200);
    signWithAnotherKey('next');
    const next = { ...publicKey.export({ format: 'jwk' }), kid: 'next', use: 'sig', alg: 'RS256' };
    other.provider.edits.set('/jwks', () => ({ keys: [next] }));
    const now = Date.now();
    // The library asks for the keys again once those that it has are a minute old.
    jest.spyOn(Date, 'now').mockImplementation(() => now + 61_000);
    expect(await signIn()).toBe(200);
  });
});

describe('inbox > several sign-ins of a browser', () => {
  it('all succeed, in either order', async () => {
    for (const isReversed of [false, true]) {
      const browser = new Browser(client, provider);
      const tabs = [await browser.press('/inbox?q=1'), await browser.press('/inbox?q=2')];
      const paths: string[] = [];
      for (const tab of isReversed ? tabs.toReversed() : tabs)
        paths.push((await browser.signInAt(tab, 'hana@example.org')).path);
      expect(paths).toEqual(isReversed ? ['/inbox?q=2', '/inbox?q=1'] : ['/inbox?q=1', '/inbox?q=2']);
    }
  });

  it('are not ended by a callback with a foreign state', async () => {
    const browser = new Browser(client, provider);
    const url = await browser.press();
    expect((await browser.call('/inbox/sign-in/callback?code=x&state=y')).status).toBe(403);
    expect((await browser.signInAt(url, 'hana@example.org')).path).toBe('/inbox');
  });

  it('lead to the inbox > Back or reload of the callback', async () => {
    const browser = new Browser(client, provider);
    const back = await provider.signIn((await browser.press()).href, 'hana@example.org');
    const path = `${back.pathname}${back.search}`;
    expect((await browser.open(path)).status).toBe(200);
    const lines = recordLog();
    for (const again of [path, '/inbox/sign-in/callback?error=temporarily_unavailable&state=old']) {
      const answer = await browser.open(again);
      expect([answer.status, answer.path]).toEqual([200, '/inbox']);
    }
    expect(lines).toEqual([]);
  });

  it('keep at most five cookies, which fit in a request, and no expired one', async () => {
    const browser = new Browser(client, provider);
    const transactions = () => [...browser.cookies.keys()].filter((name) => name.startsWith('inbox-oidc-'));
    const urls: URL[] = [];
    for (let tab = 0; tab < 7; tab++) {
      const now = Date.now();
      jest.spyOn(Date, 'now').mockReturnValue(now + tab);
      urls.push(await browser.press());
      jest.restoreAllMocks();
    }
    const names = urls.slice(-5).map((url) => `inbox-oidc-${url.searchParams.get('state')?.slice(0, 8)}`);
    expect(transactions().toSorted()).toEqual(names.toSorted());
    for (let tab = 0; tab < 5; tab++) await browser.press(`/inbox?q=${'a'.repeat(900)}`);
    expect([...browser.cookies].join().length).toBeLessThan(4_096);
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 11 * 60_000);
    await browser.press();
    expect(transactions().length).toBe(1);
  });

  it('begin > a cookie of the browser has an invalid name', async () => {
    const Cookie = 'inbox-oidc-a b=1; inbox-oidc-é=1; inbox-oidc-=1; inbox-oidc-c=';
    expect(
      (
        await client.call('/inbox/sign-in/oidc', {
          method: 'POST',
          headers: { Cookie: Buffer.from(Cookie).toString('latin1') },
        })
      ).status,
    ).toBe(200);
  });

  it('keep at most five cookies over TLS, where their names have a prefix', async () => {
    const host = 'www.kitewright.example';
    const tls = { Host: host, 'X-Forwarded-Host': host, 'X-Forwarded-Proto': 'https' };
    const browser = new InboxBrowser(client, tls);
    for (let tab = 0; tab < 7; tab++)
      await browser.call('/inbox/sign-in/oidc', { method: 'POST', headers: { Origin: `https://${host}` } });
    const names = [...browser.cookies.keys()];
    expect([names.length, names.every((name) => name.startsWith('__Host-inbox-oidc-'))]).toEqual([5, true]);
  });
});

describe('inbox > verified address', () => {
  const TRUE = { email: 'hana@example.org', email_verified: true };
  type Documents = Readonly<Record<'id_token' | 'userinfo', Readonly<Record<string, unknown>>>>;
  const documents = new Map<string, Documents>([
    ['text in the token', { id_token: { ...TRUE, email_verified: 'true' }, userinfo: {} }],
    ['verified at userinfo only', { id_token: { email: TRUE.email }, userinfo: TRUE }],
    ['text at userinfo', { id_token: {}, userinfo: { ...TRUE, email_verified: 'true' } }],
    ['false at userinfo', { id_token: { email_verified: true }, userinfo: { ...TRUE, email_verified: false } }],
    ['missing', { id_token: { email: TRUE.email }, userinfo: { email: TRUE.email } }],
  ]);
  let other: { client: InboxClient; provider: OpenIdProvider };

  beforeAll(async () => {
    other = await startWorker({
      claims: (account, use) => documents.get(account)?.[use] ?? {},
      clientAuthMethod: 'client_secret_basic',
    });
  });

  it.each([
    ['text in the token', undefined],
    ['verified at userinfo only', undefined],
    ['text at userinfo', undefined],
    ['false at userinfo', 'email_verified is false'],
    ['missing', 'email_verified is missing'],
  ])('comes from the token, or from userinfo > %s', async (account, reason) => {
    const lines = recordLog();
    const browser = new Browser(other.client, other.provider);
    const answer = await browser.signInAt(await browser.press(), account);
    expect([answer.status, lines.map((line) => line['reason'])]).toEqual([reason ? 403 : 200, [reason]]);
    expect(JSON.stringify(lines.filter((line) => line.event === 'sign-in refused'))).not.toContain('@');
  });

  it('is not that of another subject', async () => {
    const lines = recordLog();
    other.provider.edits.set('/me', () => ({ ...TRUE, sub: 'eve' }));
    const browser = new Browser(other.client, other.provider);
    const answer = await browser.signInAt(await browser.press(), 'text at userinfo');
    other.provider.edits.clear();
    expect([answer.status, lines.map((line) => line['reason'])]).toEqual([403, ['token']]);
  });
});

describe('inbox > session of single sign-on', () => {
  it('ends > the client secret is changed', async () => {
    const browser = new Browser(client, provider);
    await browser.signInAt(await browser.press(), 'hana@example.org');
    const Cookie = `inbox=${browser.cookies.get('inbox')}`;
    const other = await startWorker(undefined, { OIDC_CLIENT_SECRET: 'another secret' });
    expect((await client.call('/inbox', { headers: { Cookie } })).status).toBe(200);
    expect((await other.client.call('/inbox', { headers: { Cookie } })).status).toBe(303);
  });

  it('is logged with its user, and a refusal without the address', async () => {
    const lines = recordLog();
    const browser = new Browser(client, provider);
    await browser.signInAt(await browser.press(), 'eve@example.org');
    await browser.signInAt(await browser.press(), 'hana@example.org');
    await browser.call('/inbox/sign-out', { method: 'POST' });
    await browser.call('/inbox/sign-in/callback?error=eve@example.org&state=x');
    const [how, network] = ['oidc', expect.stringMatching(/^[\w-]{22}$/)];
    expect(lines).toEqual([
      { event: 'sign-in refused', how, network, reason: 'not a user' },
      { event: 'signed in', by: 'Hana@example.org', how, network },
      { event: 'signed out', by: 'Hana@example.org', how, network },
      { event: 'sign-in refused', how, network, reason: 'state' },
    ]);
  });

  it('that is refused counts for the alert like a wrong password', async () => {
    const other = await startWorker(undefined);
    const lines: LogFields[] = [];
    jest.spyOn(Log.prototype, 'warn').mockImplementation((line) => void lines.push(line));
    jest.spyOn(Log.prototype, 'error').mockImplementation((line) => void lines.push(line));
    for (let tries = 0; tries <= 100; tries++) {
      expect(lines.filter(({ event }) => event === 'alert')).toEqual([]);
      await other.client.call('/inbox/sign-in/callback?state=x');
    }
    expect(lines.filter(({ event, kind }) => event === 'alert' && kind === 'sign-ins-fail').length).toBe(1);
  });

  it('restores a note that was typed into an ended session', async () => {
    const id = await storeApplication(stack, Buffer.from('%PDF-1.7'));
    const browser = new Browser(client, provider);
    await browser.signInAt(await browser.press(), 'hana@example.org');
    const copy = `inbox=${browser.cookies.get('inbox')}`;
    await client.call('/inbox/sign-out', { method: 'POST', headers: { Cookie: copy } });
    const body = { note: 'Called on Monday' };
    const signIn = await browser.open(`/inbox/${id}/note`, { method: 'POST', body });
    expect(signIn.text).toContain(words.signIn.noteKept);
    // Another account first: the refusal keeps the note, and does not show it.
    browser.cookiesOfProvider.clear();
    const refusal = await browser.signInAt(await browser.press(`/inbox/${id}`), 'eve@example.org');
    expect([refusal.status, refusal.text.includes(body.note)]).toEqual([403, false]);
    const page = await browser.signInAt(await browser.press(`/inbox/${id}`), 'hana@example.org');
    expect([page.path, page.text.includes(words.inbox.submission.noteNotSaved)]).toEqual([`/inbox/${id}`, true]);
    expect(page.text).toMatch(/<textarea [^>]*>Called on Monday<\/textarea>/);
  });
});
