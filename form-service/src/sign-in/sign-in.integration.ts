import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { sql } from 'kysely';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { cookiesOf, InboxClient, inboxUsers, PASSWORD, type Answer } from '../../test/inbox-client.ts';
import { storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { MINUTE_MS } from '../config/durations.ts';
import type { InboxUser } from '../config/inbox-users.ts';
import type { Settings } from '../config/settings.ts';
import { hashPassword } from './password.ts';
import { clientKey } from '../http/client-network.ts';
import { Log, type LogFields } from '../observability/log.ts';
import { words } from '../../test/words.ts';

/** Headers of nginx for a visitor over TLS. */
const TLS = {
  Host: 'www.kitewright.example',
  'X-Forwarded-Host': 'www.kitewright.example',
  'X-Forwarded-Proto': 'https',
};
const TLS_ORIGIN = 'https://www.kitewright.example';

let stack: DeliveryStack;
let users: readonly InboxUser[];
let client: InboxClient;

/** Starts a worker of the same installation with these lines of `INBOX_USERS`. */
async function startWorker(lines: readonly InboxUser[], settings: Partial<Settings> = {}): Promise<InboxClient> {
  Object.assign(stack.settings, { INBOX_USERS: lines, INBOX_IDLE_MINUTES: 120, ...settings });
  const worker = (await stack.startWorker()) as INestApplication;
  // The next worker gets settings of its own.
  Object.assign(stack, { settings: { ...stack.settings } });
  await worker.listen(0, '127.0.0.1');
  return new InboxClient(`http://127.0.0.1:${(worker.getHttpServer().address() as AddressInfo).port}`);
}

beforeAll(async () => {
  stack = await DeliveryStack.start();
  users = await inboxUsers({ sam: 'sales', hana: 'hr', ada: 'all', bo: 'all', cy: 'all' });
  client = await startWorker(users);
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => stack.close());

const statusOf = async (answer: Promise<Answer>) => (await answer).status;
const spam = () => storeEnquiry(stack, {}, { quarantined: true, reasons: ['many links'] });
const later = (ms: number) => {
  const now = Date.now();
  return jest.spyOn(Date, 'now').mockReturnValue(now + ms);
};
/** Whether a cookie opens the inbox. */
const isSession = async (Cookie: string, worker = client) =>
  (await worker.call('/inbox', { headers: { Cookie } })).status === 200;

describe('inbox > page', () => {
  it('leads to the sign-in, and from there to itself > nobody has signed in', async () => {
    const id = await spam();
    for (const path of [
      '/inbox',
      `/inbox/${id}`,
      `/inbox/${id}/erase`,
      '/inbox?q=a%26b&state=failed',
      '/inbox/nothing',
    ]) {
      const { status, headers } = await client.call(path);
      expect([status, headers.location]).toEqual([303, `/inbox/sign-in?${new URLSearchParams({ to: path })}`]);
      expect((await client.signIn('ada', PASSWORD, { to: path })).headers.location).toBe(path);
    }
  });

  it.each([
    ['/inbox/export.csv?q=x', 'GET', '/inbox', false],
    ['/inbox/KW-1/resume', 'GET', '/inbox/KW-1', false],
    ['/inbox/KW-1/view', 'GET', '/inbox/KW-1', false],
    ['/inbox/KW-1/release', 'POST', '/inbox/KW-1', true],
    ['/inbox/sign-out', 'POST', '/inbox', true],
  ])('is where %s leads to after the sign-in', async (path, method, to, isLost) => {
    const { status, headers } = await client.call(path, { method });
    const query = new URLSearchParams({ to, ...(isLost && { ended: 'yes' }) });
    expect([status, headers.location]).toEqual([303, `/inbox/sign-in?${query}`]);
    expect((await client.call(String(headers.location))).text.includes(words.signIn.ended)).toBe(isLost);
  });

  it('has no other methods > somebody has signed in', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      for (const path of ['/inbox', '/inbox/sign-in', '/inbox/sign-out']) {
        const headers = { Origin: client.origin, 'Sec-Fetch-Site': 'same-origin' };
        expect([method, path, await statusOf(client.call(path, { user: 'ada', method, headers }))]).toEqual([
          method,
          path,
          404,
        ]);
      }
  });

  it('is kept by no cache, shown in no frame, and runs no script', async () => {
    for (const path of ['/inbox', '/inbox/sign-in']) {
      const { headers } = await client.call(path, { user: path === '/inbox' ? 'ada' : undefined });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('script-src');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-robots-tag']).toContain('noindex');
    }
  });

  it('is refused with the reason > the connection is plain HTTP from another machine', async () => {
    for (const path of ['/inbox', '/inbox/sign-in']) {
      const headers = { Host: 'www.kitewright.example' };
      const answer = await client.call(path, { headers });
      expect([answer.status, answer.headers.location]).toEqual([403, undefined]);
      expect(answer.text).toContain(words.signIn.onlyHttps);
      const plain = { ...headers, 'X-Forwarded-Proto': 'http' };
      expect((await client.call(path, { headers: plain })).text).toContain(words.signIn.onlyHttps);
    }
    const answer = await client.signIn('ada', PASSWORD, { headers: { Host: 'www.kitewright.example' } });
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    expect(answer.text).toContain(words.signIn.onlyHttps);
  });
});

describe('inbox > sign-in', () => {
  it('does not say whether name or password was wrong', async () => {
    const wrong = await client.signIn('ada', 'wrong', { headers: { 'X-Forwarded-For': '10.0.0.1' } });
    const unknown = await client.signIn('eve', PASSWORD, { headers: { 'X-Forwarded-For': '10.0.0.2' } });
    for (const { status, headers } of [wrong, unknown])
      expect([status, headers['set-cookie'], headers['www-authenticate']]).toEqual([403, undefined, undefined]);
    expect(wrong.text).toContain(words.signIn.wrong);
    expect(unknown.text.replace('value="eve"', 'value="ada"')).toBe(wrong.text);
  });

  it('takes as long for an unknown name as for a wrong password', async () => {
    const hash = await hashPassword(PASSWORD, 14);
    const worker = await startWorker(users.map((user) => ({ ...user, hash })));
    const fastest = async (name: string, network: string) => {
      const times: number[] = [];
      for (let tries = 0; tries < 5; tries++) {
        const startedAt = performance.now();
        await worker.signIn(name, 'wrong', { headers: { 'X-Forwarded-For': network } });
        times.push(performance.now() - startedAt);
      }
      return Math.min(...times);
    };
    // Without the verification it would take a hundredth.
    expect(await fastest('eve', '10.0.1.1')).toBeGreaterThan((await fastest('ada', '10.0.1.2')) / 3);
  });

  it('survives odd forms', async () => {
    const forms = [
      '',
      'name[]=ada&password[]=x',
      '__proto__=x&name=ada',
      'name=%ff&password=%00',
      'name',
      '{"name":1}',
    ];
    for (const [index, form] of forms.entries()) {
      const headers = { 'X-Forwarded-For': `10.0.2.${index}` };
      const answer = await client.call('/inbox/sign-in', { method: 'POST', body: new URLSearchParams(form), headers });
      expect([form, answer.status, answer.headers['set-cookie']]).toEqual([form, 403, undefined]);
    }
    for (const query of ['to[]=/inbox/x', 'to=%ff', '__proto__[to]=x', 'to=/inbox&to=//evil.example', 'ended[]=x'])
      expect([query, await statusOf(client.call(`/inbox/sign-in?${query}`))]).toEqual([query, 200]);
  });

  it('takes a name with blanks around it, and a password in either Unicode form', async () => {
    expect((await client.signIn(' ada ', PASSWORD.normalize('NFD'))).status).toBe(303);
  });

  it('escapes what was typed > it was wrong', async () => {
    const { text } = await client.signIn('"><script>alert(1)</script>', 'wrong', { to: '/inbox?"><b>' });
    expect(text).not.toMatch(/<script|<b>/);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/inbox//evil.example',
    '/inbox/../x',
    '/inboxes',
    '/inbox\r\nSet-Cookie: a=b',
    'javascript:alert(1)',
    `/inbox?${'a'.repeat(1_000)}`,
  ])('leads to the list and not to %j', async (to) => {
    expect((await client.signIn('ada', PASSWORD, { to })).headers.location).toBe('/inbox');
    const Cookie = await client.sessionOf('ada');
    const path = `/inbox/sign-in?${new URLSearchParams({ to })}`;
    expect((await client.call(path, { headers: { Cookie } })).headers.location).toBe('/inbox');
  });

  it('is refused > another site sends it', async () => {
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': undefined, Origin: undefined },
    ]) {
      const answer = await client.signIn('ada', PASSWORD, { headers });
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
      expect(answer.text).toContain(words.signIn.otherSite);
    }
  });

  it('refuses a form that is larger than nginx lets pass', async () => {
    expect(await statusOf(client.signIn('ada', 'x'.repeat(20_000)))).toBe(413);
  });

  it('starts a session that scripts, other sites and plain HTTP do not get', async () => {
    const { headers } = await client.signIn('ada', PASSWORD, { headers: { ...TLS, Origin: TLS_ORIGIN } });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-inbox=[\w.-]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const local = await client.signIn('ada');
    expect(local.headers['set-cookie']).toEqual([
      expect.stringMatching(/^inbox=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    // Over TLS the plain name, which another subdomain could set, is not read.
    expect(await statusOf(client.call('/inbox', { headers: { ...TLS, Cookie: cookiesOf(local) } }))).toBe(303);
    // Nor is one that only looks like a `__Host-` cookie, which a subdomain could set as well.
    const host = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
    const isOpenedBy = (Cookie: string) => statusOf(client.call('/inbox', { headers: { ...TLS, Cookie } }));
    expect([await isOpenedBy(host), await isOpenedBy(`\u00A0${host}`)]).toEqual([200, 303]);
  });

  it('replaces the session that the browser had', async () => {
    const planted = cookiesOf(await client.signIn('bo'));
    const answer = await client.signIn('ada', PASSWORD, { headers: { Cookie: planted } });
    expect((await client.call('/inbox', { headers: { Cookie: cookiesOf(answer) } })).text).toContain('ada');
  });
});

describe('inbox > session', () => {
  it('is accepted by every worker of the installation', async () => {
    const other = await startWorker(users);
    expect(await isSession(await client.sessionOf('ada'), other)).toBe(true);
  });

  it.each([30, 120, 720])('ends after %d minutes without a request as set, and after 12 hours', async (idle) => {
    const worker = await startWorker(users, { INBOX_IDLE_MINUTES: idle });
    let cookie = cookiesOf(await worker.signIn('ada'));
    later((idle + 1) * MINUTE_MS);
    expect(await isSession(cookie, worker)).toBe(false);
    jest.restoreAllMocks();
    for (let minutes = idle - 1; minutes < 12 * 60; minutes += idle - 1) {
      later(minutes * MINUTE_MS);
      const answer = await worker.call('/inbox', { headers: { Cookie: cookie } });
      jest.restoreAllMocks();
      expect([minutes, answer.status]).toEqual([minutes, 200]);
      cookie = cookiesOf(answer);
    }
    later(12 * 60 * MINUTE_MS);
    expect(await isSession(cookie, worker)).toBe(false);
  });

  it('is not one of the future', async () => {
    later(10 * MINUTE_MS);
    const cookie = cookiesOf(await client.signIn('ada'));
    jest.restoreAllMocks();
    expect(await isSession(cookie)).toBe(false);
  });

  it('ends with the sign-out > the cookie was copied', async () => {
    const cookie = cookiesOf(await client.signIn('cy'));
    const others = await client.sessionOf('bo');
    expect((await client.call('/inbox', { headers: { Cookie: cookie } })).text).toContain(words.inbox.frame.signOut);
    const answer = await client.call('/inbox/sign-out', { method: 'POST', headers: { Cookie: cookie } });
    expect([answer.status, answer.headers.location, cookiesOf(answer)]).toEqual([303, '/inbox/sign-in', 'inbox=']);
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    expect([await isSession(cookie), await isSession(others)]).toEqual([false, true]);
    expect(await isSession(cookiesOf(await client.signIn('cy')))).toBe(true);
  });

  it('ends alone with its sign-out > the user has others', async () => {
    const [cookie, phone] = [cookiesOf(await client.signIn('cy')), cookiesOf(await client.signIn('cy'))];
    const worker = await startWorker(users);
    await client.call('/inbox/sign-out', { method: 'POST', headers: { Cookie: cookie } });
    for (const one of [client, worker])
      expect([await isSession(cookie, one), await isSession(phone, one)]).toEqual([false, true]);
    // An ended session neither ends others nor comes back.
    const body = { everywhere: 'yes' };
    await client.call('/inbox/sign-out', { method: 'POST', body, headers: { Cookie: cookie } });
    expect([await isSession(cookie), await isSession(phone)]).toEqual([false, true]);
    const again = cookiesOf(await client.signIn('cy'));
    await client.call('/inbox/sign-out', { method: 'POST', body, headers: { Cookie: phone } });
    expect([await isSession(again), await isSession(phone), await isSession(again, worker)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('stays ended until no copy is valid any more > its id is deleted after 12 hours', async () => {
    const ended = async () => {
      const rows = sql<{ name: string }>`SELECT name FROM properties WHERE name LIKE 'inbox session ended %'`;
      return (await stack.database.rows<{ name: string }>(rows)).map(({ name }) => name);
    };
    const signOut = async () => {
      const before = await ended();
      const cookie = cookiesOf(await client.signIn('cy'));
      await client.call('/inbox/sign-out', { method: 'POST', headers: { Cookie: cookie } });
      const now = await ended();
      return { name: now.find((one) => !before.includes(one)) ?? '', now };
    };
    const first = await signOut();
    const clock = later(12 * 3_600_000 - 60_000);
    const second = await signOut();
    clock.mockRestore();
    later(12 * 3_600_000 + 3 * 60_000);
    const third = await signOut();
    expect([first.name.includes('cy'), second.now.includes(first.name)]).toEqual([false, true]);
    expect([third.now.includes(first.name), third.now.includes(second.name)]).toEqual([false, true]);
  });

  it('stays ended > the clock of the worker that signed in was ahead', async () => {
    const worker = await startWorker(users, { INBOX_IDLE_MINUTES: 720 });
    const clock = later(50_000);
    const cookie = cookiesOf(await worker.signIn('cy'));
    clock.mockRestore();
    await worker.call('/inbox/sign-out', { method: 'POST', headers: { Cookie: cookie } });
    later(12 * 3_600_000 + 20_000);
    const other = cookiesOf(await worker.signIn('bo'));
    await worker.call('/inbox/sign-out', { method: 'POST', headers: { Cookie: other } });
    expect(await isSession(cookie, worker)).toBe(false);
  });

  it('ends alone with its sign-out > Redis is unavailable', async () => {
    const [cookie, phone] = [cookiesOf(await client.signIn('cy')), cookiesOf(await client.signIn('cy'))];
    const worker = await startWorker(users, { REDIS_URL: 'redis://127.0.0.1:1' });
    await worker.call('/inbox/sign-out', { method: 'POST', headers: { Cookie: cookie } });
    expect([await isSession(cookie), await isSession(phone), await isSession(phone, worker)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('ends with the next sign-in of the same browser', async () => {
    const former = cookiesOf(await client.signIn('bo'));
    const others = cookiesOf(await client.signIn('bo'));
    const next = cookiesOf(await client.signIn('ada', PASSWORD, { headers: { Cookie: former } }));
    expect([await isSession(former), await isSession(next), await isSession(others)]).toEqual([false, true, true]);
  });

  it('goes on > another site sends the sign-out', async () => {
    const Cookie = await client.sessionOf('bo');
    const headers = { Cookie, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    const refused = await client.call('/inbox/sign-out', { method: 'POST', headers });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(words.signIn.otherSite)]);
    expect(await statusOf(client.call('/inbox/sign-out', { headers: { Cookie } }))).toBe(404);
    expect(await isSession(Cookie)).toBe(true);
  });

  it('ends > the line of the user is removed or changed', async () => {
    const cookie = await client.sessionOf('hana');
    const hash = await hashPassword(PASSWORD, 10);
    const changes: Partial<InboxUser>[] = [{ name: 'hannah' }, { role: 'all' }, { hash }];
    for (const change of changes) {
      const other = await startWorker(users.map((user) => (user.name === 'hana' ? { ...user, ...change } : user)));
      expect([change, await isSession(cookie, other)]).toEqual([change, false]);
    }
    expect(await isSession(cookie)).toBe(true);
  });

  it('is not forged, extended or taken over by an edited cookie', async () => {
    const [content = '', mac = ''] = (await client.sessionOf('sam')).slice('inbox='.length).split('.');
    const session = JSON.parse(Buffer.from(content, 'base64url').toString()) as object;
    const edited = (changes: object) => Buffer.from(JSON.stringify({ ...session, ...changes })).toString('base64url');
    const [bos = '', bosMac = ''] = (await client.sessionOf('bo')).slice('inbox='.length).split('.');
    for (const forged of [
      `${edited({ name: 'ada' })}.${mac}`,
      `${edited({ since: Date.now() + 1 })}.${mac}`,
      `${bos}.${mac}`,
      `${content}.${bosMac}`,
      `${content}.`,
      `${content}.${'é'.repeat(mac.length)}`,
      content,
      '.',
      `${Buffer.from('null').toString('base64url')}.${mac}`,
      `${Buffer.from('{').toString('base64url')}.${mac}`,
    ])
      expect([forged, await isSession(`inbox=${Buffer.from(forged).toString('latin1')}`)]).toEqual([forged, false]);
    expect(await isSession(`other=1; inbox=${content}.${mac}`)).toBe(true);
  });
});

describe('inbox > host of its own', () => {
  const INBOX_URL = 'https://inbox.kitewright.example';
  const own = { ...TLS, Host: new URL(INBOX_URL).host, 'X-Forwarded-Host': new URL(INBOX_URL).host };
  let worker: InboxClient;

  beforeAll(async () => {
    worker = await startWorker(users, { INBOX_URL });
    Object.assign(stack.settings, { INBOX_URL: undefined });
  });

  it('is where every address on the host of the site leads to', async () => {
    const Cookie = `__Host-${await client.sessionOf('ada')}`;
    const paths = ['/inbox', '/inbox/KW-3F9K-Q7TM-X2VD-8HNC', '/inbox?q=a%26b', '/inbox/sign-in?to=%2Finbox%2FKW-1'];
    for (const headers of [
      TLS,
      { ...TLS, Cookie },
      { ...TLS, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' },
    ])
      for (const path of paths) {
        const answer = await worker.call(path, { headers });
        expect([path, answer.status, answer.headers.location]).toEqual([path, 303, `${INBOX_URL}${path}`]);
      }
    for (const path of ['//evil.example', '/inbox/%2e%2e/x', '/inbox?q=<b>'])
      expect(String((await worker.call(path, { headers: TLS })).headers.location ?? INBOX_URL)).toMatch(
        new RegExp(`^${INBOX_URL}(?:/inbox[^/]*)?$`),
      );
  });

  it('does not lead to itself > a proxy changes the port or the case of the host', async () => {
    const local = await startWorker(users, { INBOX_URL: `${INBOX_URL}:8443` });
    Object.assign(stack.settings, { INBOX_URL: undefined });
    for (const host of ['inbox.kitewright.example', 'inbox.kitewright.example:443', 'Inbox.kitewright.example:8443']) {
      const headers = { ...TLS, Host: host, 'X-Forwarded-Host': host };
      const { status, headers: sent } = await local.call('/inbox/sign-in', { headers });
      expect([host, status, sent.location]).toEqual([host, 200, undefined]);
    }
  });

  it('is where a form of the host of the site does nothing', async () => {
    const headers = { ...TLS, Origin: TLS_ORIGIN };
    const answer = await worker.signIn('ada', PASSWORD, { headers });
    expect([answer.status, answer.headers.location, answer.headers['set-cookie']]).toEqual([
      303,
      `${INBOX_URL}/inbox`,
      undefined,
    ]);
  });

  it('signs in, and opens the page of a link from the host of the site', async () => {
    const answer = await worker.signIn('ada', PASSWORD, { to: '/inbox?q=x', headers: { ...own, Origin: INBOX_URL } });
    expect([answer.status, answer.headers.location]).toEqual([303, '/inbox?q=x']);
    const link = { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' };
    const headers = { ...own, ...link, Cookie: cookiesOf(answer) };
    expect((await worker.call('/inbox?q=x', { headers })).status).toBe(200);
    // A page of the site is another origin now.
    const foreign = { ...own, 'Sec-Fetch-Site': 'same-site', Origin: TLS_ORIGIN };
    expect((await worker.signIn('ada', PASSWORD, { headers: foreign })).status).toBe(403);
  });

  it('is a name of this machine over plain HTTP', async () => {
    const Host = 'inbox.localhost:8080';
    const local = await startWorker(users, { INBOX_URL: `http://${Host}` });
    Object.assign(stack.settings, { INBOX_URL: undefined });
    const headers = { Host, 'X-Forwarded-Host': Host, Origin: `http://${Host}` };
    expect((await local.signIn('ada', PASSWORD, { headers })).status).toBe(303);
    expect((await local.call('/inbox')).headers.location).toBe(`http://${Host}/inbox`);
  });
});

describe('inbox > log', () => {
  it('has sign-ins, sign-outs and refusals, with names of users only', async () => {
    const lines: LogFields[] = [];
    for (const level of ['log', 'warn'] as const)
      jest.spyOn(Log.prototype, level).mockImplementation((fields) => void lines.push(fields));
    const headers = { 'X-Forwarded-For': '10.8.8.8' };
    const Cookie = cookiesOf(await client.signIn('cy', PASSWORD, { headers }));
    await client.call('/inbox/sign-out', { method: 'POST', headers: { ...headers, Cookie } });
    for (let tries = 0; tries < 11; tries++) await client.signIn('cy', 'a wrong password', { headers });
    // People also type a password into the field of the name.
    await client.signIn(PASSWORD, 'x', { headers });
    const [how, network] = ['password', clientKey('10.8.8.8')];
    const wrong = { event: 'sign-in refused', by: 'cy', how, network, reason: 'name or password' };
    expect(lines.filter(({ event }) => event.startsWith('sign'))).toEqual([
      { event: 'signed in', by: 'cy', how, network },
      { event: 'signed out', by: 'cy', how, network },
      ...Array.from({ length: 10 }, () => wrong),
      { ...wrong, reason: 'too many tries' },
      { ...wrong, by: undefined },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/10\.8\.8\.8|password:|with a colon|wrong password/);
  });
});

describe('inbox > wrong passwords', () => {
  it('are limited for one name and network, and a colleague there still gets in', async () => {
    const headers = { 'X-Forwarded-For': '10.7.7.7' };
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries++)
      statuses.push(await statusOf(client.signIn('ada', `${tries}`, { headers })));
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429]);
    expect(await statusOf(client.signIn('bo', 'a slip', { headers }))).toBe(403);
    expect(await statusOf(client.signIn('bo', PASSWORD, { headers }))).toBe(303);
  });

  it('are limited together > they come from the addresses of one IPv6 subscriber', async () => {
    const statuses: number[] = [];
    for (let address = 1; address <= 12; address++) {
      const headers = { 'X-Forwarded-For': `2001:db8:1:2:${address}::${address}` };
      statuses.push(await statusOf(client.signIn('ada', `${address}`, { headers })));
    }
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429]);
  });

  it('in a flood lock out neither sessions nor users at another network', async () => {
    const Cookie = await client.sessionOf('ada');
    // All connections at once are more than the system lets wait.
    const agent = new Agent({ maxSockets: 100 });
    const headers = { 'X-Forwarded-For': '10.9.9.9' };
    const flood = Array.from({ length: 300 }, (_, index) =>
      client.signIn(index % 2 === 0 ? 'ada' : 'nobody', `guess ${index}`, { headers, agent }),
    );
    expect(await isSession(Cookie)).toBe(true);
    const answers = await Promise.all(flood);
    const statuses = answers.map(({ status }) => status);
    const refused = answers.find(({ status }) => status === 503);
    expect([refused?.headers['content-type'], refused?.headers['retry-after']]).toEqual([
      'text/plain; charset=utf-8',
      '2',
    ]);
    expect(refused?.text).toBe(words.signIn.tooMany);
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(30);
    expect(statuses.filter((status) => ![403, 429, 503].includes(status))).toEqual([]);
    expect(await statusOf(client.call('/inbox', { headers: { ...headers, Cookie } }))).toBe(200);
    expect(await statusOf(client.signIn('ada', PASSWORD, { headers: { 'X-Forwarded-For': '10.9.9.10' } }))).toBe(303);
  });
});

describe('inbox > change', () => {
  it('compares the whole origin > the browser does not know Sec-Fetch-Site', async () => {
    const id = await storeEnquiry(stack, {}, { quarantined: true });
    const tls = { ...TLS, Cookie: `__Host-${await client.sessionOf('ada')}` };
    const cases: [string, number][] = [
      ['http://www.kitewright.example', 403],
      ['https://www.kitewright.example:8443', 403],
      ['https://www.kitewright.example', 409],
    ];
    // The action does not fit the state, so 409 says that the request got through.
    for (const [Origin, status] of cases) {
      const headers = { 'Sec-Fetch-Site': undefined, Origin, ...tls };
      const answer = await client.call(`/inbox/${id}/resend`, { user: 'ada', method: 'POST', headers });
      expect([Origin, answer.status]).toEqual([Origin, status]);
    }
    expect(await stack.stateOf(id)).toBe('quarantined');
  });

  it('is accepted from our own page only > all origins, sites and referrers', async () => {
    const id = await storeEnquiry(stack, {}, { quarantined: true });
    const { origin } = client;
    const https = origin.replace('http:', 'https:');
    const origins = [undefined, '', 'null', origin, https, 'http://127.0.0.1:1', 'https://evil.example', 'no URL'];
    const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'other'];
    const referrers = [undefined, `${origin}/inbox/${id}`, 'https://evil.example/'];
    for (const Origin of origins)
      for (const site of sites)
        for (const Referer of referrers) {
          const headers = { Origin, 'Sec-Fetch-Site': site, Referer };
          // A browser does not tell a proxy's scheme or port, so with its own verdict only the host is compared.
          const hasOurHost = [undefined, 'null', origin, https, 'http://127.0.0.1:1'].includes(Origin);
          const isOurs = site === undefined ? Origin === origin : site === 'same-origin' && hasOurHost;
          const { status } = await client.call(`/inbox/${id}/resend`, { user: 'ada', method: 'POST', headers });
          expect([headers, status]).toEqual([headers, isOurs ? 409 : 403]);
        }
  });

  it('is no link of another site to a page', async () => {
    const id = await storeApplication(stack, Buffer.from('%PDF-1.7'), { quarantined: true });
    const page = `/inbox/${id}`;
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' };
    const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'image' };
    const cases: [string, Record<string, string>, number][] = [
      ['/inbox', link, 200],
      [`${page}?from=mail`, link, 200],
      ['/inbox', image, 403],
      [page, { ...link, 'Sec-Fetch-Dest': 'iframe' }, 403],
      [page, { ...image, 'Sec-Fetch-Site': 'same-site' }, 403],
      ['/inbox/export.csv', link, 403],
      ['/inbox/EXPORT.csv/?q=x', link, 403],
      [`${page}/resume`, link, 403],
      [`${page}/view`, link, 403],
      [`${page}/resume/`, { ...link, 'Sec-Fetch-Site': 'same-site' }, 403],
      [`${page}/resume`, { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'document' }, 200],
      ['/inbox/export.csv', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' }, 200],
    ];
    for (const [path, headers, status] of cases)
      expect([path, headers, (await client.call(path, { user: 'ada', headers })).status]).toEqual([
        path,
        headers,
        status,
      ]);
  });

  it('is no fetch, frame, image or script of our own host', async () => {
    const id = await spam();
    const own = { 'Sec-Fetch-Site': 'same-origin', Origin: client.origin };
    const [tab, frame, fetched] = [
      { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
      { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
      { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' },
    ];
    const image = { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
    for (const method of ['GET', 'HEAD'])
      for (const path of ['/inbox', '/inbox/export.csv', `/inbox/${id}`, '/inbox/sign-in', '/inbox/sign-in/callback'])
        for (const how of [frame, fetched, image, { 'Sec-Fetch-Dest': 'object' }, { 'Sec-Fetch-Dest': '' }]) {
          const { status } = await client.call(path, { user: 'ada', method, headers: { ...own, ...how } });
          expect([method, path, how, status]).toEqual([method, path, how, 403]);
        }
    for (const path of [`/inbox/${id}/resend`, `/inbox/${id}/note`, '/inbox/sign-in', '/inbox/sign-out'])
      for (const how of [frame, fetched, { 'Sec-Fetch-Mode': 'no-cors' }, { 'Sec-Fetch-Mode': '' }]) {
        const answer = await client.call(path, { user: 'ada', method: 'POST', headers: { ...own, ...how } });
        expect([path, how, answer.status]).toEqual([path, how, 403]);
        expect(answer.text).toContain(words.signIn.program);
      }
    // The action does not fit the state, so 409 says that the request got through.
    const headers = { ...own, ...tab };
    expect(await statusOf(client.call(`/inbox/${id}/resend`, { user: 'ada', method: 'POST', headers }))).toBe(409);
    expect((await client.call('/inbox', { user: 'ada', headers })).status).toBe(200);
  });

  // Chromium's PDF viewer sends the request again to save, and so does "Save link as".
  it('is a download of a file > the browser saves it without a page', async () => {
    const page = `/inbox/${await storeApplication(stack, Buffer.from('%PDF-1.7'))}`;
    const saved = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Site': 'same-origin' };
    const statusesOf = (headers: Record<string, string>) =>
      Promise.all(
        ['/inbox/export.csv', `${page}/resume`, `${page}/view`, page, '/inbox'].map((path) =>
          statusOf(client.call(path, { user: 'ada', headers: { ...saved, ...headers } })),
        ),
      );
    expect(await statusesOf({})).toEqual([200, 200, 200, 403, 403]);
    expect(await statusesOf({ 'Sec-Fetch-Site': 'cross-site' })).toEqual([403, 403, 403, 403, 403]);
    expect(await statusesOf({ 'Sec-Fetch-Mode': 'no-cors' })).toEqual([403, 403, 403, 403, 403]);
    const post = { user: 'ada', method: 'POST', headers: { ...saved, Origin: client.origin } };
    expect(await statusOf(client.call(`${page}/resend`, post))).toBe(403);
  });

  it('is refused > another site, a frame or a program sends it', async () => {
    const id = await spam();
    const foreign: Readonly<Record<string, string>>[] = [
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'same-site', Origin: client.origin },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
      { 'Sec-Fetch-Site': 'none', Origin: '' },
    ];
    for (const headers of foreign) {
      for (const action of ['release', 'erase', 'resend'])
        expect((await client.call(`/inbox/${id}/${action}`, { user: 'ada', method: 'POST', headers })).status).toBe(
          403,
        );
    }
    expect(await stack.stateOf(id)).toBe('quarantined');
  });
});
