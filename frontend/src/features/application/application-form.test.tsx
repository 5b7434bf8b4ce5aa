/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { FakeXhr } from '../../../test/stand-ins/fake-xhr.ts';
import { company } from '../../content/company.ts';
import { ApplicationForm } from './application-form.tsx';

const PDF = 'application/pdf';
const TEN_MIB = 10 * 1024 * 1024;
const SENT = { status: 202, response: { success: true, message: 'Thank you.', reference: 'KW' } };

let close: jest.Mock<() => void>;
const alert = jest.fn<(message?: string) => void>();
let logged: jest.SpiedFunction<typeof console.error>;

const resumeOf = (name: string, type: string, size = 1000) => Object.defineProperty(new File(['%PDF'], name, { type }), 'size', { value: size });
const control = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const enter = (label: string, value: string) => fireEvent.change(control(label), { target: { value } });
const choose = (file: File) => fireEvent.change(control('Resume/CV *'), { target: { files: [file] } });
const submitButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Submit/ });
const cancelButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' });
const box = (kind: 'success' | 'error') => [...document.querySelectorAll(`.notice--${kind} p`)].map(({ textContent }) => textContent);
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const submit = async () => {
  fireEvent.click(submitButton());
  await pass(0);
};
const answer = async (what: Parameters<FakeXhr['answer']>[0]) => {
  FakeXhr.last.answer(what);
  await pass(0);
};
const fill = () => {
  enter('Full Name *', 'Ada Lovelace');
  enter('Email Address *', 'ada@example.org');
  enter('Position of Interest', 'Android Developer');
  choose(resumeOf('ada.pdf', PDF));
};

beforeEach(() => {
  jest.useFakeTimers();
  FakeXhr.install();
  alert.mockClear();
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  window.alert = alert;
  render(
    <dialog open>
      <ApplicationForm />
    </dialog>,
  );
  close = jest.fn();
  HTMLDialogElement.prototype.close = close;
});
afterEach(() => {
  jest.useRealTimers();
  const unexpected = logged.mock.calls.filter(([message]) => message !== 'The application was not accepted:');
  expect(unexpected).toEqual([]);
});

describe('the submit button', () => {
  test('is disabled until name, e-mail and résumé are there', () => {
    expect(submitButton().disabled).toBe(true);
    enter('Full Name *', 'Ada Lovelace');
    expect(submitButton().disabled).toBe(true);
    enter('Email Address *', 'ada@example.org');
    expect(submitButton().disabled).toBe(true);
    choose(resumeOf('ada.pdf', PDF));
    expect(submitButton().disabled).toBe(false);
    enter('Full Name *', '');
    expect(submitButton().disabled).toBe(true);
  });

  test('is disabled again when the file is removed', () => {
    fill();
    fireEvent.click(screen.getByRole('button', { name: 'Remove file' }));
    expect(submitButton().disabled).toBe(true);
    expect(screen.queryByText('ada.pdf')).toBeNull();
  });

  test('asks for none of the optional fields', async () => {
    enter('Full Name *', 'Ada');
    enter('Email Address *', 'ada@example.org');
    choose(resumeOf('ada.pdf', PDF));
    await submit();
    expect(FakeXhr.sent).toHaveLength(1);
  });
});

describe('the résumé', () => {
  test.each([
    ['ada.pdf', PDF],
    ['ada.doc', 'application/msword'],
    ['ada.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ])('%s is kept, and its name shown', (name, type) => {
    choose(resumeOf(name, type));
    expect(screen.getByText(name)).not.toBeNull();
    expect(alert).not.toHaveBeenCalled();
  });

  test('of exactly 10 MiB is kept', () => {
    choose(resumeOf('ada.pdf', PDF, TEN_MIB));
    expect(screen.getByText('ada.pdf')).not.toBeNull();
    expect(alert).not.toHaveBeenCalled();
  });

  test.each([
    ['too large', resumeOf('ada.pdf', PDF, TEN_MIB + 1), 'File size must be less than 10MB'],
    ['of a wrong type', resumeOf('ada.png', 'image/png'), 'Please upload a PDF or Word document'],
  ])('%s raises an alert and is not kept', (_case, file, message) => {
    fill();
    choose(file);
    expect(alert.mock.calls).toEqual([[message]]);
    expect(document.querySelector('.file-name')).toBeNull();
    expect(submitButton().disabled).toBe(true);
  });
});

describe('sending', () => {
  test('sends along what a program put where no person writes', async () => {
    fill();
    enter('Leave this field empty', 'Acme');
    await submit();
    expect(FakeXhr.last.body?.get('topicNote')).toBe('Acme');
  });

  test('disables Submit, which says so, and Cancel', async () => {
    fill();
    expect(submitButton().textContent).toBe('Submit Application');
    await submit();
    expect(submitButton()).toMatchObject({ disabled: true, textContent: 'Submitting...' });
    expect(cancelButton().disabled).toBe(true);
    await answer(SENT);
    expect(submitButton().textContent).toBe('Submit Application');
    expect(cancelButton().disabled).toBe(false);
  });

  test('shows how much is sent, for as long as it takes', async () => {
    fill();
    await submit();
    act(() => FakeXhr.last.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 4 }));
    expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(0.25);
    await answer(SENT);
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  test('does not happen with an e-mail address that is none: its message shows, and the field has the focus', async () => {
    fill();
    enter('Email Address *', 'ada@nowhere');
    await submit();
    expect(FakeXhr.sent).toHaveLength(0);
    const email = control('Email Address *');
    expect(document.getElementById(email.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Invalid email');
    expect(document.activeElement).toBe(email);
  });
});

describe('success', () => {
  beforeEach(async () => {
    fill();
    await submit();
    await answer(SENT);
  });

  test('shows the green box', () => {
    expect(box('success')).toEqual(['Application submitted successfully!', "We'll review your application and get back to you soon."]);
    expect(box('error')).toEqual([]);
  });

  test('cannot be submitted a second time meanwhile', () => {
    expect(submitButton().disabled).toBe(true);
  });

  test('after 2000 ms clears the form, returns to idle and closes', async () => {
    await pass(1999);
    expect(close).not.toHaveBeenCalled();
    expect(control('Full Name *').value).toBe('Ada Lovelace');
    await pass(1);
    expect(close).toHaveBeenCalledTimes(1);
    expect(box('success')).toEqual([]);
    for (const label of ['Full Name *', 'Email Address *', 'Position of Interest']) expect(control(label).value).toBe('');
    expect(document.querySelector('.file-name')).toBeNull();
  });
});

describe('failure', () => {
  const failures: readonly (readonly [string, () => void, string])[] = [
    ['a status that is not ok', () => FakeXhr.last.answer({ status: 503, response: { success: false, message: 'Try later.' } }), 'Try later.'],
    ['success that is not true', () => FakeXhr.last.answer({ status: 200, response: { success: false } }), 'Submission failed'],
    ['a network error', () => FakeXhr.last.fail(), 'Submission failed'],
  ];

  test.each(failures)('by %s shows the red box and is logged, without the visitor’s words', async (_case, fail, reason) => {
    fill();
    await submit();
    fail();
    await pass(0);
    expect(box('error')).toEqual(['Error submitting application', `Please try again or contact us directly at ${company.careersEmail}`]);
    expect(logged.mock.calls.flat().join(' ')).toContain(reason);
    expect(logged.mock.calls.flat().join(' ')).not.toMatch(/ada/i);
  });

  test('ends sending, keeps what was entered, and does not close', async () => {
    fill();
    await submit();
    FakeXhr.last.fail();
    await pass(10_000);
    expect(submitButton()).toMatchObject({ disabled: false, textContent: 'Submit Application' });
    expect(control('Full Name *').value).toBe('Ada Lovelace');
    expect(screen.getByText('ada.pdf')).not.toBeNull();
    expect(close).not.toHaveBeenCalled();
  });

  test('is forgotten while it is tried again, with the same key', async () => {
    fill();
    await submit();
    FakeXhr.last.fail();
    await pass(0);
    await submit();
    expect(box('error')).toEqual([]);
    await answer(SENT);
    expect(box('success')).not.toEqual([]);
    const [first, second] = FakeXhr.sent.map(({ headers }) => headers['Idempotency-Key']);
    expect(second).toBe(first);
  });
});
