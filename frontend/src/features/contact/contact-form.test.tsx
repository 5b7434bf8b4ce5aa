/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { toast } from 'react-toastify/unstyled';
import { ContactForm } from './contact-form.tsx';

const VALID = {
  Name: 'Ada Lovelace',
  Email: 'ada@example.org',
  Phone: '+44 20 7946 0000',
  Service: 'SAP Consulting & ABAP',
  Message: 'Please call me about a new system.',
} as const;
type FieldLabel = keyof typeof VALID;

const MESSAGES = {
  Name: 'Name must be at least 2 characters',
  Email: 'Invalid email address',
  Service: 'Please select a service',
  Message: 'Message must be at least 10 characters',
} as const;

/** The calls that submit; the form's token is asked for beside them. */
const fetchMock = jest.fn<typeof fetch>();
const tokenMock = jest.fn<typeof fetch>();

const control = (label: FieldLabel) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}\\b`));
const enter = (label: FieldLabel, value: string) => fireEvent.input(control(label), { target: { value } });
const fill = (values: Partial<Record<FieldLabel, string>> = VALID) => {
  for (const [label, value] of Object.entries(values)) enter(label as FieldLabel, value);
};
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /message/i });
const submit = () => act(async () => void fireEvent.click(button()));
const errorOf = (label: FieldLabel) => {
  const describedBy = control(label).getAttribute('aria-describedby');
  return describedBy ? document.getElementById(describedBy)?.textContent : undefined;
};
const toasts = () =>
  [...document.querySelectorAll('[data-toast]')].map((toast) =>
    [...toast.querySelectorAll('p')].map(({ textContent }) => textContent),
  );
const sentKeys = () => fetchMock.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'));
const THANKS = 'Thank you. Your reference is KW-0000-0000-0000-0000.';
const accepted = () => new Response(THANKS, { status: 202 });
/** What stays on the page beside the button. */
const outcome = () => document.getElementById(button().getAttribute('aria-describedby') ?? '');

beforeEach(() => {
  fetchMock.mockReset();
  tokenMock.mockReset().mockRejectedValue(new TypeError('Failed to fetch'));
  globalThis.fetch = (...request) => (request[0] === '/api/form-token' ? tokenMock : fetchMock)(...request);
  render(<ContactForm />);
});
afterEach(() => act(() => toast.dismiss()));

describe('validation', () => {
  test('does not run before the first submit', async () => {
    enter('Name', 'A');
    enter('Email', 'nobody');
    fireEvent.blur(control('Name'));
    fireEvent.blur(control('Email'));
    await act(async () => {});
    expect(errorOf('Name')).toBeUndefined();
    expect(errorOf('Email')).toBeUndefined();
  });

  test('on submit shows each message under its field, sends nothing, and focuses the first wrong field', async () => {
    await submit();
    for (const [label, message] of Object.entries(MESSAGES)) {
      expect(errorOf(label as FieldLabel)).toBe(message);
      expect(control(label as FieldLabel).getAttribute('aria-invalid')).toBe('true');
    }
    expect(errorOf('Phone')).toBeUndefined();
    expect(fetchMock).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(control('Name'));
  });

  test('runs again at every change after the first submit', async () => {
    await submit();
    enter('Name', 'Ad');
    await waitFor(() => expect(errorOf('Name')).toBeUndefined());
    expect(errorOf('Email')).toBe(MESSAGES.Email);
    enter('Name', 'A');
    await waitFor(() => expect(errorOf('Name')).toBe(MESSAGES.Name));
    enter('Service', 'Web Development');
    await waitFor(() => expect(errorOf('Service')).toBeUndefined());
  });

  test('leaves the phone free', async () => {
    fetchMock.mockResolvedValueOnce(accepted());
    fill({ ...VALID, Phone: 'ask my office!' });
    await submit();
    expect(fetchMock).toHaveBeenCalledTimes(1);
  });
});

describe('sending', () => {
  test('posts the five fields as JSON, with cookies and a key', async () => {
    fetchMock.mockResolvedValueOnce(accepted());
    fill();
    await submit();
    const [url, init] = fetchMock.mock.lastCall ?? [];
    expect(url).toBe('/api/contact');
    expect(init).toMatchObject({ method: 'POST', credentials: 'include' });
    expect(JSON.parse(String(init?.body))).toEqual({
      name: VALID.Name,
      email: VALID.Email,
      phone: VALID.Phone,
      service: VALID.Service,
      message: VALID.Message,
    });
    expect(sentKeys()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  test('sends along what a program put where no person writes', async () => {
    fetchMock.mockResolvedValueOnce(accepted());
    fill();
    fireEvent.change(screen.getByLabelText('Leave this field empty'), { target: { value: 'Acme' } });
    await submit();
    const [, init] = fetchMock.mock.lastCall ?? [];
    expect(JSON.parse(String(init?.body))).toMatchObject({ name: VALID.Name, topicNote: 'Acme' });
    expect(screen.queryByRole('textbox', { name: 'Leave this field empty' })).toBeNull();
  });

  test('disables the button, which says so and keeps the focus, until the answer is there', async () => {
    let answer: (response: Response) => void = () => undefined;
    fetchMock.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    expect(button().textContent).toBe('Send Message');
    fill();
    button().focus();
    await submit();
    expect(button().getAttribute('aria-disabled')).toBe('true');
    expect(button().textContent).toBe('Sending Message...');
    expect(document.activeElement).toBe(button());
    await submit();
    expect(fetchMock).toHaveBeenCalledTimes(1);
    await act(async () => answer(accepted()));
    expect(button().getAttribute('aria-disabled')).toBeNull();
    expect(button().textContent).toBe('Send Message');
    expect(document.activeElement).toBe(button());
  });

  test('makes the browser ask before the page is left, and only then', async () => {
    const leave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
    let answer: (response: Response) => void = () => undefined;
    fetchMock.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    fill();
    expect(leave()).toBe(true);
    await submit();
    expect(leave()).toBe(false);
    await act(async () => answer(accepted()));
    expect(leave()).toBe(true);
  });
});

describe('the form’s token', () => {
  const tokens = () => fetchMock.mock.calls.map(([, init]) => new Headers(init?.headers).get('Form-Token'));
  const issued = (token: string) => tokenMock.mockResolvedValueOnce(Response.json({ token }));
  const touchAndFill = async () => {
    act(() => control('Name').focus());
    fill();
    await new Promise((resolve) => setTimeout(resolve));
  };

  test('is asked for at the first touch, once, and sent along', async () => {
    issued('first');
    expect(tokenMock).not.toHaveBeenCalled();
    await touchAndFill();
    expect(tokenMock).toHaveBeenCalledTimes(1);
    fetchMock.mockResolvedValueOnce(accepted());
    await submit();
    expect(tokenMock).toHaveBeenCalledTimes(1);
    expect(tokens()).toEqual(['first']);
  });

  test('is kept for another try, and a new one is asked for after success', async () => {
    issued('first');
    issued('second');
    await touchAndFill();
    fetchMock.mockResolvedValueOnce(new Response('Later.', { status: 503 })).mockImplementation(async () => accepted());
    await submit();
    await submit();
    act(() => control('Name').blur());
    await touchAndFill();
    await submit();
    expect(tokens()).toEqual(['first', 'first', 'second']);
  });

  test.each<[string, () => void]>([
    ['does not come', () => tokenMock.mockReturnValue(new Promise(() => undefined))],
    ['is refused', () => tokenMock.mockResolvedValue(new Response('Not now.', { status: 503 }))],
    ['cannot be read', () => tokenMock.mockResolvedValue(new Response('<html>'))],
    ['is not issued', () => tokenMock.mockResolvedValue(Response.json({}))],
  ])('that %s holds nothing up', async (_case, answer) => {
    answer();
    fetchMock.mockResolvedValueOnce(accepted());
    await touchAndFill();
    await submit();
    expect(tokenMock).toHaveBeenCalledTimes(1);
    expect(tokens()).toEqual([null]);
    await waitFor(() => expect(toasts()).toHaveLength(1));
  });
});

describe('success', () => {
  beforeEach(async () => {
    fetchMock.mockResolvedValue(accepted());
    fill();
    await submit();
  });

  test('shows the toast of the specification', async () => {
    await waitFor(() =>
      expect(toasts()).toEqual([['Message sent successfully!', "We'll get back to you within 24 hours."]]),
    );
    expect(document.querySelectorAll('[role=alert], [role=status], [aria-live]')).toHaveLength(1);
  });

  test('leaves the reference on the page', () => {
    expect(outcome()?.textContent).toContain(THANKS);
  });

  test('empties the form, and shows no messages for that', () => {
    for (const label of Object.keys(VALID)) expect(control(label as FieldLabel).value).toBe('');
    for (const label of Object.keys(MESSAGES)) expect(errorOf(label as FieldLabel)).toBeUndefined();
  });

  test('begins anew: validation waits for a submit again, and the same enquiry is another submission', async () => {
    enter('Name', 'A');
    await act(async () => {});
    expect(errorOf('Name')).toBeUndefined();
    fill();
    await submit();
    expect(new Set(sentKeys()).size).toBe(2);
  });
});

describe('failure', () => {
  test.each([
    [
      'the answer’s sentence',
      () => new Response('Please wait a minute.', { status: 429 }),
      '429: Please wait a minute.',
    ],
    [
      'the status text where the answer is empty',
      () => new Response('', { status: 502, statusText: 'Bad Gateway' }),
      '502: Bad Gateway',
    ],
  ])('is told in a toast and on the page with %s, and what was typed stays', async (_case, answer, description) => {
    fetchMock.mockResolvedValueOnce(answer());
    fill();
    await submit();
    await waitFor(() => expect(toasts()).toEqual([['Error sending message', description]]));
    expect(outcome()?.textContent).toContain(description);
    expect(button().getAttribute('aria-disabled')).toBeNull();
    for (const [label, value] of Object.entries(VALID)) expect(control(label as FieldLabel).value).toBe(value);
  });

  test.each([
    [new TypeError('Failed to fetch'), 'Failed to fetch'],
    [new Error(''), 'Please try again later.'],
    [undefined, 'Please try again later.'],
  ])('without an answer (%s) is told as "%s"', async (reason, description) => {
    fetchMock.mockRejectedValueOnce(reason);
    fill();
    await submit();
    await waitFor(() => expect(toasts()).toEqual([['Error sending message', description]]));
  });

  test('followed by the same enquiry uses its key again; by a changed one, another', async () => {
    fetchMock.mockImplementation(async () => new Response('Later.', { status: 503 }));
    fill();
    await submit();
    await submit();
    enter('Message', 'Something else altogether.');
    await submit();
    const [first, second, third] = sentKeys();
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('and then success leave one toast, the later one', async () => {
    fetchMock.mockResolvedValueOnce(new Response('Later.', { status: 503 })).mockResolvedValueOnce(accepted());
    fill();
    await submit();
    await waitFor(() => expect(toasts()).toHaveLength(1));
    await submit();
    await waitFor(() =>
      expect(toasts()).toEqual([['Message sent successfully!', "We'll get back to you within 24 hours."]]),
    );
  });
});
