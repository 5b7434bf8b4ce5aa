import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { cookiesOf, InboxClient, inboxUsers, PASSWORD, type Answer } from '../../test/inbox-client.ts';
import { storeApplication } from '../../test/submissions.ts';
import { HOUR_MS, MINUTE_MS } from '../settings/durations.ts';
import type { InboxUser } from '../settings/inbox-users.ts';
import type { Settings } from '../settings/settings.ts';
import { clientKey } from '../http/request-context.middleware.ts';
import { Log, type LogFields } from '../observability/log.ts';
import { words } from '../../test/words.ts';

/** Headers of nginx for a visitor over TLS. */
const HOST = 'www.kitewright.example';
const TLS = { Host: HOST, 'X-Forwarded-Host': HOST, 'X-Forwarded-Proto': 'https', Origin: `https://${HOST}` };

let stack: DeliveryStack;
let users: readonly InboxUser[];
let client: InboxClient;

/** Starts a worker of the same installation with these lines of `INBOX_USERS`. */
async function startWorker(lines?: readonly InboxUser[], settings: Partial<Settings> = {}): Promise<InboxClient> {
  const before = stack.settings;
  Object.assign(stack, { settings: { ...before, INBOX_USERS: lines, ...settings } });
  const worker = (await stack.startWorker()) as INestApplication;
  Object.assign(stack, { settings: before });
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
const later = (ms: number) => {
  const now = Date.now();
  return jest.spyOn(Date, 'now').mockReturnValue(now + ms);
};
/** Whether a cookie opens the inbox. */
const isSession = async (Cookie: string, worker = client) =>
  (await worker.call('/inbox', { headers: { Cookie } })).status === 200;
const signOut = (Cookie: string, body: Readonly<Record<string, string>> = {}, worker = client) =>
  worker.call('/inbox/sign-out', { method: 'POST', body, headers: { Cookie } });

describe('inbox > page', () => {
  it.each([
    ['/inbox?q=a%26b&state=failed', 'GET', '/inbox?q=a%26b&state=failed'],
    ['/inbox/KW-1/view', 'GET', '/inbox/KW-1'],
    ['/inbox/KW-1/release', 'POST', '/inbox/KW-1'],
  ])('leads to the sign-in, and from there on > %s by %s', async (path, method, to) => {
    const { status, headers } = await client.call(path, { method });
    const isLost = method === 'POST';
    const query = new URLSearchParams({ to, ...(isLost && { ended: 'yes' }) });
    expect([status, headers.location]).toEqual([303, `/inbox/sign-in?${query}`]);
    expect((await client.call(String(headers.location))).text.includes(words.signIn.ended)).toBe(isLost);
    expect((await client.signIn('ada', PASSWORD, { to })).headers.location).toBe(to);
  });

  it('shows a note for copying > it was posted into an ended session', async () => {
    const body = { note: 'Called on "Monday"\r\n<b>offer</b>' };
    const page = await client.call('/inbox/KW-1/note', { method: 'POST', body });
    expect([page.status, page.text.includes(words.signIn.copyNote)]).toEqual([403, true]);
    expect(page.text).toContain('>Called on &#34;Monday&#34;\n&#60;b&#62;offer&#60;/b&#62;</textarea>');
    expect(page.text).toContain('href="/inbox/sign-in?to=%2Finbox%2FKW-1&#38;ended=yes"');
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await client.call('/inbox/KW-1/note', { method: 'POST', body, headers })).text).not.toContain('Monday');
  });

  it('is refused over plain HTTP from elsewhere', async () => {
    const headers = { ...TLS, 'X-Forwarded-Proto': 'http' };
    for (const answer of [
      await client.call('/inbox', { headers }),
      await client.call('/inbox/sign-in', { headers }),
      await client.signIn('ada', PASSWORD, { headers }),
    ]) {
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
      expect(answer.text).toContain(words.signIn.onlyHttps);
    }
  });

  it('is the 404 of the worker, and asks for no password > there are no users', async () => {
    const off = await startWorker(undefined);
    for (const path of ['/inbox', '/inbox/sign-in', '/inbox/KW-AAAA-AAAA-AAAA-AAAA'])
      expect(await statusOf(off.call(path))).toBe(404);
  });
});

describe('inbox > request of a script, frame or other site', () => {
  const own = (dest: string, mode: string) => ({
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Dest': dest,
    'Sec-Fetch-Mode': mode,
  });
  const crossSite = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document', Origin: 'https://evil.example' };
  let id: string;
  beforeAll(async () => {
    id = await storeApplication(stack, Buffer.from('%PDF-1.7'), { quarantined: true });
  });

  it.each([
    ['another site', crossSite, words.signIn.otherSite],
    ['a script of our own host', own('empty', 'cors'), words.signIn.program],
    ['a frame', own('iframe', 'navigate'), words.signIn.program],
  ])('changes nothing, and reads no file > %s', async (_, headers, reason) => {
    const Cookie = await client.sessionOf('bo');
    for (const path of [`/inbox/${id}/erase`, '/inbox/mark', '/inbox/sign-out', '/inbox/sign-in']) {
      const body = { id, as: 'spam', version: '0', name: 'ada', password: PASSWORD };
      const answer = await client.call(path, { method: 'POST', body, headers: { Cookie, ...headers } });
      expect([path, answer.status, answer.headers['set-cookie']]).toEqual([path, 403, undefined]);
      expect(answer.text).toContain(reason);
    }
    for (const path of [`/inbox/${id}/resume`, `/inbox/${id}/view`, '/inbox/export.csv'])
      expect([path, await statusOf(client.call(path, { headers: { Cookie, ...headers } }))]).toEqual([path, 403]);
    expect([await stack.stateOf(id), await isSession(Cookie)]).toEqual(['quarantined', true]);
  });

  it('is accepted from a page of the inbox', async () => {
    const headers = { ...own('document', 'navigate'), Origin: client.origin };
    // The action does not fit the state, so 409 says that the request got through.
    const change = client.call(`/inbox/${id}/resend`, { user: 'ada', method: 'POST', headers });
    expect([await statusOf(change), await stack.stateOf(id)]).toEqual([409, 'quarantined']);
    expect(await statusOf(client.call(`/inbox/${id}/view`, { user: 'ada', headers }))).toBe(200);
  });
});

describe('inbox > sign-in', () => {
  it('does not say whether name or password was wrong', async () => {
    const wrong = await client.signIn('ada', 'wrong');
    const unknown = await client.signIn('eve');
    for (const { status, headers } of [wrong, unknown])
      expect([status, headers['set-cookie'], headers['www-authenticate']]).toEqual([403, undefined, undefined]);
    expect(wrong.text).toContain(words.signIn.wrong);
    expect(unknown.text.replace('value="eve"', 'value="ada"')).toBe(wrong.text);
  });

  it('starts a session that scripts, other sites and plain HTTP do not get', async () => {
    const { headers } = await client.signIn('ada', PASSWORD, { headers: TLS });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-inbox=[\w.-]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const local = await client.signIn('ada');
    expect(local.headers['set-cookie']).toEqual([
      expect.stringMatching(/^inbox=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const host = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
    const isOpenedBy = (Cookie: string) => statusOf(client.call('/inbox', { headers: { ...TLS, Cookie } }));
    // Another subdomain could set the plain name, and one that only looks like a `__Host-` cookie.
    expect([await isOpenedBy(host), await isOpenedBy(cookiesOf(local)), await isOpenedBy(`\u00A0${host}`)]).toEqual([
      200, 303, 303,
    ]);
  });

  it('ends and replaces the session that the browser had', async () => {
    const [former, others] = [cookiesOf(await client.signIn('bo')), cookiesOf(await client.signIn('bo'))];
    const next = cookiesOf(await client.signIn('ada', PASSWORD, { headers: { Cookie: former } }));
    expect((await client.call('/inbox', { headers: { Cookie: next } })).text).toContain('<b>ada</b>');
    expect([await isSession(former), await isSession(next), await isSession(others)]).toEqual([false, true, true]);
  });
});

describe('inbox > session', () => {
  it.each([30, 720])('ends after %d minutes without a request as set, and after 12 hours', async (idle) => {
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
    later(12 * HOUR_MS);
    expect(await isSession(cookie, worker)).toBe(false);
  });

  it('is not one of the future', async () => {
    later(10 * MINUTE_MS);
    const cookie = cookiesOf(await client.signIn('ada'));
    jest.restoreAllMocks();
    expect(await isSession(cookie)).toBe(false);
  });

  it('ends with its sign-out > copied cookie, all workers, other devices', async () => {
    const worker = await startWorker(users);
    const [cookie, phone] = [cookiesOf(await client.signIn('cy')), cookiesOf(await client.signIn('cy'))];
    expect([await isSession(cookie, worker), await isSession(phone, worker)]).toEqual([true, true]);
    const answer = await signOut(cookie);
    expect([answer.status, cookiesOf(answer), answer.headers['clear-site-data']]).toEqual([303, 'inbox=', '"cache"']);
    // An ended session does not end the others.
    await signOut(cookie, { everywhere: 'yes' });
    for (const one of [client, worker])
      expect([await isSession(cookie, one), await isSession(phone, one)]).toEqual([false, true]);
  });

  it('ends with a sign-out everywhere > of its user only', async () => {
    const sessions = [cookiesOf(await client.signIn('cy')), cookiesOf(await client.signIn('cy'))];
    const others = await client.sessionOf('ada');
    expect((await client.call('/inbox', { user: 'cy' })).text).toContain('name="everywhere" value="yes"');
    await signOut(sessions[0] ?? '', { everywhere: 'yes' });
    expect(await Promise.all([...sessions, others].map((one) => isSession(one)))).toEqual([false, false, true]);
    expect(await isSession(cookiesOf(await client.signIn('cy')))).toBe(true);
  });

  it('stays ended > the clock of the worker that signed in was ahead', async () => {
    const worker = await startWorker(users, { INBOX_IDLE_MINUTES: 720 });
    const clock = later(50_000);
    const cookie = cookiesOf(await worker.signIn('cy'));
    clock.mockRestore();
    await signOut(cookie, {}, worker);
    later(12 * HOUR_MS + 20_000);
    await signOut(cookiesOf(await worker.signIn('bo')), {}, worker);
    expect(await isSession(cookie, worker)).toBe(false);
  });

  it.each<Partial<InboxUser>>([{ name: 'hannah' }, { role: 'all' }, { hash: 'scrypt.10.1.AAAA.AAAA' }])(
    'ends > the line of the user gets %j',
    async (change) => {
      const cookie = await client.sessionOf('hana');
      const other = await startWorker(users.map((user) => (user.name === 'hana' ? { ...user, ...change } : user)));
      expect([await isSession(cookie, other), await isSession(cookie)]).toEqual([false, true]);
    },
  );

  it('is not forged, extended or taken over by an edited cookie', async () => {
    const [content = '', mac = ''] = (await client.sessionOf('sam')).slice('inbox='.length).split('.');
    const session = JSON.parse(Buffer.from(content, 'base64url').toString()) as object;
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [bos = '', bosMac = ''] = (await client.sessionOf('bo')).slice('inbox='.length).split('.');
    for (const forged of [
      `${encoded({ ...session, name: 'ada' })}.${mac}`,
      `${encoded({ ...session, since: Date.now() + 1 })}.${mac}`,
      `${encoded({ ...session, seen: Date.now() + 1 })}.${mac}`,
      `${encoded(null)}.${mac}`,
      `${bos}.${mac}`,
      `${content}.${bosMac}`,
      `${content}.`,
      `${content}.${'é'.repeat(mac.length)}`,
      content,
      '.',
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
  });

  it('is where every address on the host of the site leads to', async () => {
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' };
    for (const path of ['/inbox/KW-3F9K-Q7TM-X2VD-8HNC', '/inbox?q=a%26b', '/inbox/sign-in?to=%2Finbox']) {
      const { status, headers } = await worker.call(path, { headers: { ...TLS, ...link } });
      expect([path, status, headers.location]).toEqual([path, 303, `${INBOX_URL}${path}`]);
    }
    const form = await worker.signIn('ada', PASSWORD, { headers: TLS });
    expect([form.headers.location, form.headers['set-cookie']]).toEqual([`${INBOX_URL}/inbox`, undefined]);
  });

  it('signs in, and opens the page of a link from the host of the site', async () => {
    const answer = await worker.signIn('ada', PASSWORD, { to: '/inbox?q=x', headers: { ...own, Origin: INBOX_URL } });
    expect([answer.status, answer.headers.location]).toEqual([303, '/inbox?q=x']);
    const link = { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' };
    const headers = { ...own, ...link, Cookie: cookiesOf(answer) };
    expect((await worker.call('/inbox?q=x', { headers })).status).toBe(200);
    // A page of the site is another origin now.
    const foreign = { ...own, 'Sec-Fetch-Site': 'same-site' };
    expect((await worker.signIn('ada', PASSWORD, { headers: foreign })).status).toBe(403);
  });

  it('does not lead to itself > a proxy changes the port or the case of the host', async () => {
    for (const host of ['inbox.kitewright.example:8443', 'Inbox.kitewright.example']) {
      const headers = { ...TLS, Host: host, 'X-Forwarded-Host': host };
      const { status, headers: sent } = await worker.call('/inbox/sign-in', { headers });
      expect([host, status, sent.location]).toEqual([host, 200, undefined]);
    }
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
    await client.signIn('cy', 'a wrong password', { headers });
    // People also type a password into the field of the name.
    await client.signIn(PASSWORD, 'x', { headers });
    const [how, network] = ['password', clientKey('10.8.8.8')];
    expect(lines.filter(({ event }) => event.startsWith('sign'))).toEqual([
      { event: 'signed in', by: 'cy', how, network },
      { event: 'signed out', by: 'cy', how, network },
      { event: 'sign-in refused', by: 'cy', how, network, reason: 'name or password' },
      { event: 'sign-in refused', how, network, reason: 'name or password' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/10\.8\.8\.8|password:|with a colon|wrong password/);
  });
});
