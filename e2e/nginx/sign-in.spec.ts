import { words } from '../../form-service/test/words.ts';
import { expect, NginxServer, test } from './server.ts';

/** Tries of a network that pass at once. */
const BURST = 20;
/** A further try passes every six seconds. */
const SECONDS_EACH = 6;

const INBOX_HOST = 'inbox.kitewright.example';

let nginx: NginxServer;

test.beforeAll(async () => {
  const variables = { INBOX_URL: `https://${INBOX_HOST}`, TRUSTED_PROXIES: '127.0.0.1' };
  nginx = await NginxServer.start({ variables });
  nginx.upstream = (_, response) => void response.writeHead(202, { 'content-type': 'text/html' }).end('worker');
});
test.afterAll(() => nginx.close());

/** Sends a request of a browser. @param from its address */
const send = (from: string, path: string, method = 'POST', headers: Readonly<Record<string, string>> = {}) =>
  nginx.request(path, { method, headers: { accept: 'text/html', 'x-forwarded-for': from, ...headers } });

/** Uses up the tries of a network. @returns the statuses, and how many tries may have passed at most */
async function flood(addresses: readonly string[], paths: readonly string[] = ['/inbox/sign-in']) {
  const startedAt = performance.now();
  const statuses: number[] = [];
  for (let tries = 0; tries < BURST + 10; tries++)
    statuses.push((await send(addresses[tries % addresses.length] ?? '', paths[tries % paths.length] ?? '')).status);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { passed: statuses.filter((status) => status === 202).length, max: BURST + 1 + seconds / SECONDS_EACH };
}

test('sign-in > is limited by network > in every spelling of its path', async () => {
  const { passed, max } = await flood(['192.0.2.1'], ['/inbox/sign-in', '/inbox/Sign-In', '/inbox/sign-in/?to=%2F']);
  expect(passed).toBeGreaterThanOrEqual(BURST);
  expect(passed).toBeLessThanOrEqual(max);
});

test('sign-in > is limited together > addresses of one IPv6 subscriber', async () => {
  const addresses = Array.from({ length: 9 }, (_, host) => `2001:db8:1:2:${host}::1`);
  const { passed, max } = await flood(addresses);
  expect(passed).toBeLessThanOrEqual(max);
  expect((await send('2001:db8:1:3::1', '/inbox/sign-in')).status).toBe(202);
});

for (const host of ['kitewright.example', INBOX_HOST])
  test(`sign-in > says when to try again > too many tries at ${host}`, async () => {
    const from = host === INBOX_HOST ? '192.0.2.3' : '192.0.2.2';
    await flood([from]);
    const page = await send(from, '/inbox/sign-in', 'POST', { host });
    expect([page.status, page.headers['retry-after'], page.headers['content-type']]).toEqual([
      429,
      '60',
      'text/html; charset=utf-8',
    ]);
    expect(page.body).toContain(`<p>${words.errors.tooManyRequests}</p>`);
    expect(page.body).toContain('<link rel="stylesheet" href="/site.css">');
    expect(page.body, 'the host of the inbox has no other page').not.toContain('<a ');
  });

test('sign-in > leaves other networks and signed-in users alone > a flood', async () => {
  await flood(['192.0.2.4']);
  const others: readonly (readonly [from: string, path: string, method: string])[] = [
    ['192.0.2.5', '/inbox/sign-in', 'POST'],
    ['192.0.2.4', '/inbox', 'GET'],
    ['192.0.2.4', '/inbox/KW-0/note', 'POST'],
    ['192.0.2.4', '/inbox/sign-out', 'POST'],
    ['192.0.2.4', '/inbox/sign-in', 'GET'],
    ['192.0.2.4', '/inbox/sign-in/oidc', 'POST'],
  ];
  for (const [from, path, method] of others)
    expect([from, path, (await send(from, path, method)).status]).toEqual([from, path, 202]);
});
