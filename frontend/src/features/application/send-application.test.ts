/** @jest-environment ./test/browser-environment.js */
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { FakeXhr } from '../../../test/stand-ins/fake-xhr.ts';
import { sendApplication } from './send-application.ts';

const application = {
  fullName: 'Ada Łovelace',
  email: 'ada@example.org',
  phone: '',
  position: 'Engineer',
  experience: '2',
  coverLetter: 'Hello\nthere',
};
const REFERENCE = 'KW-0000-0000-0000-0000';
const resume = new File(['%PDF-1.7'], 'résumé.pdf', { type: 'application/pdf' });
const onProgress = jest.fn<(share: number) => void>();
const headers = { 'Form-Token': 'a token', 'Idempotency-Key': 'the-key' };
const { signal: unwanted } = new AbortController();
const send = (signal = unwanted) => sendApplication({ ...application, resume }, { headers, signal }, onProgress);

beforeEach(() => {
  onProgress.mockClear();
  FakeXhr.install();
});

describe('what is sent', () => {
  test('is the form as multipart data, the file under "resume"', () => {
    void send().catch(() => undefined);
    const { open, body } = FakeXhr.last;
    expect(open).toHaveBeenCalledWith('POST', '/api/resume');
    expect([...(body?.keys() ?? [])]).toEqual([
      'fullName',
      'email',
      'phone',
      'position',
      'experience',
      'coverLetter',
      'resume',
    ]);
    for (const [name, value] of Object.entries(application)) expect(body?.get(name)).toBe(value);
    expect(body?.get('resume')).toMatchObject({ name: 'résumé.pdf', type: 'application/pdf', size: 8 });
  });

  test('has no control character in the name of the file: no form can say one', () => {
    const oddName = new File(['%PDF-1.7'], 'my\u0001cv.pdf');
    void sendApplication(
      { ...application, resume: oddName },
      { headers, signal: new AbortController().signal },
      onProgress,
    );
    expect(FakeXhr.last.body?.get('resume')).toMatchObject({ name: 'my cv.pdf' });
  });

  test('asks for JSON, carries the key and what else is given, and leaves the content type and its boundary to the browser', () => {
    void send().catch(() => undefined);
    expect(FakeXhr.last.headers).toEqual({ Accept: 'application/json', ...headers });
  });
});

describe('the call succeeds', () => {
  test.each([200, 201, 202])('at %i with success true', async (status) => {
    const sent = send();
    FakeXhr.last.answer({ status, response: { success: true, message: 'Thanks.', reference: REFERENCE } });
    await expect(sent).resolves.toBe(`Your reference is ${REFERENCE}.`);
  });
});

describe('the call fails', () => {
  test.each([
    ['status not ok', { status: 422, response: { success: false, message: 'Invalid email' } }, 'Invalid email'],
    ['status not ok although success is true', { status: 500, response: { success: true, message: 'Odd.' } }, 'Odd.'],
    ['ok without success', { status: 200, response: { success: false, message: 'Full.' } }, 'Full.'],
    ['success that is no boolean', { status: 200, response: { success: 'true' } }, 'Submission failed'],
    ['no message', { status: 503, response: { success: false } }, 'Submission failed'],
    ['an answer that is not JSON', { status: 502, response: null }, 'Submission failed'],
    ['ok and not JSON', { status: 200, response: null }, 'Submission failed'],
    ['a redirect that was not followed', { status: 304, response: null }, 'Submission failed'],
  ])('%s', async (_case, answer, message) => {
    const sent = send();
    FakeXhr.last.answer(answer);
    await expect(sent).rejects.toThrow(new Error(message));
  });

  test('a network error', async () => {
    const sent = send();
    FakeXhr.last.fail();
    await expect(sent).rejects.toThrow(new Error('Submission failed'));
  });
});

describe('the call is ended', () => {
  test('when the visitor no longer wants it', async () => {
    const wish = new AbortController();
    const sent = send(wish.signal);
    wish.abort();
    await expect(sent).rejects.toThrow('Submission failed');
    expect(FakeXhr.last.abort).toHaveBeenCalledTimes(1);
  });

  test('when nothing has moved for a minute, however long it takes as a whole', async () => {
    jest.useFakeTimers();
    const sent = send();
    for (let minute = 0; minute < 5; minute += 1) {
      jest.advanceTimersByTime(59_999);
      FakeXhr.last.upload.onprogress?.({ lengthComputable: true, loaded: minute, total: 5 });
    }
    expect(FakeXhr.last.abort).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60_000);
    await expect(sent).rejects.toThrow('Submission failed');
    jest.useRealTimers();
  });
});

test('progress is told as a share, where the browser knows the length', () => {
  void send().catch(() => undefined);
  FakeXhr.last.upload.onprogress?.({ lengthComputable: false, loaded: 1, total: 0 });
  FakeXhr.last.upload.onprogress?.({ lengthComputable: true, loaded: 50, total: 200 });
  expect(onProgress.mock.calls).toEqual([[0.25]]);
});
