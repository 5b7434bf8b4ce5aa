import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, NginxServer, test } from './server.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const POST = { method: 'POST', body: '{}' };
const AWAY = 'The service is not available at the moment.';

test('A request reaches the api with one trusted hop and a request id.', async ({ nginx }) => {
  let seen: IncomingMessage['headers'] = {};
  nginx.upstream = (question, response) => {
    seen = question.headers;
    response.end();
  };
  const own = { cookie: 'a=b', 'x-request-id': 'mine', 'idempotency-key': 'k-12345678', forwarded: 'for=203.0.113.9' };
  const claims = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-real-ip': '203.0.113.9' };
  const answer = await nginx.ask('/api/contact', { ...POST, headers: { ...own, ...claims } });
  expect(seen).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'idempotency-key': 'k-12345678',
    'x-request-id': answer.headers['x-request-id'],
  });
  expect(seen['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  for (const header of ['x-real-ip', 'forwarded', 'cookie']) expect(seen[header]).toBeUndefined();
});

test("The api's own errors pass unchanged.", async ({ nginx }) => {
  const body = '{"success":false,"message":"Slowly."}';
  nginx.upstream = (_, response) =>
    void response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' }).end(body);
  const headers = { 'retry-after': '7', 'cache-control': 'no-store' };
  expect(await nginx.ask('/api/contact', POST)).toMatchObject({ status: 429, body, headers });
});

test('With the api away everybody gets 503 in the asked format, and the pages all the same.', async () => {
  // Nothing listens on port 1.
  const nginx = await NginxServer.start({ variables: { API_UPSTREAM: '127.0.0.1:1' } });
  try {
    for (const [accept, type, text] of [
      ['application/json', 'application/json; charset=utf-8', `{"success":false,"message":"${AWAY}`],
      ['text/plain', 'text/plain; charset=utf-8', AWAY],
      ['text/plain, application/json;q=0.5', 'text/plain; charset=utf-8', AWAY],
      [BROWSER, 'text/html; charset=utf-8', '<!doctype html>'],
      ['*/*', 'application/json; charset=utf-8', '{"success":false'],
    ] as const) {
      const { status, headers, body } = await nginx.ask('/api/contact', { ...POST, headers: { accept } });
      expect(status).toBe(503);
      expect(headers).toMatchObject({ 'content-type': type, 'retry-after': '10', 'cache-control': 'no-store' });
      expect(body.startsWith(text), accept).toBe(true);
      if (type.startsWith('application/json')) expect(JSON.parse(body)).toMatchObject({ success: false });
    }
    expect((await nginx.ask('/about')).status).toBe(200);
  } finally {
    await nginx.close();
  }
});

for (const [path, megabytes, message] of [
  ['/api/contact', 1, 'The message is too large. Please shorten it and try again.'],
  ['/api/resume', 12, 'File size must be less than 10MB'],
] as const) {
  test(`A body too large for ${path} is refused in words.`, async ({ nginx }) => {
    nginx.upstream = (question, response) => void question.resume().on('end', () => response.end());
    const headers = { 'content-length': megabytes * 1024 * 1024, accept: 'application/json', expect: '100-continue' };
    const answer = await nginx.ask(path, { method: 'POST', headers });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([413, { success: false, message }]);
  });
}

test('A method that nobody knows, and headers that are too long, are refused in words before they reach the api.', async ({
  nginx,
}) => {
  let reached = 0;
  nginx.upstream = (_, response) => {
    reached += 1;
    response.end();
  };
  const headers = { accept: 'application/json' };
  const unknown = await nginx.ask('/api/contact', { method: 'FOO', headers });
  expect([unknown.status, unknown.headers.allow]).toEqual([405, 'POST']);
  expect(JSON.parse(unknown.body).message).toBe('This address does not accept that kind of request.');
  const long = await nginx.ask('/api/contact', {
    ...POST,
    headers: {
      ...headers,
      ...Object.fromEntries(Array.from({ length: 28 }, (_, at) => [`x-${at}`, 'x'.repeat(1000)])),
    },
  });
  expect([long.status, JSON.parse(long.body).message]).toEqual([431, 'The request headers are too large.']);
  expect(reached).toBe(0);
});

test('Headers as long as nginx takes them are not too long for the api.', async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.end('taken');
  const headers = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`x-${at}`, 'x'.repeat(950)]));
  expect(await nginx.ask('/api/contact', { ...POST, headers })).toMatchObject({ status: 200, body: 'taken' });
});

test('A résumé of 10 MiB and its fields pass through.', async ({ nginx }) => {
  let received = 0;
  nginx.upstream = (question, response) => {
    question.on('data', (chunk: Buffer) => (received += chunk.length));
    question.on('end', () => response.writeHead(202).end());
  };
  const body = Buffer.alloc(10 * 1024 * 1024 + 64 * 1024, 1);
  const answer = await nginx.ask('/api/resume', { method: 'POST', body });
  expect([answer.status, received]).toEqual([202, body.length]);
});

test('A flood from one client is answered 429 with a pause to keep.', async ({ nginx }) => {
  const held: ServerResponse[] = [];
  nginx.upstream = (_, response) => void held.push(response);
  const headers = { accept: 'application/json' };
  const asked = Array.from({ length: 120 }, () => nginx.ask('/api/contact', { ...POST, headers, from: '127.0.0.9' }));
  const refused = await Promise.race(asked);
  await expect.poll(() => held.length).toBe(100);
  for (const response of held) response.end();
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
  expect(JSON.parse(refused.body).message).toContain('Too many requests');
  const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(100).fill(200), ...Array(20).fill(429)]);
});

test('So is one of requests that are each answered at once.', async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.end();
  const statuses = new Set<number>();
  // At 100 a second, and 200 more to begin with, no machine is so slow that all of these pass.
  for (let round = 0; round < 60 && !statuses.has(429); round += 1) {
    const asked = Array.from({ length: 50 }, () => nginx.ask('/api/contact', { ...POST, from: '127.0.0.7' }));
    for (const { status } of await Promise.all(asked)) statuses.add(status);
  }
  expect([...statuses]).toEqual([200, 429]);
});

test('A flood at the inbox is refused long before one of forms, and forms are taken from there all the while.', async ({
  nginx,
}) => {
  nginx.upstream = (_, response) => void response.end();
  const statuses: number[] = [];
  while (!statuses.includes(429)) {
    const asked = ['/inbox', '/inbox/KW-0', '/inbox/export.csv', '/inbox/KW-0/erase'].flatMap((path) =>
      Array.from({ length: 5 }, () => nginx.ask(path, { from: '127.0.0.14' })),
    );
    for (const { status } of await Promise.all(asked)) statuses.push(status);
  }
  // 60 to begin with and 5 a second, where the api's calls have 200 and 100.
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(180);
  expect((await nginx.ask('/api/contact', { ...POST, from: '127.0.0.14' })).status).toBe(200);
});

test("The form token is the api's, takes no body worth the name, and is never kept.", async ({ nginx }) => {
  const headers = { 'cache-control': 'no-store' };
  nginx.upstream = (_, response) => void response.writeHead(200, headers).end('{}');
  expect(await nginx.ask('/api/form-token')).toMatchObject({ status: 200, body: '{}', headers });
  const large = { method: 'POST', body: 'x'.repeat(2_000) };
  expect((await nginx.ask('/api/form-token', large)).status).toBe(413);
});

test('One client gets few form tokens a second, and submissions are not counted with them.', async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.end('{}');
  const from = '127.0.0.8';
  const answers = await Promise.all(Array.from({ length: 120 }, () => nginx.ask('/api/form-token', { from })));
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  // At once, and then five a second for as long as the asking takes.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(40);
  expect((await nginx.ask('/api/contact', { ...POST, from })).status).toBe(200);
});

test("The api's own health and metrics are not reachable.", async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.end('inside');
  for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await nginx.ask(path)).status).toBe(404);
});
