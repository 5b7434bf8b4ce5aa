import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HttpError, mutate, read } from './request.ts';

const fetchMock = jest.fn<typeof fetch>();

/** What the last request was sent with. */
const sent = () => {
  const [url, init] = fetchMock.mock.lastCall ?? [];
  return { url, ...init };
};
const answer = (body: string | null, init?: ResponseInit) => fetchMock.mockResolvedValueOnce(new Response(body, init));
const json = (value: unknown) => answer(JSON.stringify(value));

/** A key no other test has read. */
let keys = 0;
const freshKey = (...parts: string[]) => ['', 'api', `test-${(keys += 1)}`, ...parts];

beforeEach(() => {
  fetchMock.mockReset();
  globalThis.fetch = fetchMock;
});

describe('a mutating request', () => {
  test('sends its method, its URL and cookies', async () => {
    answer('');
    await mutate('DELETE', '/api/thing');
    expect(sent()).toMatchObject({ url: '/api/thing', method: 'DELETE', credentials: 'include' });
  });

  test('carries a JSON body with its content type', async () => {
    answer('');
    await mutate('POST', '/api/thing', { name: 'Élise', nothing: null });
    expect(sent()).toMatchObject({ body: '{"name":"Élise","nothing":null}', headers: { 'Content-Type': 'application/json' } });
  });

  test('without a body has neither body nor content type', async () => {
    answer('');
    await mutate('POST', '/api/thing');
    expect(sent()).not.toHaveProperty('body');
    expect(sent().headers).not.toHaveProperty('Content-Type');
  });

  test.each([0, false, '', null])('takes %j for a body', async (body) => {
    answer('');
    await mutate('POST', '/api/thing', body);
    expect(sent()).toMatchObject({ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
  });

  test('asks for an error as a sentence, and sends the headers it is given', async () => {
    answer('');
    await mutate('POST', '/api/thing', {}, { 'Idempotency-Key': 'k' });
    expect(sent().headers).toMatchObject({ Accept: expect.stringMatching(/^text\/plain/), 'Idempotency-Key': 'k' });
  });

  test('gives back the answer', async () => {
    answer('{"reference":"KW"}', { status: 202 });
    const response = await mutate('POST', '/api/thing', {});
    await expect(response.json()).resolves.toEqual({ reference: 'KW' });
  });

  test('is not repeated after an error', async () => {
    answer('later', { status: 503 });
    await expect(mutate('POST', '/api/thing', {})).rejects.toThrow(HttpError);
    expect(fetchMock).toHaveBeenCalledTimes(1);
  });

  test('is not repeated when there is no answer, and passes the reason on', async () => {
    fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(mutate('POST', '/api/thing', {})).rejects.toThrow(new TypeError('Failed to fetch'));
    expect(fetchMock).toHaveBeenCalledTimes(1);
  });
});

describe('the error of a non-2xx answer', () => {
  test.each([300, 304, 400, 401, 404, 422, 429, 500, 503])('%i: carries the status and the text', async (status) => {
    answer(status === 304 ? null : 'What was wrong.', { status, statusText: 'Status Text' });
    const expected = status === 304 ? '304: Status Text' : `${status}: What was wrong.`;
    await expect(mutate('POST', '/api/thing')).rejects.toMatchObject({ name: 'HttpError', status, message: expected });
  });

  test.each(['', ' \r\n'])('says the status text where the answer is %j', async (body) => {
    answer(body, { status: 502, statusText: 'Bad Gateway' });
    await expect(mutate('POST', '/api/thing')).rejects.toThrow(/^502: Bad Gateway$/);
  });

  test.each([200, 201, 202, 204, 299])('%i is none', async (status) => {
    answer(status === 204 ? null : 'ok', { status });
    await expect(mutate('POST', '/api/thing')).resolves.toMatchObject({ status });
  });
});

describe('a read', () => {
  test('is a GET of the key parts joined by "/", with cookies, and yields the parsed JSON', async () => {
    const key = freshKey('7', 'parts');
    json({ size: 2 });
    await expect(read(key)).resolves.toEqual({ size: 2 });
    expect(sent()).toMatchObject({ url: key.join('/'), credentials: 'include' });
    expect(sent().method ?? 'GET').toBe('GET');
  });

  test('never goes stale: it is made once', async () => {
    const key = freshKey();
    json([1]);
    const both = await Promise.all([read(key), read(key)]);
    expect(both).toEqual([[1], [1]]);
    await expect(read(key)).resolves.toEqual([1]);
    expect(fetchMock).toHaveBeenCalledTimes(1);
  });

  test('of another key is another read', async () => {
    json('first');
    json('second');
    await expect(read(freshKey())).resolves.toBe('first');
    await expect(read(freshKey())).resolves.toBe('second');
  });

  test('that fails is not repeated by itself, and not kept either', async () => {
    const key = freshKey();
    answer('no', { status: 500 });
    await expect(read(key)).rejects.toThrow(/^500: no$/);
    expect(fetchMock).toHaveBeenCalledTimes(1);
    json('now');
    await expect(read(key)).resolves.toBe('now');
  });

  test('fails on an answer that is not JSON', async () => {
    answer('<html>');
    await expect(read(freshKey())).rejects.toThrow('not valid JSON');
  });
});

describe('a read that is answered with 401', () => {
  test('fails', async () => {
    answer('who are you', { status: 401 });
    await expect(read(freshKey())).rejects.toThrow(/^401: who are you$/);
  });

  test('yields null where the screen asks for it', async () => {
    answer('who are you', { status: 401 });
    await expect(read(freshKey(), { on401: 'returnNull' })).resolves.toBeNull();
  });

  test('as null in one place is still an error in another', async () => {
    const key = freshKey();
    answer('', { status: 401, statusText: 'Unauthorized' });
    await expect(read(key, { on401: 'returnNull' })).resolves.toBeNull();
    answer('', { status: 401, statusText: 'Unauthorized' });
    await expect(read(key)).rejects.toThrow(/^401: Unauthorized$/);
  });

  test('only 401 is null', async () => {
    answer('forbidden', { status: 403 });
    await expect(read(freshKey(), { on401: 'returnNull' })).rejects.toThrow(/^403: forbidden$/);
  });
});
