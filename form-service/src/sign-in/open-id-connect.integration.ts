import { generateKeyPairSync, sign as signRsa } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { InboxBrowser, InboxClient, inboxUsers, PASSWORD, type Answer, type Call } from '../../test/inbox-client.ts';
import { CLIENT, OpenIdProvider } from '../../test/openid-provider.ts';
import { freePort } from '../../test/free-port.ts';
import { OIDC } from '../settings/inbox-users.ts';
import { words } from '../../test/words.ts';
import { application } from '../contract/forms/application.ts';
import { Log, type LogFields } from '../observability/log.ts';

const HANA = 'hana@example.org';

let stack: DeliveryStack;
let provider: OpenIdProvider;
let client: InboxClient;
const providers: OpenIdProvider[] = [];

/** Starts a worker at a port with a provider of its own or, without options, that of the other tests. */
async function startWorker(
  options?: Parameters<typeof OpenIdProvider.start>[1],
  settings: Partial<DeliveryStack['settings']> = {},
): Promise<{ client: InboxClient; provider: OpenIdProvider }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  // It warns that it is not set up for production.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const other = options ? await OpenIdProvider.start([`${origin}/inbox/sign-in/callback`], options) : provider;
  if (options) providers.push(other);
  const before = stack.settings;
  Object.assign(stack, { settings: { ...before, OIDC_ISSUER: other?.issuer, ...settings } });
  const worker = (await stack.startWorker()) as INestApplication;
  Object.assign(stack, { settings: before });
  await worker.listen(port, '127.0.0.1');
  return { client: new InboxClient(origin), provider: other };
}

beforeAll(async () => {
  const INBOX_USERS = [
    ...(await inboxUsers({ ada: 'all' })),
    { name: 'Hana@example.org', role: 'hr', hash: OIDC },
    { name: 'unverified@example.org', role: 'all', hash: OIDC },
  ];
  stack = await DeliveryStack.start({ settings: { INBOX_USERS, ...CLIENT } });
  ({ client, provider } = await startWorker({}));
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await Promise.all([stack.close(), ...providers.map((one) => one.stop())]);
});

/** Headers of the provider's redirect, which is a navigation from another site. */
const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' };

/** A browser with cookies at the inbox and at the provider. */
class Browser extends InboxBrowser {
  private readonly cookiesOfProvider = new Map<string, string>();

  constructor(
    inbox = client,
    private readonly at = provider,
  ) {
    super(inbox);
  }

  /** Presses the button of single sign-on. @returns the provider's address */
  async press(to = '/inbox', call: Call = {}): Promise<URL> {
    const answer = await this.call('/inbox/sign-in/oidc', { method: 'POST', body: { to }, ...call });
    const [, url = ''] = /^0; url=(.+)$/.exec(String(answer.headers['refresh'])) ?? [];
    expect([answer.status, answer.text.includes(`href="${url.replaceAll('&', '&#38;')}"`)]).toEqual([200, true]);
    return new URL(url);
  }

  /** Signs in at the provider. @returns the address at which the provider sends the browser back */
  async leave(url: URL, account = HANA): Promise<string> {
    const { pathname, search } = await this.at.signIn(url.href, account, this.cookiesOfProvider);
    return `${pathname}${search}`;
  }

  /** Comes back to the inbox. @returns the page that is then shown */
  comeBack(path: string): ReturnType<InboxBrowser['open']> {
    return this.open(path, { headers });
  }

  async signInAt(url: URL, account = HANA): ReturnType<InboxBrowser['open']> {
    return this.comeBack(await this.leave(url, account));
  }
}

/** Expects a refusal with its reason: several guards could refuse. */
function expectRefusal({ status, text }: Answer, sentence: string): void {
  expect([status, /role="alert"[^>]*>([^<]*)/.exec(text)?.[1]]).toEqual([403, expect.stringContaining(sentence)]);
}
const UNKNOWN_STATE = words.signIn.expired;
const BY_PROVIDER = words.signIn.refused({ provider: '' }).trim();

const noUser = (address: string) => words.signIn.noUser({ address, provider: '127' }).split('127')[0] ?? '';

/** Records the log lines of sign-ins. */
function recordLog(): LogFields[] {
  const lines: LogFields[] = [];
  const record = (fields: LogFields) => void (fields.event.startsWith('sign') && lines.push(fields));
  for (const level of ['log', 'warn'] as const) jest.spyOn(Log.prototype, level).mockImplementation(record);
  return lines;
}

describe('single sign-on', () => {
  it('opens the page that the user wanted, with the role of the line', async () => {
    const browser = new Browser();
    expect((await client.call('/inbox/sign-in')).text).toContain('<form method="post" action="/inbox/sign-in/oidc">');
    expect((await client.call('/inbox/sign-in/oidc')).status).toBe(404);
    const url = await browser.press('/inbox?q=a%26b');
    const random = expect.stringMatching(/.{40}/);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: random,
      nonce: random,
    });
    expect(url.searchParams.has('prompt')).toBe(false);
    const page = await browser.signInAt(url, 'hana@EXAMPLE.org');
    expect([page.status, page.path]).toEqual([200, '/inbox?q=a%26b']);
    const role = words.inbox.frame.someForms({ nouns: application.words.nouns });
    expect(page.text).toMatch(new RegExp(`Hana@example\\.org[^]*${role}`));
  });

  it.each([
    ['eve@example.org', noUser('eve@example.org')],
    ['unverified@example.org', words.signIn.noAddress({ provider: '' }).trim()],
    ['ada', noUser('ada')],
  ])('refuses an address that is no verified user, and keeps the page > %s', async (account, sentence) => {
    const browser = new Browser();
    const refusal = await browser.signInAt(await browser.press('/inbox/KW-1'), account);
    expectRefusal(refusal, sentence);
    expect(refusal.text.split('name="to" value="/inbox/KW-1"')).toHaveLength(2 + 1);
    expect(browser.cookies.has('inbox')).toBe(false);
  });

  it('refuses a state that was used, is of an earlier sign-in, or of another browser', async () => {
    const browser = new Browser();
    const earlier = await browser.leave(await browser.press());
    const back = await browser.leave(await browser.press());
    const transaction = browser.cookies.get('inbox-oidc') ?? '';
    expectRefusal(await browser.comeBack(earlier), UNKNOWN_STATE);
    expectRefusal(await new Browser().comeBack(back), UNKNOWN_STATE);
    // A foreign state does not end the transaction.
    expect([(await browser.comeBack(back)).path, browser.cookies.has('inbox-oidc')]).toEqual(['/inbox', false]);
    browser.cookies.delete('inbox');
    expectRefusal(await browser.comeBack(back), UNKNOWN_STATE);
    // The provider accepts a code once.
    browser.cookies.set('inbox-oidc', transaction);
    expectRefusal(await browser.comeBack(back), BY_PROVIDER);
  });

  it.each([
    ['nonce', BY_PROVIDER],
    ['code_challenge', BY_PROVIDER],
    ['state', UNKNOWN_STATE],
  ])('refuses another %s than it has sent', async (name, sentence) => {
    const browser = new Browser();
    const url = await browser.press();
    url.searchParams.set(name, (await new Browser().press()).searchParams.get(name) ?? '');
    expectRefusal(await browser.signInAt(url), sentence);
  });

  it('refuses an edited transaction, and a session in its place', async () => {
    const browser = new Browser();
    const back = await browser.leave(await browser.press());
    const [content = '', mac = ''] = (browser.cookies.get('inbox-oidc') ?? '').split('.');
    const transaction = JSON.parse(Buffer.from(content, 'base64url').toString()) as object;
    const edited = Buffer.from(JSON.stringify({ ...transaction, to: '/inbox?q=x' })).toString('base64url');
    const session = (await client.sessionOf('ada')).slice('inbox='.length);
    for (const forged of [`${edited}.${mac}`, session, '']) {
      browser.cookies.set('inbox-oidc', forged);
      expectRefusal(await browser.comeBack(back), UNKNOWN_STATE);
    }
    expect((await client.call('/inbox', { headers: { Cookie: `inbox=${content}.${mac}` } })).status).toBe(303);
  });

  it('takes ten minutes at most', async () => {
    const browser = new Browser();
    const back = await browser.leave(await browser.press());
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000);
    expectRefusal(await browser.comeBack(back), UNKNOWN_STATE);
  });

  it('accepts no password for a user of the provider', async () => {
    for (const password of ['', OIDC, PASSWORD])
      expect((await client.signIn('Hana@example.org', password)).status).toBe(403);
  });

  it('leads to the inbox > Back or reload of the callback', async () => {
    const browser = new Browser();
    const back = await browser.leave(await browser.press());
    expect((await browser.comeBack(back)).status).toBe(200);
    const lines = recordLog();
    for (const path of [back, '/inbox/sign-in/callback?error=temporarily_unavailable&state=old'])
      expect((await browser.comeBack(path)).path).toBe('/inbox');
    expect(lines).toEqual([]);
  });

  it('comes back to the host of the inbox, with a cookie for it alone', async () => {
    const Host = 'inbox.kitewright.example';
    const other = await startWorker(undefined, { INBOX_URL: `https://${Host}` });
    const tls = { Host, 'X-Forwarded-Host': Host, 'X-Forwarded-Proto': 'https', Origin: `https://${Host}` };
    const browser = new Browser(other.client);
    const url = await browser.press('/inbox', { headers: tls });
    expect(url.searchParams.get('redirect_uri')).toBe(`https://${Host}/inbox/sign-in/callback`);
    expect([...browser.cookies.keys()]).toEqual(['__Host-inbox-oidc']);
  });

  it('is logged with its user, and a refusal without the address', async () => {
    const lines = recordLog();
    const browser = new Browser();
    await browser.signInAt(await browser.press(), 'eve@example.org');
    const other = new Browser();
    await other.signInAt(await other.press());
    await other.call('/inbox/sign-out', { method: 'POST' });
    await other.call('/inbox/sign-in/callback?error=eve@example.org&state=x');
    const [how, network] = ['oidc', expect.stringMatching(/^[\w-]{22}$/)];
    expect(lines).toEqual([
      { event: 'sign-in refused', how, network, reason: 'not a user' },
      { event: 'signed in', by: 'Hana@example.org', how, network },
      { event: 'signed out', by: 'Hana@example.org', how, network },
      { event: 'sign-in refused', how, network, reason: 'state' },
    ]);
  });

  it('ends > the client secret is changed', async () => {
    const browser = new Browser();
    await browser.signInAt(await browser.press());
    const Cookie = `inbox=${browser.cookies.get('inbox')}`;
    const other = await startWorker(undefined, { OIDC_CLIENT_SECRET: 'another secret' });
    expect((await client.call('/inbox', { headers: { Cookie } })).status).toBe(200);
    expect((await other.client.call('/inbox', { headers: { Cookie } })).status).toBe(303);
  });
});

describe('OpenID Connect provider', () => {
  it('is found by the next sign-in, and passwords sign in meanwhile > it started later', async () => {
    const port = await freePort();
    const other = await startWorker(undefined, { OIDC_ISSUER: `http://127.0.0.1:${port}` });
    const warned = jest.spyOn(Log.prototype, 'warn').mockImplementation(() => undefined);
    const refused = await other.client.call('/inbox/sign-in/oidc', { method: 'POST' });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
    expect(refused.text).toContain(words.signIn.unavailable({ provider: `127.0.0.1:${port}` }));
    expect(warned).toHaveBeenCalledWith({ event: 'single sign-on unavailable', code: 'ECONNREFUSED' });
    expect((await other.client.signIn('ada')).status).toBe(303);
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    providers.push(await OpenIdProvider.start([`${other.client.origin}/inbox/sign-in/callback`], { port }));
    expect((await other.client.call('/inbox/sign-in/oidc', { method: 'POST' })).status).toBe(200);
  });

  it.each([
    ['only client_secret_post', { clientAuthMethod: 'client_secret_post' }],
    ['only client_secret_basic', { clientAuthMethod: 'client_secret_basic' }],
    ['basic, the default, and names no method', { clientAuthMethod: 'client_secret_basic', namesAuthMethods: false }],
  ] as const)('knows the client > it accepts %s', async (_, options) => {
    const other = await startWorker(options);
    const browser = new Browser(other.client, other.provider);
    expect((await browser.signInAt(await browser.press())).path).toBe('/inbox');
  });
});

describe('ID token', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const VERIFIED = { email: HANA, email_verified: true };
  let other: { client: InboxClient; provider: OpenIdProvider };

  // The library remembers the keys of a provider, so each test has one of its own.
  beforeEach(async () => {
    const claims = (account: string, use: string) =>
      use === 'userinfo' || account === HANA ? VERIFIED : { email: HANA };
    other = await startWorker({ claims });
  });

  /** Signs in at the provider. @returns the status, and the reason and code of a refusal */
  const signIn = async (account = HANA) => {
    const lines = recordLog();
    const browser = new Browser(other.client, other.provider);
    const { status } = await browser.signInAt(await browser.press(), account);
    expect(JSON.stringify(lines.filter(({ event }) => event === 'sign-in refused'))).not.toContain('@');
    const { reason, code } = lines.at(-1) ?? {};
    jest.restoreAllMocks();
    return [status, reason, code];
  };

  /** Has the provider sign its tokens with another key. @param kid its name; by default that of the published one */
  function signWithAnotherKey(kid?: string): void {
    other.provider.edits.set('/token', ({ id_token, ...answer }) => {
      const [header = '', payload = ''] = String(id_token).split('.');
      const own = JSON.parse(Buffer.from(header, 'base64url').toString()) as object;
      const text = `${Buffer.from(JSON.stringify({ ...own, ...(kid && { kid }) })).toString('base64url')}.${payload}`;
      const signature = signRsa('sha256', Buffer.from(text), privateKey).toString('base64url');
      return { ...answer, id_token: `${text}.${signature}` };
    });
  }

  it('is refused > signed by another key, of the same name or an unknown one', async () => {
    signWithAnotherKey();
    expect(await signIn()).toEqual([403, 'token', 'OAUTH_INVALID_RESPONSE']);
    signWithAnotherKey('unknown');
    expect(await signIn()).toEqual([403, 'token', 'OAUTH_KEY_SELECTION_FAILED']);
  });

  it('is accepted > the provider has just rotated its keys', async () => {
    expect(await signIn()).toEqual([200, undefined, undefined]);
    signWithAnotherKey('next');
    const next = { ...publicKey.export({ format: 'jwk' }), kid: 'next', use: 'sig', alg: 'RS256' };
    other.provider.edits.set('/jwks', () => ({ keys: [next] }));
    expect((await signIn())[0]).toBe(200);
  });

  it('has the verified address, or userinfo of the same subject has it', async () => {
    expect((await signIn('at userinfo only'))[0]).toBe(200);
    other.provider.edits.set('/me', () => ({ ...VERIFIED, sub: 'eve' }));
    expect((await signIn('at userinfo only')).slice(0, 2)).toEqual([403, 'token']);
  });
});
