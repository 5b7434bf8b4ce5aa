import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { anyCharacter } from '../../test/any-character.ts';
import { ApiServer } from '../../test/api-server.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { sampled } from '../../test/sample.ts';
import { until } from '../../test/until.ts';
import { contact } from '../contract/forms/contact.ts';
import { messages } from '../contract/messages.ts';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { HealthService } from '../health/health.service.ts';
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
const FORM = 'application/x-www-form-urlencoded';

const json = async <T = { reference: string; message: string }>(response: Response) => (await response.json()) as T;

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

  const send = (changes: object = {}, headers: Record<string, string> = {}) =>
    api.postJson('/api/contact', { ...ENQUIRY, ...changes }, headers);
  const sendForm = (fields: Record<string, string>, Accept = 'application/json') =>
    api.post('/api/contact', new URLSearchParams(fields), { Accept });
  const sendBody = (body: string | Buffer, type: string, headers = {}) =>
    api.post('/api/contact', body, { 'Content-Type': type, ...headers });
  const stored = async (response: Response) => (await api.submissions.find((await json(response)).reference))?.fields;

  it('stores an enquiry and answers with its reference', async () => {
    const response = await send({ extra: 'ignored' });
    expect([response.status, response.headers.get('cache-control')]).toEqual([202, 'no-store, no-transform']);
    const answer = await json(response);
    expect(answer).toMatchObject({ success: true, message: contact.words.sent });
    const found = await api.submissions.find(answer.reference);
    expect(found).toMatchObject({ state: 'pending', form: 'contact', fields: ENQUIRY });
    expect(JSON.stringify(found)).not.toContain('ignored');
  });

  it('stores any text as it was sent, as JSON and as a form, or rejects its field', async () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('\r\n\r\nBcc: x@y.example', '%00%0d%0a', '&name=Eve', '+', '"}', '\\u0000'),
    );
    const fields = fc.record({ name: text, phone: text, message: text.map((end) => `A message: ${end}`) });
    await fc.assert(
      fc.asyncProperty(fields, fc.boolean(), async (typed, asPlainForm) => {
        const enquiry = { ...ENQUIRY, ...typed };
        const response = asPlainForm ? await sendForm(enquiry) : await send(typed);
        const answer = await json<{ reference?: string; errors?: object }>(response);
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
    const response = await send({ name: 'A\nB', email: 'x@y', service: 'Nothing', message: 'short' });
    const { fields } = contact.words;
    expect([response.status, await response.json()]).toMatchObject([
      422,
      {
        success: false,
        errors: {
          name: [messages.controlCharacters],
          email: [fields['email']?.invalid],
          service: [fields['service']?.missing],
          message: [fields['message']?.missing],
        },
      },
    ]);
  });

  const LATIN1 = Buffer.from(JSON.stringify({ ...ENQUIRY, name: 'René' }), 'latin1');
  it.each<[what: string, body: string | Buffer, type: string, status: number, message?: string]>([
    ['a truncated body', '{"name":', 'application/json', 400, words.errors.otherType],
    ['no body', '', 'application/json', 400, words.errors.noBody],
    ['JSON that is not UTF-8', LATIN1, 'application/json', 400, words.errors.textNotUtf8],
    ['a form that is not UTF-8', Buffer.from('name=Ren\xe9', 'latin1'), FORM, 400, words.errors.textNotUtf8],
    ['a list', '[]', 'application/json', 422],
    ['null', 'null', 'application/json', 422],
    ['nested lists', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'application/json', 422],
    ['keys of Object.prototype', '{"__proto__":{"name":"x"},"name":{"toString":1}}', 'application/json', 422],
    ['a number instead of a string', '{"name":5}', 'application/json', 422],
    ['another character set', '{}', 'application/json; charset=utf-7', 415, words.errors.notUtf8],
    ['XML', '<a/>', 'application/xml', 415, words.errors.typeOfForm],
    ['a field of 1 MB', JSON.stringify({ message: 'x'.repeat(1_000_000) }), 'application/json', 413],
    ['1,000 form fields', 'f=1&'.repeat(1_000), FORM, 413, words.errors.tooManyFields],
    ['nested form fields', 'name[toString]=x&name[]=y&__proto__[a]=b', FORM, 422],
    ['broken escapes', 'name=%E0%A4%A&email=%', FORM, 422],
  ])('rejects %s', async (...[, body, type, status, message]) => {
    const response = await sendBody(body, type);
    expect(response.status).toBe(status);
    expect(await json(response)).toMatchObject({ success: false, message: message ?? expect.any(String) });
    expect(await api.pendingIds()).toEqual([]);
  });

  it.each(['gzip', 'identity, gzip'])('rejects a body with the encoding %s', async (encoding) => {
    const response = await sendBody(JSON.stringify(ENQUIRY), 'application/json', { 'Content-Encoding': encoding });
    expect([response.status, (await json(response)).message]).toEqual([415, words.errors.compressed]);
  });

  const NAMED = { ...ENQUIRY, name: 'René €' };
  it.each([
    ['application/json; charset=utf8', JSON.stringify(NAMED)],
    ['application/json;charset="UTF-8"', `\uFEFF${JSON.stringify(NAMED)}`],
    [`${FORM}; charset=utf8`, `${new URLSearchParams(NAMED)}`],
  ])('accepts a body with the Content-Type %s', async (type, body) => {
    expect(await stored(await sendBody(body, type))).toEqual(NAMED);
  });

  it('answers the plain form of a browser with a page', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const wrong = await sendForm({ ...ENQUIRY, email: 'nobody' }, accept);
    expect([wrong.status, wrong.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8']);
    expect(await wrong.text()).toContain('value="Ada &#60;b&#62;Lovelace&#60;/b&#62;"');
    const right = await sendForm(ENQUIRY, accept);
    const page = await right.text();
    const [reference = ''] = await api.pendingIds();
    expect([right.status, page.includes(`>${reference}<`)]).toEqual([202, true]);
    expect((await api.submissions.find(reference))?.fields).toEqual(ENQUIRY);
  });

  it('answers with a sentence > Accept: text/plain', async () => {
    const response = await send({ email: 'x' }, { Accept: 'text/plain' });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(`${words.errors.checkForm} ${contact.words.fields['email']?.invalid}.`);
  });

  it('answers other methods with 405 and other paths with 404', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await fetch(`${api.url}/api/contact`, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    const unknown = await fetch(`${api.url}/api/nothing`, { method: 'POST' });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { success: false }]);
  });

  it('stores one submission > 20 concurrent requests with one idempotency key', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send({}, KEY)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
    const references = await Promise.all(answers.map(async (answer) => (await json(answer)).reference));
    expect([...new Set(references)]).toEqual(await api.pendingIds());
  });

  it('repeats the reference after delivery, and answers other content with 409', async () => {
    const { reference } = await json(await send({}, KEY));
    const lease = await api.submissions.acquire(reference);
    if (!lease) throw new Error('not stored');
    await api.submissions.endLease(lease, { state: 'delivered', attempts: 1 });
    expect((await json(await send({}, KEY))).reference).toBe(reference);
    expect((await send({ name: 'Grace' }, KEY)).status).toBe(409);
    expect(await api.pendingIds()).toEqual([]);
  });

  it('queues a pending submission again > repeated after Redis lost the job', async () => {
    await api.seesRedis();
    const queue = api.app.get(DeliveryQueue, { strict: false });
    const isQueued = async () => (await queue.counts())['wait'] === 1;
    const client = new Redis(redis.url);
    await client.flushall();
    await send({}, KEY);
    await until('the job', isQueued);
    await client.flushall();
    expect(await isQueued()).toBe(false);
    await send({}, KEY);
    await until('the job of the repeat', isQueued);
    client.disconnect();
  });

  it('honours the idempotency key in the field of a plain form', async () => {
    const idempotencyKey = 'key-of-the-field';
    const sent = async () => (await json(await sendForm({ ...ENQUIRY, idempotencyKey }))).reference;
    const [first, second] = [await sent(), await sent()];
    expect(second).toBe(first);
    expect((await sendForm({ ...ENQUIRY, name: 'Grace', idempotencyKey })).status).toBe(409);
    // The key in the header counts.
    await send({ idempotencyKey }, KEY);
    await send({ idempotencyKey: 'another-key-of-the-field' }, KEY);
    expect(await api.pendingIds()).toHaveLength(2);
  });

  describe('without an idempotency key', () => {
    const MINUTE = 60_000;
    /** Begin of a window of ten minutes. */
    const START = Math.ceil(Date.now() / (10 * MINUTE)) * 10 * MINUTE;
    afterEach(() => {
      jest.restoreAllMocks();
    });

    /** Presses the button of a plain form, and returns the page that follows. */
    async function press(at = START, changes: object = {}, client = '192.0.2.1'): Promise<string> {
      jest.spyOn(Date, 'now').mockReturnValue(at);
      const headers = { 'X-Forwarded-For': client, Accept: 'text/html' };
      const body = new URLSearchParams({ ...ENQUIRY, ...changes });
      const answer = await api.post('/api/contact', body, headers);
      expect(answer.status).toBe(202);
      return answer.text();
    }

    it('answers a second press with the same page, and stores it once', async () => {
      const [first, second] = await Promise.all([press(), press()]);
      expect(second).toBe(first);
      expect(await press()).toBe(first);
      expect(await api.pendingIds()).toHaveLength(1);
    });

    it.each([
      [0, 10 * MINUTE - 1],
      [9 * MINUTE, 11 * MINUTE],
      [9 * MINUTE, 19 * MINUTE - 1],
    ])('stores the same once > at %d and %d ms of a window', async (first, second) => {
      expect(await press(START + first)).toBe(await press(START + second));
      expect(await api.pendingIds()).toHaveLength(1);
    });

    it('stores both > ten minutes later, another content or another client', async () => {
      for (const at of [START, START + 10 * MINUTE, START + 29 * MINUTE]) await press(at);
      await press(START, { message: 'We need another website.' });
      await press(START, {}, '192.0.2.2');
      expect(await api.pendingIds()).toHaveLength(5);
    });
  });

  it.each([
    ['order-0000000001', 202],
    ['x'.repeat(200), 202],
    ['x'.repeat(15), 400],
    ['x'.repeat(201), 400],
    ['a key with a \t tab', 400],
  ])('answers the key %j with %d', async (key, status) => {
    expect((await send({}, { 'Idempotency-Key': key })).status).toBe(status);
  });

  it('keeps a well-formed request id and replaces any other', async () => {
    const idOf = async (id: string) => (await send({}, { 'X-Request-Id': id })).headers.get('x-request-id');
    expect(await idOf('abc123def456')).toBe('abc123def456');
    for (const odd of ['"><script>', 'abc123def456"><script>', '<b>abc123def456', 'abc1234', 'a'.repeat(65)])
      expect(await idOf(odd)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('counts the outcomes of requests', async () => {
    const metrics = async () => (await fetch(`${api.url}/metrics`)).text();
    // The tests of this file share the counters of their process.
    const counts = async () => {
      const text = await metrics();
      return ['accepted', 'invalid'].map((outcome) =>
        Number(new RegExp(`_submissions_total\\{form="contact",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1]),
      );
    };
    const before = await counts();
    await Promise.all([send(), send({ email: '' })]);
    await until('both counted', async () => String(await counts()) === String(before.map((count) => count + 1)));
    const text = await metrics();
    expect(text).toContain('kitewright_submissions_total{form="application",outcome="too-large"} 0\n');
    expect(text).not.toContain('ada@');
  });
});

describe('intake > POST /api/contact > limits and outages', () => {
  let redis: RedisServer;
  let api: ApiServer;
  const start = async (server: RedisServer, points: number) => {
    redis = server;
    api = await ApiServer.start(redis.url, { RATE_LIMIT_PER_MINUTE: points });
  };
  afterEach(async () => {
    await api.close();
    await redis.stop();
  });

  it('applies the rate limit to the client address that nginx appends', async () => {
    await start(await RedisServer.start(), 3);
    await api.countsInRedis();
    const send = (client: string) =>
      api.postJson('/api/contact', ENQUIRY, { 'X-Forwarded-For': `203.0.113.99, ${client}` });
    for (let count = 0; count < 3; count++) expect((await send('192.0.2.1')).status).toBe(202);
    const refused = await send('192.0.2.1');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await send('192.0.2.2')).status).toBe(202);
  });

  it('accepts and limits enquiries > Redis is full', async () => {
    await start(await RedisServer.start(), 4);
    await api.countsInRedis();
    const operator = new Redis(redis.url);
    await operator.config('SET', 'maxmemory', 1);
    operator.disconnect();
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await api.postJson('/api/contact', ENQUIRY)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 429, 429]);
    api.app.get(HealthService).cacheMs = 0;
    await until('the cause', async () => {
      const { checks } = await api.app.get(HealthService).report();
      return checks['redis']?.status === 'degraded' && (checks['redis'].cause ?? '').includes('OOM');
    });
  });
});
