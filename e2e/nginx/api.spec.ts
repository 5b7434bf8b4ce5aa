import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from './server.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('a request reaches the api with one trusted hop and a request id', async ({ nginx }) => {
  let seen: IncomingMessage['headers'] = {};
  nginx.upstream = (question, response) => {
    seen = question.headers;
    response.end();
  };
  const answer = await nginx.ask('/api/contact', {
    method: 'POST',
    body: '{}',
    headers: {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-real-ip': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      'x-request-id': 'mine',
      cookie: 'a=b',
      'idempotency-key': 'k-12345678',
    },
  });
  expect(seen).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'idempotency-key': 'k-12345678',
    'x-request-id': answer.headers['x-request-id'],
  });
  expect(seen['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  for (const header of ['x-real-ip', 'forwarded', 'cookie']) expect(seen[header]).toBeUndefined();
});

test("the api's own errors pass unchanged", async ({ nginx }) => {
  nginx.upstream = (_, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' });
    response.end('{"success":false,"message":"Slowly."}');
  };
  const answer = await nginx.ask('/api/contact', { method: 'POST', body: '{}' });
  expect(answer).toMatchObject({
    status: 429,
    body: '{"success":false,"message":"Slowly."}',
    headers: { 'retry-after': '7', 'cache-control': 'no-store' },
  });
});

test.describe('with the api away', () => {
  for (const [accept, type, text] of [
    [
      'application/json',
      'application/json; charset=utf-8',
      '{"success":false,"message":"The service is not available at the moment.',
    ],
    ['text/plain', 'text/plain; charset=utf-8', 'The service is not available at the moment.'],
    ['text/plain, application/json;q=0.5', 'text/plain; charset=utf-8', 'The service is not available at the moment.'],
    [BROWSER, 'text/html; charset=utf-8', '<!doctype html>'],
    ['*/*', 'application/json; charset=utf-8', '{"success":false'],
  ] as const) {
    test(`who accepts ${accept} gets 503 as ${type}`, async ({ nginx }) => {
      const answer = await nginx.whileApiIsDown(() =>
        nginx.ask('/api/contact', { method: 'POST', body: '{}', headers: { accept } }),
      );
      expect(answer.status).toBe(503);
      expect(answer.headers).toMatchObject({ 'content-type': type, 'retry-after': '10', 'cache-control': 'no-store' });
      expect(answer.body.startsWith(text)).toBe(true);
      if (type.startsWith('application/json')) expect(JSON.parse(answer.body)).toMatchObject({ success: false });
    });
  }

  test('the pages are served all the same', async ({ nginx }) => {
    expect((await nginx.whileApiIsDown(() => nginx.ask('/about'))).status).toBe(200);
  });
});

test('a submission whose connection breaks is not sent a second time', async ({ nginx }) => {
  let times = 0;
  nginx.upstream = (question) => {
    times += 1;
    question.socket.destroy();
  };
  const answer = await nginx.ask('/api/contact', { method: 'POST', body: '{}' });
  expect([answer.status, times]).toEqual([503, 1]);
});

test.describe('a body too large', () => {
  for (const [path, megabytes, sentence] of [
    ['/api/contact', 1, 'The message is too large. Please shorten it and try again.'],
    ['/api/resume', 12, 'File size must be less than 10MB'],
  ] as const) {
    test(`for ${path} is refused in words`, async ({ nginx }) => {
      nginx.upstream = (question, response) => void question.resume().on('end', () => response.end());
      const answer = await nginx.ask(path, {
        method: 'POST',
        headers: { 'content-length': megabytes * 1024 * 1024, accept: 'application/json', expect: '100-continue' },
      });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.body)).toEqual({ success: false, message: sentence });
    });
  }
});

test('a résumé of 10 MiB and its fields pass through', async ({ nginx }) => {
  let received = 0;
  nginx.upstream = (question, response) => {
    question.on('data', (chunk: Buffer) => (received += chunk.length));
    question.on('end', () => response.writeHead(202).end());
  };
  const body = Buffer.alloc(10 * 1024 * 1024 + 64 * 1024, 1);
  const answer = await nginx.ask('/api/resume', { method: 'POST', body });
  expect([answer.status, received]).toEqual([202, body.length]);
});

test('a flood from one client is answered 429 with a pause to keep', async ({ nginx }) => {
  const held: ServerResponse[] = [];
  nginx.upstream = (_, response) => void held.push(response);
  const asked = Array.from({ length: 120 }, () =>
    nginx.ask('/api/contact', { method: 'POST', body: '{}', headers: { accept: 'application/json' } }),
  );
  const refused = await Promise.race(asked);
  await expect.poll(() => held.length).toBe(100);
  for (const response of held) response.end();
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('60');
  expect(JSON.parse(refused.body)).toMatchObject({
    success: false,
    message: expect.stringContaining('Too many requests'),
  });
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
});

test.describe('the address of form tokens', () => {
  const PATH = '/api/form-token';

  test("is the api's, takes no body worth the name, and is never kept", async ({ nginx }) => {
    nginx.upstream = (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end('{}');
    expect(await nginx.ask(PATH)).toMatchObject({ status: 200, body: '{}', headers: { 'cache-control': 'no-store' } });
    expect((await nginx.ask(PATH, { method: 'POST', body: 'x'.repeat(2_000) })).status).toBe(413);
  });

  test('gives one client few a second, and submissions are not counted with them', async ({ nginx }) => {
    nginx.upstream = (_, response) => void response.end('{}');
    const statuses = await Promise.all(Array.from({ length: 120 }, async () => (await nginx.ask(PATH)).status));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    // At once, and then five a second for as long as the asking takes.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(40);
    expect((await nginx.ask('/api/contact', { method: 'POST', body: '{}' })).status).toBe(200);
  });
});

test("the api's own health and metrics are not reachable", async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.end('inside');
  for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await nginx.ask(path)).status).toBe(404);
});
