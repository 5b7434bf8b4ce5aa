import type { IncomingMessage, ServerResponse } from 'node:http';
import { words } from '../../form-service/test/words.ts';
import { expect, NginxServer, test } from './server.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const POST = { method: 'POST', body: '{}' };
const UNAVAILABLE = words.errors.server.unavailable;

/** Rounds of requests after which a limit that none has reached has no effect, even on a slow machine. */
const ROUNDS_MAX = 60;

test('/api > passes on one trusted hop and a request id', async ({ nginx }) => {
  let seen: IncomingMessage['headers'] = {};
  nginx.upstream = (request, response) => {
    seen = request.headers;
    response.end();
  };
  const own = { 'x-request-id': 'mine', 'idempotency-key': 'k-1234567890abcdef' };
  const claims = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'elsewhere.example',
    'x-forwarded-proto': 'https',
  };
  const host = 'www.kitewright.example:8443';
  const answer = await nginx.request('/api/contact', { ...POST, headers: { ...own, ...claims, host } });
  expect(seen).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    // With the port, which the inbox compares with the Origin header.
    'x-forwarded-host': host,
    'x-forwarded-proto': 'http',
    'idempotency-key': 'k-1234567890abcdef',
    'x-request-id': answer.headers['x-request-id'],
  });
  expect(seen['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
});

for (const [status, own, sent] of [
  [429, '7', '7'],
  [503, '7', '7'],
  [504, '7', '7'],
  [429, undefined, '60'],
  [503, undefined, '10'],
  [504, undefined, '10'],
] as const)
  test(`/api > has one Retry-After > ${status}, of the service: ${own}`, async ({ nginx }) => {
    nginx.upstream = (_, response) => void response.writeHead(status, own && { 'retry-after': own }).end();
    const { headers, headerNames } = await nginx.request('/api/contact', POST);
    expect(headers['retry-after']).toBe(sent);
    expect(headerNames.filter((name) => name === 'retry-after')).toHaveLength(1);
  });

test('/api > answers 503 in the requested format > the api is unavailable', async () => {
  // No server listens on port 1.
  const nginx = await NginxServer.start({ variables: { API_UPSTREAM: '127.0.0.1:1' } });
  try {
    for (const [accept, type, text] of [
      ['application/json', 'application/json; charset=utf-8', `{"success":false,"message":"${UNAVAILABLE}`],
      ['text/plain', 'text/plain; charset=utf-8', UNAVAILABLE],
      ['text/plain, application/json;q=0.5', 'text/plain; charset=utf-8', UNAVAILABLE],
      ['application/xml, text/plain', 'text/plain; charset=utf-8', UNAVAILABLE],
      [BROWSER, 'text/html; charset=utf-8', '<!doctype html>'],
      ['*/*', 'application/json; charset=utf-8', '{"success":false'],
    ] as const) {
      const { status, headers, body } = await nginx.request('/api/contact', { ...POST, headers: { accept } });
      expect(status).toBe(503);
      expect(headers).toMatchObject({
        'content-type': type,
        'retry-after': '10',
        'cache-control': 'no-store, no-transform',
      });
      expect(body.startsWith(text), accept).toBe(true);
      if (type.startsWith('application/json')) expect(JSON.parse(body)).toMatchObject({ success: false });
    }
    expect((await nginx.request('/about')).status).toBe(200);
  } finally {
    await nginx.close();
  }
});

test('/api > rejects long headers with a message', async ({ nginx }) => {
  const long = Object.fromEntries(Array.from({ length: 28 }, (_, at) => [`x-${at}`, 'x'.repeat(1000)]));
  const headers = { accept: 'application/json', ...long };
  const { status, body } = await nginx.request('/api/contact', { ...POST, headers });
  expect([status, JSON.parse(body).message]).toEqual([431, words.errors.server.longHeaders]);
});

test('/api > answers 429 with Retry-After > too many concurrent requests of a client', async ({ nginx }) => {
  const held: ServerResponse[] = [];
  nginx.upstream = (_, response) => void held.push(response);
  const headers = { accept: 'application/json' };
  const asked = Array.from({ length: 120 }, () =>
    nginx.request('/api/contact', { ...POST, headers, from: '127.0.0.9' }),
  );
  const refused = await Promise.race(asked);
  await expect.poll(() => held.length).toBe(100);
  for (const response of held) response.end();
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
  expect(JSON.parse(refused.body).message).toBe(words.errors.tooManyRequests);
  const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(100).fill(200), ...Array(20).fill(429)]);
});

test('/api > answers 429 > too many requests of a client per second', async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.end();
  const statuses = new Set<number>();
  // Above the burst of 200 and 100 per second, and below the limit of 100 at the same time.
  for (let round = 0; round < ROUNDS_MAX && !statuses.has(429); round += 1) {
    const asked = Array.from({ length: 90 }, () => nginx.request('/api/contact', { ...POST, from: '127.0.0.7' }));
    for (const { status } of await Promise.all(asked)) statuses.add(status);
  }
  expect([...statuses]).toEqual([200, 429]);
});

test('/inbox > accepts forms up to 16 KiB and compresses pages', async ({ nginx }) => {
  nginx.upstream = (request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/html').end('x'.repeat(5_000));
  };
  const form = (bytes: number) => nginx.request('/inbox/sign-in', { method: 'POST', body: 'x'.repeat(bytes) });
  expect([(await form(16_384)).status, (await form(16_385)).status]).toEqual([200, 413]);
  const headers = { 'accept-encoding': 'gzip' };
  expect((await nginx.request('/inbox', { headers })).headers['content-encoding']).toBe('gzip');
  expect((await nginx.request('/api/contact', { ...POST, headers })).headers['content-encoding']).toBeUndefined();
});

test('/healthz/deliveries > passes on the answer of the api', async ({ nginx }) => {
  for (const [status, body] of [
    [200, 'ok\n'],
    [503, 'late\n'],
  ] as const) {
    nginx.upstream = (_, response) => void response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
    for (const headers of [{}, { accept: BROWSER }])
      expect(await nginx.request('/healthz/deliveries', { headers })).toMatchObject({ status, body });
  }
});
