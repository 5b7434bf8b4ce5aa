import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ATTEMPTS_MAX, postAlert, type AlertPost } from './alert-webhook.ts';

const ALERT: AlertPost = {
  kind: 'backup-old',
  state: 'raised',
  text: 'text',
  at: 0,
  instance: 'firm.example',
  references: [],
  count: 0,
};

afterEach(() => void jest.restoreAllMocks());

/** Posts an alert to a receiver that always replies with this status, or not at all. @returns result and attempts */
async function postTo(status: number | undefined): Promise<unknown[]> {
  const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    if (status === undefined) throw new TypeError('fetch failed');
    return { status, body: null } as Response;
  });
  const result = await postAlert('http://receiver.example/', ALERT, new AbortController().signal, 0);
  return [result, fetched.mock.calls.length];
}

describe('postAlert', () => {
  it('names the program, because firewalls refuse requests without a User-Agent', async () => {
    await postTo(200);
    const [, { headers } = {}] = jest.mocked(fetch).mock.calls[0] ?? [];
    expect(headers).toMatchObject({ 'user-agent': expect.stringMatching(/^form-service\/\d+\.\d+\.\d+/) });
  });

  it.each([
    [204, undefined, 1],
    [299, undefined, 1],
    [301, 301, ATTEMPTS_MAX],
    [404, 404, ATTEMPTS_MAX],
    [503, 503, ATTEMPTS_MAX],
    [undefined, 0, ATTEMPTS_MAX],
  ])('posts until it is accepted, or to the last attempt > status %p', async (status, result, attempts) => {
    expect(await postTo(status)).toEqual([result, attempts]);
  });
});
