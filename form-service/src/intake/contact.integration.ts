import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { ApiServer, eraseAtNextFind } from '../../test/api-server.ts';
import { pdf } from '../../test/corpus/pdf.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { sampled } from '../../test/sample.ts';
import { until } from '../../test/until.ts';
import { contact } from '../contract/forms/contact.ts';
import { messages } from '../contract/messages.ts';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { HealthService } from '../observability/health.service.ts';
import { SERVICE } from '../../test/services.ts';
import { words } from '../../test/words.ts';

const ENQUIRY = {
  name: 'Ada <b>Lovelace</b>',
  email: 'ada@visitor.example',
  phone: '',
  service: SERVICE,
  message: 'שלום 👋 "hello" & goodbye',
};
const KEY = { 'Idempotency-Key': 'a-key-of-the-browser-1' };

describe('intake > POST /api/contact', () => {
  let redis: RedisServer;
  let api: ApiServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
    api = await ApiServer.start(redis.url);
  });
  afterEach(() => api.clear());
  afterAll(async () => {
    await api.close();
    await redis.stop();
  });

  const stored = async (response: Response) => {
    const { reference } = (await response.json()) as { reference: string };
    const found = await api.submissions.find(reference);
    if (!found) throw new Error('not stored');
    return found;
  };

  it('stores an enquiry and answers with its reference', async () => {
    const response = await api.postJson('/api/contact', { ...ENQUIRY, extra: 'ignored' });
    expect(response.status).toBe(202);
    const answer = (await response.json()) as { reference: string };
    expect(answer).toMatchObject({ success: true, message: contact.words.sent });
    const found = await api.submissions.find(answer.reference);
    expect(found).toMatchObject({ state: 'pending', form: 'contact', fields: ENQUIRY });
    expect(JSON.stringify(found)).not.toContain('ignored');
  });

  it('stores any text as it was sent, as JSON and as a form, or rejects its field', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('\r\n\r\nBcc: x@y.example', '%00%0d%0a', '&name=Eve', '+', '"}', '\\u0000'),
    );
    const fields = fc.record({ name: text, phone: text, message: text.map((end) => `A message: ${end}`) });
    await fc.assert(
      fc.asyncProperty(fields, fc.boolean(), async (typed, asPlainForm) => {
        const enquiry = { ...ENQUIRY, ...typed };
        const response = asPlainForm
          ? await api.post('/api/contact', new URLSearchParams(enquiry))
          : await api.postJson('/api/contact', enquiry);
        const answer = (await response.json()) as { reference?: string; errors?: object };
        const wrong = Object.keys(answer.errors ?? {});
        if (wrong.length > 0) expect([response.status, wrong.filter((field) => !(field in typed))]).toEqual([422, []]);
        // A form cannot carry a lone surrogate: URLSearchParams replaces it.
        else
          expect((await api.submissions.find(answer.reference ?? ''))?.fields).toEqual(
            await contact.schema.validate(asPlainForm ? Object.fromEntries(new URLSearchParams(enquiry)) : enquiry),
          );
      }),
      { numRuns: sampled(200, 60) },
    );
  });

  it('answers 422 with a message for each invalid field', async () => {
    const response = await api.postJson('/api/contact', {
      name: 'A\nB',
      email: 'x@y',
      service: 'Nothing',
      message: 'short',
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      success: false,
      errors: {
        name: [messages.controlCharacters],
        email: [contact.words.fields['email']?.invalid],
        service: [contact.words.fields['service']?.missing],
        message: [contact.words.fields['message']?.missing],
      },
    });
  });

  it.each([
    ['a truncated body', '{"name":', 'application/json', 400],
    ['no body', '', 'application/json', 400],
    ['a list', '[]', 'application/json', 422],
    ['a string', '"x"', 'application/json', 422],
    ['null', 'null', 'application/json', 422],
    ['deeply nested lists', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'application/json', 422],
    [
      'keys of Object.prototype',
      '{"__proto__":{"name":"x"},"constructor":{"prototype":1},"toString":1,"name":{"toString":1}}',
      'application/json',
      422,
    ],
    ['a number instead of a string', '{"name":5}', 'application/json', 422],
    ['an unknown character set', '{}', 'application/json; charset=klingon', 415],
    ['UTF-7', '{}', 'application/json; charset=utf-7', 415],
    ['XML', '<a/>', 'application/xml', 415],
    ['a field of 1 MB', JSON.stringify({ message: 'x'.repeat(1_000_000) }), 'application/json', 413],
    [
      '1,000 form fields',
      Array.from({ length: 1000 }, (_, index) => `f${index}=1`).join('&'),
      'application/x-www-form-urlencoded',
      413,
    ],
    ['nested form fields', 'name[toString]=x&name[]=y&__proto__[a]=b', 'application/x-www-form-urlencoded', 422],
    ['broken escapes', 'name=%E0%A4%A&email=%', 'application/x-www-form-urlencoded', 422],
  ])('rejects %s', async (_what, body, type, status) => {
    const response = await api.post('/api/contact', body, { 'Content-Type': type });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ success: false, message: expect.any(String) });
    expect(await api.pendingIds()).toEqual([]);
  });

  it('rejects JSON that is not UTF-8 and names the reason', async () => {
    const body = Buffer.from(JSON.stringify({ ...ENQUIRY, name: 'René' }), 'latin1');
    const response = await api.post('/api/contact', body, { 'Content-Type': 'application/json' });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toBe(words.errors.textNotUtf8);
    expect(await api.pendingIds()).toEqual([]);
  });

  it.each([
    ['application/json; charset=utf8', JSON.stringify({ ...ENQUIRY, name: 'René' })],
    ['application/json;charset="UTF-8"', JSON.stringify({ ...ENQUIRY, name: 'René' })],
    ['application/x-www-form-urlencoded; charset=utf8', `${new URLSearchParams({ ...ENQUIRY, name: 'René' })}`],
  ])('accepts a body with the Content-Type %s', async (type, body) => {
    const response = await api.post('/api/contact', body, { 'Content-Type': type });
    expect(response.status).toBe(202);
    expect((await stored(response)).fields).toMatchObject({ name: 'René' });
  });

  it.each([
    ['as UTF-8', 'name=Ren%C3%A9+%E2%82%AC', 'René €'],
    ['as windows-1252', 'name=Ren%E9+%80', 'René €'],
    ['as windows-1252 without escapes', Buffer.from('name=Ren\xe9', 'latin1'), 'René'],
    ['in the character set that it names', '_charset_=Shift_JIS&name=%8E%52%93%63', '山田'],
    ['in the character set that it names at the end', 'name=%8E%52%93%63&_charset_=Shift_JIS', '山田'],
    ['in a character set that nobody knows', 'name=Ren%E9&_charset_=klingon', 'René'],
    ['in another character set than it names', 'name=Ren%E9&_charset_=UTF-8', 'René'],
  ])('stores a plain form as it was typed > it is sent %s', async (_how, name, expected) => {
    const { name: _, ...others } = ENQUIRY;
    const rest = Buffer.from(`&${new URLSearchParams(others)}`);
    const response = await api.post('/api/contact', Buffer.concat([Buffer.from(name as string), rest]), {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect(response.status).toBe(202);
    expect((await stored(response)).fields).toEqual({ ...ENQUIRY, name: expected });
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'identity, gzip'])(
    'rejects a body with the encoding %s',
    async (encoding) => {
      const response = await api.post('/api/contact', JSON.stringify(ENQUIRY), {
        'Content-Type': 'application/json',
        'Content-Encoding': encoding,
      });
      expect(response.status).toBe(415);
    },
  );

  it('accepts JSON that begins with a byte order mark', async () => {
    const body = `\uFEFF${JSON.stringify(ENQUIRY)}`;
    const response = await api.post('/api/contact', body, { 'Content-Type': 'application/json' });
    expect((await stored(response)).fields).toEqual(ENQUIRY);
  });

  it('forbids caches to store an answer', async () => {
    const answers = [await api.postJson('/api/contact', ENQUIRY), await api.postJson('/api/contact', {})];
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store']);
  });

  it('answers the plain form of a browser with a page', async () => {
    const headers = {
      Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const wrong = await api.post(
      '/api/contact',
      new URLSearchParams({ ...ENQUIRY, email: 'nobody' }).toString(),
      headers,
    );
    expect(wrong.status).toBe(422);
    expect(wrong.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await wrong.text()).toContain('value="Ada &#60;b&#62;Lovelace&#60;/b&#62;"');
    const right = await api.post(
      '/api/contact',
      new URLSearchParams({ ...ENQUIRY, idempotencyKey: 'key-of-the-field' }).toString(),
      headers,
    );
    expect(right.status).toBe(202);
    const page = await right.text();
    const [reference] = await api.pendingIds();
    expect(page).toContain(reference);
    expect((await api.submissions.find(String(reference)))?.fields).toEqual(ENQUIRY);
  });

  it('answers with a sentence > Accept: text/plain', async () => {
    const response = await api.postJson('/api/contact', { ...ENQUIRY, email: 'x' }, { Accept: 'text/plain' });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(`${words.errors.checkForm} ${contact.words.fields['email']?.invalid}.`);
  });

  it('answers other methods with 405 and other paths with 404', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await fetch(`${api.url}/api/contact`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const unknown = await fetch(`${api.url}/api/nothing`, { method: 'POST' });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ success: false });
  });

  it('stores one submission > 20 concurrent requests with one idempotency key', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.postJson('/api/contact', ENQUIRY, KEY)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
    const references = new Set(
      await Promise.all(answers.map(async (answer) => ((await answer.json()) as { reference: string }).reference)),
    );
    expect([...references]).toEqual(await api.pendingIds());
  });

  it('repeats the reference, also after delivery, and answers other content with 409', async () => {
    await api.postJson('/api/contact', ENQUIRY, KEY);
    const [id] = await api.pendingIds();
    const lease = await api.submissions.acquire(String(id));
    if (!lease) throw new Error('not stored');
    await api.submissions.endLease(lease, { state: 'delivered', attempts: 1 });
    const repeat = await api.postJson('/api/contact', ENQUIRY, KEY);
    expect(await repeat.json()).toMatchObject({ reference: id });
    const other = await api.postJson('/api/contact', { ...ENQUIRY, name: 'Grace' }, KEY);
    expect(other.status).toBe(409);
    expect(await api.pendingIds()).toEqual([]);
  });

  it('queues a pending submission again > repeated after Redis lost the job', async () => {
    await api.seesRedis();
    const queue = api.app.get(DeliveryQueue, { strict: false });
    const isQueued = async () => (await queue.counts())['wait'] === 1;
    const client = new Redis(redis.url);
    await client.flushall();
    await api.postJson('/api/contact', ENQUIRY, KEY);
    await until('the job', isQueued);
    await client.flushall();
    expect(await isQueued()).toBe(false);
    await api.postJson('/api/contact', ENQUIRY, KEY);
    await until('the job of the repeat', isQueued);
    client.disconnect();
  });

  it('keeps the two forms apart > same idempotency key', async () => {
    const enquiry = await api.postJson('/api/contact', ENQUIRY, KEY);
    const body = new FormData();
    for (const [name, value] of Object.entries({ fullName: 'Ada', email: ENQUIRY.email })) body.set(name, value);
    body.set('resume', new Blob([new Uint8Array(pdf())], { type: 'application/pdf' }), 'cv.pdf');
    const application = await api.post('/api/resume', body, KEY);
    expect([enquiry.status, application.status]).toEqual([202, 202]);
    expect((await stored(enquiry)).form).toBe('contact');
    expect((await stored(application)).form).toBe('application');
  });

  it('honours the idempotency key in the field of a plain form', async () => {
    const send = (changes = {}) =>
      api.post('/api/contact', new URLSearchParams({ ...ENQUIRY, idempotencyKey: 'key-of-the-field', ...changes }));
    const references = [await send(), await send()].map(async (answer) => (await stored(answer)).id);
    const [first, second] = await Promise.all(references);
    expect(second).toBe(first);
    expect((await send({ name: 'Grace' })).status).toBe(409);
    expect(await api.pendingIds()).toEqual([first]);
  });

  it('prefers the idempotency key in the header', async () => {
    const send = (idempotencyKey: string) => api.postJson('/api/contact', { ...ENQUIRY, idempotencyKey }, KEY);
    await send('key-of-the-field-1');
    await send('key-of-the-field-2');
    expect(await api.pendingIds()).toHaveLength(1);
  });

  it('stores a repeat again > its row is erased at that moment', async () => {
    await api.postJson('/api/contact', ENQUIRY, KEY);
    eraseAtNextFind(api);
    const repeat = await api.postJson('/api/contact', ENQUIRY, KEY);
    expect(repeat.status).toBe(202);
    const { reference } = (await repeat.json()) as { reference: string };
    expect(await api.pendingIds()).toEqual([reference]);
  });

  it('stores each request as a submission of its own > no idempotency key', async () => {
    await api.postJson('/api/contact', ENQUIRY);
    await api.postJson('/api/contact', ENQUIRY);
    expect(await api.pendingIds()).toHaveLength(2);
  });

  it.each([['order-0000000001'], ['x'.repeat(200)], [crypto.randomUUID()]])('accepts the key %j', async (key) => {
    expect((await api.postJson('/api/contact', ENQUIRY, { 'Idempotency-Key': key })).status).toBe(202);
  });

  it.each([['order-0001'], ['x'.repeat(15)], ['x'.repeat(201)], ['a key with a \t tab']])(
    'rejects the key %j',
    async (key) => {
      const response = await api.postJson('/api/contact', ENQUIRY, { 'Idempotency-Key': key });
      expect(response.status).toBe(400);
    },
  );

  it('keeps a well-formed request id and replaces any other', async () => {
    const sane = await api.postJson('/api/contact', ENQUIRY, { 'X-Request-Id': 'abc123def456' });
    expect(sane.headers.get('x-request-id')).toBe('abc123def456');
    for (const odd of ['"><script>', 'abc123def456"><script>', '<b>abc123def456', 'abc1234', 'a'.repeat(65)]) {
      const replaced = await api.postJson('/api/contact', ENQUIRY, { 'X-Request-Id': odd });
      expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('counts the outcomes of requests', async () => {
    const metrics = async () => (await fetch(`${api.url}/metrics`)).text();
    // The tests of this file share the counters of their process.
    const counts = async () => {
      const text = await metrics();
      const ofContact = (outcome: string) =>
        Number(new RegExp(`_submissions_total\\{form="contact",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1]);
      return { accepted: ofContact('accepted'), invalid: ofContact('invalid') };
    };
    const before = await counts();
    await api.postJson('/api/contact', ENQUIRY);
    await api.postJson('/api/contact', {});
    await until('both counted', async () => {
      const { accepted, invalid } = await counts();
      return accepted === before.accepted + 1 && invalid === before.invalid + 1;
    });
    const text = await metrics();
    expect(text).toContain('kitewright_submissions_total{form="application",outcome="too-large"} 0\n');
    expect(text).toContain('kitewright_health_check_ok{check="storage"} 1\n');
    expect(text).not.toContain('ada@');
  });
});

describe('intake > POST /api/contact > limits and outages', () => {
  it('applies the rate limit to the client address that nginx appends', async () => {
    const redis = await RedisServer.start();
    const api = await ApiServer.start(redis.url, { RATE_LIMIT_PER_MINUTE: 3 });
    try {
      await api.countsInRedis();
      const send = (client: string) =>
        api.postJson('/api/contact', ENQUIRY, { 'X-Forwarded-For': `203.0.113.99, ${client}` });
      for (let count = 0; count < 3; count++) expect((await send('192.0.2.1')).status).toBe(202);
      const refused = await send('192.0.2.1');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await send('192.0.2.2')).status).toBe(202);
    } finally {
      await api.close();
      await redis.stop();
    }
  });

  it.each([
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], 'OOM'],
    ['is a replica', ['REPLICAOF', '127.0.0.1', '1'], 'READONLY'],
    ['denies its user writes', ['ACL', 'SETUSER', 'default', '-@write'], 'NOPERM'],
  ])('accepts and limits enquiries > Redis %s', async (_, [command = '', ...args], code) => {
    const redis = await RedisServer.start();
    const api = await ApiServer.start(redis.url, { RATE_LIMIT_PER_MINUTE: 4 });
    const operator = new Redis(redis.url);
    try {
      await api.countsInRedis();
      await operator.call(command, ...args);
      const statuses: number[] = [];
      for (let count = 0; count < 6; count++) statuses.push((await api.postJson('/api/contact', ENQUIRY)).status);
      expect(statuses).toEqual([202, 202, 202, 202, 429, 429]);
      api.app.get(HealthService).cacheMs = 0;
      await until('the cause', async () => {
        const { checks } = await api.app.get(HealthService).report();
        return checks['redis']?.status === 'degraded' && (checks['redis'].cause ?? '').includes(code);
      });
    } finally {
      operator.disconnect();
      await api.close();
      await redis.stop();
    }
  });

  it('accepts and limits enquiries > Redis is unavailable, stopped or frozen', async () => {
    const redis = await RedisServer.reserve();
    const api = await ApiServer.start(redis.url, { RATE_LIMIT_PER_MINUTE: 4 });
    try {
      const send = () => api.postJson('/api/contact', ENQUIRY);
      expect((await send()).status).toBe(202);
      expect(await (await fetch(`${api.url}/health/ready`)).json()).toMatchObject({
        ready: true,
        checks: { redis: { status: 'degraded' } },
      });
      await redis.start();
      await api.seesRedis();
      redis.signal('SIGSTOP');
      const frozen = { redis: { status: 'degraded', cause: 'connected, but does not answer' } };
      await until('the frozen Redis to be reported', async () => {
        const report = (await (await fetch(`${api.url}/health/ready`)).json()) as {
          checks: { redis: { cause?: string } };
        };
        return report.checks.redis.cause === frozen.redis.cause;
      });
      expect((await send()).status).toBe(202);
      await redis.stop();
      await pause(50);
      expect((await send()).status).toBe(202);
      expect(await api.pendingIds()).toHaveLength(3);
      const rest = await Promise.all(Array.from({ length: 4 }, send));
      expect(rest.map(({ status }) => status)).toContain(429);
    } finally {
      await api.close();
      await redis.stop();
    }
  });
});
