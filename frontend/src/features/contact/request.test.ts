import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HttpError, postJson } from './request.ts';

const fetchMock = jest.fn<typeof fetch>();

/** What the last request was sent with. */
const sent = () => {
  const [url, init] = fetchMock.mock.lastCall ?? [];
  return { url, ...init };
};
const answer = (body: string | null, init?: ResponseInit) => fetchMock.mockResolvedValueOnce(new Response(body, init));

beforeEach(() => {
  fetchMock.mockReset();
  globalThis.fetch = fetchMock;
});

describe('a request', () => {
  test('posts to its URL with cookies, and a JSON body with its content type', async () => {
    answer('');
    await postJson('/api/thing', { name: 'Élise', nothing: null });
    expect(sent()).toMatchObject({
      url: '/api/thing',
      method: 'POST',
      credentials: 'include',
      body: '{"name":"Élise","nothing":null}',
      headers: { 'Content-Type': 'application/json' },
    });
  });

  test('asks for an error as a sentence, and sends the headers it is given', async () => {
    answer('');
    await postJson('/api/thing', {}, { 'Idempotency-Key': 'k' });
    expect(sent().headers).toMatchObject({ Accept: expect.stringMatching(/^text\/plain/), 'Idempotency-Key': 'k' });
  });

  test('gives back the answer', async () => {
    answer('{"reference":"KW"}', { status: 202 });
    const response = await postJson('/api/thing', {});
    await expect(response.json()).resolves.toEqual({ reference: 'KW' });
  });

  test('is not repeated after an error', async () => {
    answer('later', { status: 503 });
    await expect(postJson('/api/thing', {})).rejects.toThrow(HttpError);
    expect(fetchMock).toHaveBeenCalledTimes(1);
  });

  test('is given up after a minute', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    answer('');
    await postJson('/api/thing', {});
    expect(timeout).toHaveBeenCalledWith(60_000);
    expect(sent().signal).toBe(timeout.mock.results[0]?.value);
  });

  test('is not repeated when there is no answer, and passes the reason on', async () => {
    fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(postJson('/api/thing', {})).rejects.toThrow(new TypeError('Failed to fetch'));
    expect(fetchMock).toHaveBeenCalledTimes(1);
  });
});

describe('the error of a non-2xx answer', () => {
  test.each([300, 304, 400, 401, 404, 422, 429, 500, 503])('%i: carries the status and the text', async (status) => {
    answer(status === 304 ? null : 'What was wrong.', { status, statusText: 'Status Text' });
    const expected = status === 304 ? '304: Status Text' : `${status}: What was wrong.`;
    await expect(postJson('/api/thing', {})).rejects.toMatchObject({ name: 'HttpError', message: expected });
  });

  test.each(['', ' \r\n'])('says the status text where the answer is %j', async (body) => {
    answer(body, { status: 502, statusText: 'Bad Gateway' });
    await expect(postJson('/api/thing', {})).rejects.toThrow(/^502: Bad Gateway$/);
  });

  test.each([200, 201, 202, 204, 299])('%i is none', async (status) => {
    answer(status === 204 ? null : 'ok', { status });
    await expect(postJson('/api/thing', {})).resolves.toMatchObject({ status });
  });
});
