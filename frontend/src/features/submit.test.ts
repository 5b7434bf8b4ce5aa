/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { messages } from 'form-service/contract/messages';
import { FakeXhr, type FakeAnswer } from '../../test/stand-ins/fake-xhr.ts';
import { submit } from './submit.ts';

const REFERENCE = 'KW-0000-0000-0000-0000';
const onProgress = jest.fn<(share: number) => void>();
const headers = { 'Form-Token': 'a token', 'Idempotency-Key': 'the-key' };
const wish = () => new AbortController();
const send = ({ body = '{"name":"Ada"}' as string | FormData, signal = wish().signal } = {}) =>
  submit({ path: '/api/thing', body, headers, signal, onProgress });
const outcomeOf = (answer: FakeAnswer) => {
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

describe('what is sent', () => {
  test('is JSON, which says so, with the given headers, and asks for JSON', () => {
    void send();
    expect(FakeXhr.last.open).toHaveBeenCalledWith('POST', '/api/thing');
    expect(FakeXhr.last.body).toBe('{"name":"Ada"}');
    expect(FakeXhr.last.headers).toEqual({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      ...headers,
    });
  });

  test('is multipart data, whose type and boundary are left to the browser', () => {
    const body = new FormData();
    void send({ body });
    expect(FakeXhr.last.body).toBe(body);
    expect(FakeXhr.last.headers).toEqual({ Accept: 'application/json', ...headers });
  });
});

describe('it is sent', () => {
  test.each([200, 201, 202])('where %i says success and names the reference', async (status) => {
    const response = { success: true, message: 'Thanks.', reference: REFERENCE };
    expect(await outcomeOf({ status, response })).toEqual({ sent: true, text: `Your reference is ${REFERENCE}.` });
  });
});

describe('it is not sent, and the answer was not ours', () => {
  test.each([
    ['a page', '<!doctype html><title>Sign in</title>'],
    ['nothing', ''],
    ['a text with a reference', `Thank you. Your reference is ${REFERENCE}.`],
    ['success without a reference', { success: true, message: 'Thanks.' }],
    ['success with an empty reference', { success: true, reference: '' }],
    ['success that is no boolean', { success: 'true', reference: REFERENCE }],
    ['null', null],
    ['a list', []],
  ])('where 200 answers %s', async (_case, response) => {
    expect(await outcomeOf({ status: 200, response })).toEqual({ sent: false, text: messages.foreignAnswer });
  });
});

describe('it is not sent, with the reason', () => {
  test.each<[string, FakeAnswer, string]>([
    ['of a refusal', { status: 503, response: { success: false, message: 'Later.' } }, 'Later.'],
    ['that stands as plain text', { status: 429, response: 'Too many.\n' }, 'Too many.'],
    [
      'in the status line where a page answers',
      { status: 502, statusText: 'Bad Gateway', response: '<html>Oops' },
      'Bad Gateway',
    ],
    [
      'in the status line where nothing answers',
      { status: 502, statusText: 'Bad Gateway', response: ' ' },
      'Bad Gateway',
    ],
    ['missing where there is none', { status: 502, response: '<html>' }, ''],
    ['missing where the text is too long', { status: 500, response: 'x'.repeat(301) }, ''],
    ['in spite of success', { status: 500, response: { success: true, reference: REFERENCE } }, ''],
  ])('%s', async (_case, answer, text) => {
    expect(await outcomeOf(answer)).toMatchObject({ sent: false, status: answer.status, text });
  });

  test('of a 200 that says no', async () => {
    const response = { success: false, message: 'Full.' };
    expect(await outcomeOf({ status: 200, response })).toEqual({ sent: false, text: 'Full.' });
  });

  test('of each field', async () => {
    const response = {
      success: false,
      message: 'Please check.',
      errors: { email: ['Wrong.', 'Odd.'], phone: ['No.'] },
    };
    expect(await outcomeOf({ status: 422, response })).toMatchObject({
      text: 'Please check.',
      errors: { email: 'Wrong.', phone: 'No.' },
    });
  });
});

describe('there is no answer', () => {
  test('and the visitor is online', async () => {
    const sent = send();
    FakeXhr.last.fail();
    expect(await sent).toEqual({ sent: false, text: messages.noAnswer });
    expect(FakeXhr.sent).toHaveLength(1);
  });

  test('and the visitor is offline', async () => {
    isOnline.mockReturnValue(false);
    const sent = send();
    FakeXhr.last.fail();
    expect(await sent).toEqual({ sent: false, text: messages.offline });
  });

  test('because the visitor no longer wants it', async () => {
    const wanted = wish();
    const sent = send({ signal: wanted.signal });
    wanted.abort();
    expect((await sent).sent).toBe(false);
    expect(FakeXhr.last.abort).toHaveBeenCalledTimes(1);
  });

  test('because nothing has moved for a minute, however long it takes as a whole', async () => {
    jest.useFakeTimers();
    const sent = send();
    for (let minute = 0; minute < 5; minute += 1) {
      jest.advanceTimersByTime(59_999);
      FakeXhr.last.upload.onprogress?.({ lengthComputable: true, loaded: minute, total: 5 });
    }
    expect(FakeXhr.last.abort).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60_000);
    expect(await sent).toEqual({ sent: false, text: messages.noAnswer });
    jest.useRealTimers();
  });
});

test('progress is told as a share, where the browser knows the length, and its end always', () => {
  void send();
  FakeXhr.last.upload.onprogress?.({ lengthComputable: false, loaded: 1, total: 0 });
  FakeXhr.last.upload.onprogress?.({ lengthComputable: true, loaded: 50, total: 200 });
  FakeXhr.last.upload.onload?.();
  expect(onProgress.mock.calls).toEqual([[0.25], [1]]);
});
