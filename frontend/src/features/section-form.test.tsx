/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Profiler } from 'react';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { contact } from 'form-service/contract/forms/contact';
import { messages } from 'form-service/contract/messages';
import { toast } from 'react-toastify/unstyled';
import { OTHER_SERVICE, SERVICE } from '../../../form-service/test/services.ts';
import { labelsOf } from '../../test/controls.ts';
import { FakeXhr, type FakeAnswer } from '../../test/mocks/fake-xhr.ts';
import { SectionForm } from './section-form.tsx';

// Generous, so that a slow machine does not fail a test.
configure({ asyncUtilTimeout: 30_000 });

const VALID = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  // Not checked.
  phone: 'ask my office!',
  service: OTHER_SERVICE,
  message: 'Please call me about a new system.',
} as const;
type FieldName = keyof typeof VALID;

const missing = (field: FieldName) => contact.words.fields[field]?.missing ?? messages.required;
const MESSAGES = {
  name: missing('name'),
  email: missing('email'),
  service: missing('service'),
  message: missing('message'),
} as const;

const labels = labelsOf(contact);
const { words } = contact;

/** Replaces `fetch`, which requests the form token. */
const tokenMock = jest.fn<typeof fetch>();

const control = (field: FieldName) => screen.getByLabelText<HTMLInputElement>(labels[field] ?? '');
const enter = (field: FieldName, value: string) => fireEvent.input(control(field), { target: { value } });
const fill = (values: Partial<Record<FieldName, string>> = VALID) => {
  for (const [field, value] of Object.entries(values)) enter(field as FieldName, value);
};
const button = () => document.querySelector('[type=submit]') as HTMLButtonElement;
const submit = () => act(async () => void fireEvent.click(button()));
const errorOf = (field: FieldName) => {
  const describedBy = control(field)
    .getAttribute('aria-describedby')
    ?.split(' ')
    .find((id) => id.endsWith('-error'));
  return describedBy ? document.getElementById(describedBy)?.textContent : undefined;
};
const toasts = () =>
  [...document.querySelectorAll('[data-toast]')].map((toast) =>
    [...toast.querySelectorAll('p')].map(({ textContent }) => textContent),
  );
const sentKeys = () => FakeXhr.sent.map(({ headers }) => headers['Idempotency-Key']);
const accepted = { status: 202, response: { success: true, message: 'Thanks.', reference: 'KW-0000-0000-0000-0000' } };
const later = { status: 503, response: { success: false, message: 'Later.' } };
const answer = (what: FakeAnswer) => act(async () => FakeXhr.last.answer(what));
const sentValues = () => JSON.parse(String(FakeXhr.last.body)) as unknown;
const writeAnother = () => act(async () => void fireEvent.click(screen.getByRole('button', { name: words.another })));
/** Result that stays next to the button. */
const outcome = () => document.getElementById(button().getAttribute('aria-describedby') ?? '');

beforeEach(() => {
  FakeXhr.install();
  tokenMock.mockReset().mockRejectedValue(new TypeError('Failed to fetch'));
  globalThis.fetch = tokenMock;
  render(<SectionForm form={contact} />);
});
afterEach(() => act(() => toast.dismiss()));

describe('validation', () => {
  test('shows all messages and focuses the first invalid field > on submit, not before', async () => {
    enter('name', 'A');
    fireEvent.blur(control('name'));
    await act(async () => {});
    expect(errorOf('name')).toBeUndefined();
    enter('name', '');
    await submit();
    for (const [field, message] of Object.entries(MESSAGES)) {
      expect(errorOf(field as FieldName)).toBe(message);
      expect(control(field as FieldName).getAttribute('aria-invalid')).toBe('true');
    }
    expect(errorOf('phone')).toBeUndefined();
    expect(FakeXhr.sent).toEqual([]);
    expect(document.activeElement).toBe(control('name'));
  });

  test('runs again at every change after the first submit, in one render', async () => {
    cleanup();
    const onRender = jest.fn();
    render(
      <Profiler id="form" onRender={onRender}>
        <SectionForm form={contact} />
      </Profiler>,
    );
    await submit();
    for (const typed of ['Ad', 'A']) {
      onRender.mockClear();
      await act(async () => void enter('name', typed));
      expect(onRender).toHaveBeenCalledTimes(1);
      expect(errorOf('name')).toBe(typed === 'A' ? MESSAGES.name : undefined);
      expect(errorOf('email')).toBe(MESSAGES.email);
    }
    enter('service', SERVICE);
    await waitFor(() => expect(errorOf('service')).toBeUndefined());
  });
});

describe('sending', () => {
  test('posts every field and the honeypot as JSON, with an idempotency key', async () => {
    fill();
    expect(screen.queryByRole('textbox', { name: messages.leaveEmpty })).toBeNull();
    fireEvent.change(screen.getByLabelText(messages.leaveEmpty), { target: { value: 'Acme' } });
    await submit();
    expect(FakeXhr.last.open).toHaveBeenCalledWith('POST', '/api/contact');
    expect(sentValues()).toEqual({ ...contact.empty, ...VALID, topicNote: 'Acme' });
    expect(sentKeys()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  test('disables the button without losing its focus, and prevents a double submit', async () => {
    expect(button().textContent).toBe(words.submit);
    fill();
    button().focus();
    await submit();
    expect(button().getAttribute('aria-disabled')).toBe('true');
    expect(button().textContent).toBe(words.sending);
    expect(document.activeElement).toBe(button());
    await submit();
    expect(FakeXhr.sent).toHaveLength(1);
    await answer(later);
    // Two clicks in the same task.
    await act(async () => {
      fireEvent.click(button());
      fireEvent.click(button());
    });
    expect(FakeXhr.sent).toHaveLength(2);
    await answer(accepted);
    expect(document.activeElement?.textContent).toContain(words.confirmation);
  });

  test('asks before the page is left, only while sending', async () => {
    const leave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
    fill();
    expect(leave()).toBe(true);
    await submit();
    expect(leave()).toBe(false);
    await answer(accepted);
    expect(leave()).toBe(true);
  });
});

describe('the form’s token', () => {
  const tokens = () => FakeXhr.sent.map(({ headers }) => headers['Form-Token']);
  const issued = (token: string) => tokenMock.mockResolvedValueOnce(Response.json({ token }));
  const touchAndFill = async () => {
    act(() => control('name').focus());
    fill();
    await new Promise((resolve) => setTimeout(resolve));
  };

  test('is requested at the first touch, kept for a retry, and renewed after success', async () => {
    issued('first');
    issued('second');
    expect(tokenMock).not.toHaveBeenCalled();
    await touchAndFill();
    expect(tokenMock).toHaveBeenCalledTimes(1);
    await submit();
    await answer(later);
    await submit();
    expect(tokenMock).toHaveBeenCalledTimes(1);
    await answer(accepted);
    act(() => control('name').blur());
    await touchAndFill();
    await submit();
    expect(tokens()).toEqual(['first', 'first', 'second']);
  });

  test.each<[string, () => void]>([
    ['does not come', () => tokenMock.mockReturnValue(new Promise(() => undefined))],
    ['cannot be read', () => tokenMock.mockResolvedValue(new Response('<html>'))],
    ['is not issued', () => tokenMock.mockResolvedValue(Response.json({}))],
  ])('that %s does not delay the form', async (_case, issue) => {
    issue();
    await touchAndFill();
    await submit();
    expect(tokens()).toEqual([undefined]);
  });
});

describe('success', () => {
  beforeEach(async () => {
    fill();
    await submit();
    await answer(accepted);
  });

  test('replaces the form by a confirmation with reference and next steps, and a toast', async () => {
    expect(document.querySelector('form')?.hidden).toBe(true);
    expect(outcome()?.textContent).toContain(messages.reference({ reference: accepted.response.reference }));
    expect(outcome()?.querySelectorAll('ol li').length).toBe(words.next?.length);
    await waitFor(() => expect(toasts()).toEqual([[words.sent, words.sentDetail]]));
    expect(document.querySelectorAll(':is([role=alert], [role=status], [aria-live]):not(.field *)')).toHaveLength(1);
  });

  test('empties the hidden form at once, so that no reload or Back restores what was sent', () => {
    for (const field of Object.keys(VALID)) expect(control(field as FieldName).value).toBe('');
  });

  test('is replaced by an empty form with another key > for another enquiry', async () => {
    await writeAnother();
    expect(document.querySelector('form')?.hidden).toBe(false);
    expect(document.activeElement).toBe(control('name'));
    expect(outcome()).toBeNull();
    for (const field of Object.keys(VALID)) expect(control(field as FieldName).value).toBe('');
    enter('name', 'A');
    await act(async () => {});
    for (const field of Object.keys(MESSAGES)) expect(errorOf(field as FieldName)).toBeUndefined();
    fill();
    await submit();
    expect(new Set(sentKeys()).size).toBe(2);
  });
});

test('success > keeps text that is typed while sending', async () => {
  fill();
  await submit();
  enter('message', 'One more question.');
  await answer(accepted);
  await writeAnother();
  expect(control('message').value).toBe('One more question.');
  expect([control('name').value, control('service').value]).toEqual(['', '']);
});

test('failure > is a pause with its own words > the service can take the form in some seconds', async () => {
  fill();
  await submit();
  jest.useFakeTimers();
  await answer({ ...later, retryAfter: 5 });
  expect(button().textContent).toBe(messages.stillSending);
  await act(() => jest.advanceTimersByTimeAsync(5000));
  jest.useRealTimers();
  await answer(accepted);
  expect(sentKeys()).toEqual([sentKeys()[0], sentKeys()[0]]);
  expect(document.querySelector('[data-sent]')?.textContent).toContain(accepted.response.reference);
});

describe('failure', () => {
  test('shows status and reason in toast and page, and keeps the values', async () => {
    fill();
    await submit();
    await answer({ status: 429, response: 'Please wait a minute.' });
    await waitFor(() => expect(toasts()).toEqual([[words.failed, '429: Please wait a minute.']]));
    expect(outcome()?.textContent).toContain('429: Please wait a minute.');
    expect(button().previousElementSibling).toBe(outcome());
    expect(button().getAttribute('aria-disabled')).toBeNull();
    for (const [field, value] of Object.entries(VALID)) expect(control(field as FieldName).value).toBe(value);
  });

  test('shows each error of the service until its field changes, and focuses the first', async () => {
    fill();
    await submit();
    const errors = { phone: ['Please give a number in Europe'], email: ['No mail reaches that address'] };
    await answer({ status: 422, response: { success: false, message: 'Please check the form.', errors } });
    await waitFor(() => expect(errorOf('phone')).toBe('Please give a number in Europe'));
    expect(outcome()?.textContent).toContain('422: Please check the form.');
    expect(document.activeElement).toBe(control('email'));
    enter('email', 'ana@example.com');
    await waitFor(() => expect(errorOf('email')).toBeUndefined());
    expect(errorOf('phone')).toBe('Please give a number in Europe');
  });

  test.each([
    ['the status line, and what to do in the page', 'Bad Gateway', 'Bad Gateway', `. ${words.failedDetail}`],
    ['what to do', undefined, words.failedDetail, ''],
  ])('shows %s > without a reason', async (_what, statusText, shown, inPage) => {
    fill();
    await submit();
    await answer({ status: 502, response: '', ...(statusText && { statusText }) });
    await waitFor(() => expect(toasts()).toEqual([[words.failed, `502: ${shown}`]]));
    expect(outcome()?.textContent).toContain(`502: ${shown}${inPage}`);
  });

  test('keeps the idempotency key > for the same enquiry only', async () => {
    fill();
    for (let times = 0; times < 2; times += 1) {
      await submit();
      await answer(later);
    }
    enter('message', 'Something else altogether.');
    await submit();
    const [first, second, third] = sentKeys();
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test.each<[string, Partial<Record<FieldName, string>>, number]>([
    ['sent', {}, 2],
    ['refused by the validation', { email: 'nobody' }, 1],
  ])('disappears at the next attempt > %s', async (_case, changes, attempts) => {
    fill();
    await submit();
    await answer(later);
    await waitFor(() => expect(toasts()).toHaveLength(1));
    fill(changes);
    await submit();
    expect(FakeXhr.sent).toHaveLength(attempts);
    expect([toasts(), outcome()]).toEqual([[], null]);
    if (attempts === 1) return;
    await answer(accepted);
    await waitFor(() => expect(toasts()).toEqual([[words.sent, words.sentDetail]]));
  });
});
