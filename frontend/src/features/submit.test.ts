/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { messages } from 'form-service/contract/messages';
import { FakeXhr, type FakeAnswer } from '../../test/mocks/fake-xhr.ts';
import { submit } from './submit.ts';

const REFERENCE = 'KW-0000-0000-0000-0000';
const onProgress = jest.fn<(share: number) => void>();
const onWaiting = jest.fn<(isWaiting: boolean) => void>();
const headers = { 'Form-Token': 'a token', 'Idempotency-Key': 'the-key' };
const wish = () => new AbortController();
const send = ({ body = '{"name":"Ada"}' as string | FormData, signal = wish().signal } = {}) =>
  submit({ path: '/api/thing', body, headers, signal, onProgress, onWaiting });
const resultOf = (answer: FakeAnswer) => {
  const sent = send();
  FakeXhr.last.answer(answer);
  return sent;
};

let isOnline: jest.Spied<() => boolean>;
beforeEach(() => {
  onProgress.mockClear();
  FakeXhr.install();
  isOnline = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
});
afterEach(() => isOnline.mockRestore());

test.each<[string, string | FormData, object]>([
  ['JSON', '{"name":"Ada"}', { 'Content-Type': 'application/json' }],
  // The browser adds type and boundary.
  ['multipart data', new FormData(), {}],
])('request > is %s with the given headers, accepts JSON, and succeeds with a reference', async (_what, body, type) => {
  const sent = send({ body });
  expect(FakeXhr.last.open).toHaveBeenCalledWith('POST', '/api/thing');
  expect(FakeXhr.last.body).toBe(body);
  expect(FakeXhr.last.headers).toEqual({ Accept: 'application/json', ...type, ...headers });
  FakeXhr.last.answer({ status: 202, response: { success: true, message: 'Thanks.', reference: REFERENCE } });
  expect(await sent).toEqual({ sent: true, reference: REFERENCE });
});

describe('foreign answer', () => {
  test.each([
    ['a page', '<!doctype html><title>Sign in</title>'],
    ['nothing', ''],
    ['a text with a reference', `Thank you. Your reference is ${REFERENCE}.`],
    ['success without a reference', { success: true, message: 'Thanks.' }],
    ['success with an empty reference', { success: true, reference: '' }],
    ['success as a string', { success: 'true', reference: REFERENCE }],
    ['null', null],
    ['a list', []],
  ])('is a 200 with %s', async (_case, response) => {
    expect(await resultOf({ status: 200, response })).toEqual({ sent: false, reason: messages.foreignAnswer });
  });
});

describe('reason of a failure', () => {
  test.each<[string, FakeAnswer, string]>([
    ['is the message of a refusal', { status: 503, response: { success: false, message: 'Later.' } }, 'Later.'],
    ['is plain text', { status: 429, response: 'Too many.\n' }, 'Too many.'],
    ['is missing in place of a page', { status: 502, statusText: 'Bad Gateway', response: '<html>Oops' }, ''],
    ['is missing in place of an object', { status: 502, response: { detail: 'Oops' } }, ''],
    ['is missing in place of a list', { status: 502, response: '["Oops"]' }, ''],
    ['is missing in place of an empty answer', { status: 502, statusText: 'Bad Gateway', response: ' ' }, ''],
    ['is missing in place of a long text', { status: 500, response: 'x'.repeat(301) }, ''],
    [
      'is the message of a 200 without success',
      { status: 200, response: { success: false, message: 'Full.' } },
      'Full.',
    ],
    ['is missing despite success', { status: 500, response: { success: true, reference: REFERENCE } }, ''],
  ])('%s', async (_case, answer, reason) => {
    const { status, statusText = '' } = answer;
    const ofError = status > 299 && { status, statusText };
    expect(await resultOf(answer)).toMatchObject({ sent: false, ...ofError, reason });
  });

  test('comes with the first message of each field', async () => {
    const response = {
      success: false,
      message: 'Please check.',
      errors: { email: ['Wrong.', 'Odd.'], phone: ['No.'] },
    };
    expect(await resultOf({ status: 422, response })).toMatchObject({
      reason: 'Please check.',
      errors: { email: 'Wrong.', phone: 'No.' },
    });
  });
});

describe('no answer', () => {
  test.each([
    ['online', true, messages.noAnswer],
    ['offline', false, messages.offline],
  ])('says so > when the visitor is %s', async (_state, isOnLine, reason) => {
    isOnline.mockReturnValue(isOnLine);
    const sent = send();
    FakeXhr.last.fail();
    expect(await sent).toEqual({ sent: false, reason });
    expect(FakeXhr.sent).toHaveLength(1);
  });

  test('follows a cancel of the visitor', async () => {
    const wanted = wish();
    const sent = send({ signal: wanted.signal });
    wanted.abort();
    expect((await sent).sent).toBe(false);
    expect(FakeXhr.last.abort).toHaveBeenCalledTimes(1);
  });

  test('follows a minute without progress, not a long upload', async () => {
    jest.useFakeTimers();
    const sent = send();
    for (let minute = 0; minute < 5; minute += 1) {
      jest.advanceTimersByTime(59_999);
      FakeXhr.last.upload.onprogress?.({ lengthComputable: true, loaded: minute, total: 5 });
    }
    expect(FakeXhr.last.abort).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60_000);
    expect(await sent).toEqual({ sent: false, reason: messages.noAnswer });
    jest.useRealTimers();
  });
});

describe('a 503 with a short Retry-After', () => {
  const busy: FakeAnswer = { status: 503, retryAfter: 5, response: { success: false, message: 'Later.' } };
  const accepted: FakeAnswer = { status: 202, response: { success: true, reference: REFERENCE } };
  beforeEach(() => {
    jest.useFakeTimers();
    onWaiting.mockClear();
  });
  afterEach(() => void jest.useRealTimers());
  /** Answers the last request, and lets some seconds pass. */
  const answer = async (given: FakeAnswer, seconds = 0) => {
    FakeXhr.last.answer(given);
    await jest.advanceTimersByTimeAsync(seconds * 1000);
  };

  test('is repeated when its time is over, with the same key and body', async () => {
    const sent = send();
    await answer(busy, 4.999);
    expect(FakeXhr.sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(FakeXhr.sent).toHaveLength(2);
    const [first, second] = FakeXhr.sent.map(({ body, headers: own }) => ({ body, own }));
    expect(second).toEqual(first);
    await answer(accepted);
    expect(await sent).toEqual({ sent: true, reference: REFERENCE });
    expect(onWaiting.mock.calls).toEqual([[true], [false]]);
  });

  test('is repeated twice, then shows the reason', async () => {
    const sent = send();
    for (let count = 0; count < 3; count += 1) await answer({ ...busy, retryAfter: 30 }, 30);
    expect(FakeXhr.sent).toHaveLength(3);
    expect(await sent).toMatchObject({ sent: false, status: 503, reason: 'Later.' });
  });

  test('is not repeated > after a cancel of the visitor', async () => {
    const wanted = wish();
    const sent = send({ signal: wanted.signal });
    await answer(busy, 1);
    wanted.abort();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(FakeXhr.sent).toHaveLength(1);
    expect((await sent).sent).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each<[string, FakeAnswer]>([
    ['without Retry-After', { status: 503, response: '' }],
    ['that is longer', { ...busy, retryAfter: 31 }],
    ['that is a date', { ...busy, retryAfter: 'Sun, 29 Nov 2026 08:00:00 GMT' }],
    ...[429, 500, 502, 504].map((status): [string, FakeAnswer] => [`of a ${status}`, { ...busy, status }]),
  ])('is not repeated > %s', async (_case, given) => {
    const sent = send();
    await answer(given, 60);
    expect(FakeXhr.sent).toHaveLength(1);
    expect(await sent).toMatchObject({ sent: false, status: given.status });
    expect(onWaiting).not.toHaveBeenCalled();
  });
});

test('reports progress as a share if the length is known, and always the end', () => {
  void send();
  FakeXhr.last.upload.onprogress?.({ lengthComputable: false, loaded: 1, total: 0 });
  FakeXhr.last.upload.onprogress?.({ lengthComputable: true, loaded: 50, total: 200 });
  FakeXhr.last.upload.onload?.();
  expect(onProgress.mock.calls).toEqual([[0.25], [1]]);
});
