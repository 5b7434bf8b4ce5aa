/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { application } from 'form-service/contract/forms/application';
import { fill as fillWords, messages } from 'form-service/contract/messages';
import { descriptionOf, labelsOf, setFiles } from '../../test/controls.ts';
import { FakeXhr } from '../../test/mocks/fake-xhr.ts';
import { company } from 'virtual:content';
import { DialogForm } from './dialog-form.tsx';

const PDF = 'application/pdf';
const TEN_MIB = 10 * 1024 * 1024;
const SENT = { status: 202, response: { success: true, message: 'Thank you.', reference: 'KW-0000-0000-0000-0000' } };

const damaged = {
  status: 422,
  response: { success: false, message: messages.resumeDamaged, errors: { resume: [messages.resumeDamaged] } },
};

const close = jest.fn(() => {
  dialog().removeAttribute('open');
  dialog().dispatchEvent(new Event('close'));
});
const alert = jest.fn<(message?: string) => void>();
let logged: jest.SpiedFunction<typeof console.error>;

const resumeOf = (name: string, type: string, size = 1000) => new File(['%PDF-1.7'.padEnd(size)], name, { type });
const labels = labelsOf(application);
const { words } = application;
const control = (field: string) => screen.getByLabelText<HTMLInputElement>(labels[field] ?? field);
const enter = (field: string, value: string) => fireEvent.input(control(field), { target: { value } });
const choose = (file: File) =>
  act(async () => {
    const resume = control('resume');
    setFiles(resume, [file]);
    fireEvent.change(resume);
  });
const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
const submitButton = () => document.querySelector('[type=submit]') as HTMLButtonElement;
const isDisabled = () => submitButton().getAttribute('aria-disabled') === 'true';
const box = (kind: 'success' | 'error') =>
  [...document.querySelectorAll(`${kind === 'error' ? '.notice-error' : '.notice:not(.notice-error)'} p`)].map(
    ({ textContent }) => textContent,
  );
/** Opener of the dialog, which gets the focus back when the dialog closes. */
const opener = () => {
  const place = document.body.appendChild(document.createElement('p'));
  place.innerHTML = '<a href="#application">Apply</a>';
  place.querySelector('a')?.focus();
  return place;
};
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const submit = async () => {
  fireEvent.click(submitButton());
  await pass(0);
};
const answer = async (what: Parameters<FakeXhr['answer']>[0]) => {
  act(() => FakeXhr.last.answer(what));
  await pass(0);
};
const fill = async () => {
  enter('fullName', 'Ada Lovelace');
  enter('email', 'ada@example.org');
  enter('position', 'Android Developer');
  await choose(resumeOf('ada.pdf', PDF));
};

beforeEach(() => {
  jest.useFakeTimers();
  FakeXhr.install();
  alert.mockClear();
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  window.alert = alert;
  render(
    <dialog open>
      <DialogForm form={application} />
    </dialog>,
  );
  close.mockClear();
  HTMLDialogElement.prototype.close = close;
});
afterEach(() => {
  jest.useRealTimers();
  const unexpected = logged.mock.calls.filter(([message]) => message !== `${messages.submissionFailed}:`);
  expect(unexpected).toEqual([]);
});

describe('the submit button', () => {
  test('is disabled until all is given, names what is missing, and focuses it', async () => {
    const needed = ['fullName', 'email', 'resume'].map((field) => words.fields[field]?.label);
    const missing = () => descriptionOf(submitButton());
    expect([isDisabled(), missing()]).toEqual([true, `${messages.stillNeeded} ${needed.join(', ')}`]);
    enter('fullName', 'Ada Lovelace');
    expect([isDisabled(), missing()]).toEqual([true, `${messages.stillNeeded} ${needed.slice(1).join(', ')}`]);
    fireEvent.click(submitButton());
    expect(document.activeElement).toBe(control('email'));
    expect(FakeXhr.sent).toHaveLength(0);
    await fill();
    expect([isDisabled(), missing()]).toEqual([false, '']);
    enter('fullName', '');
    expect(isDisabled()).toBe(true);
  });

  test('is disabled again when the file is removed, which moves the focus to the input', async () => {
    await fill();
    expect(screen.getByText('ada.pdf')).not.toBeNull();
    fireEvent.click(screen.getByRole('button', { name: messages.removeFile }));
    expect(document.activeElement).toBe(control('resume'));
    expect(isDisabled()).toBe(true);
    expect(screen.queryByText('ada.pdf')).toBeNull();
  });
});

describe('the résumé', () => {
  test.each([
    ['too large', resumeOf('ada.pdf', PDF, TEN_MIB + 1), messages.resumeTooLarge],
    ['of a wrong type', resumeOf('ada.png', 'image/png'), messages.resumeWrongType],
  ])('%s raises an alert and is not kept', async (_case, file, message) => {
    await fill();
    await choose(file);
    expect(alert.mock.calls).toEqual([[message]]);
    expect(document.querySelector('[data-file]')).toBeNull();
    expect(isDisabled()).toBe(true);
  });
});

describe('sending', () => {
  test('disables Submit, which says so and keeps the focus, and Cancel', async () => {
    const cancel = screen.getByRole('button', { name: messages.cancel });
    const states = () => [isDisabled(), cancel.getAttribute('aria-disabled'), cancel.hasAttribute('data-closes')];
    await fill();
    expect([submitButton().textContent, ...states()]).toEqual([words.submit, false, null, true]);
    submitButton().focus();
    await submit();
    expect([submitButton().textContent, ...states()]).toEqual([words.sending, true, 'true', false]);
    expect(document.activeElement).toBe(submitButton());
    await submit();
    expect(FakeXhr.sent).toHaveLength(1);
    // Once it is accepted, it cannot be sent again.
    await answer(SENT);
    expect([submitButton().textContent, ...states()]).toEqual([words.submit, true, null, true]);
  });

  test.each([
    ['an upload', () => undefined],
    ['a pause, which it tells', () => answer({ status: 503, retryAfter: 5, response: '' })],
  ])('ends and keeps the values > when the dialog is closed during %s', async (during, before) => {
    const place = opener();
    await fill();
    await submit();
    await before();
    const told = during === 'an upload' ? words.uploading : messages.stillSending;
    expect(document.querySelector('[aria-live=polite] label')?.textContent).toBe(told);
    act(() => close());
    await pass(10_000);
    expect([FakeXhr.sent.length, FakeXhr.last.abort.mock.calls.length]).toEqual([1, 1]);
    expect(place.querySelector('output')?.textContent).toBe(words.notSent);
    dialog().setAttribute('open', '');
    expect([isDisabled(), control('fullName').value, box('error')]).toEqual([false, 'Ada Lovelace', []]);
    place.remove();
  });

  test.each([
    ['the reference', SENT, messages.reference({ reference: SENT.response.reference })],
    ['the reason', { status: 503, response: { success: false, message: 'Try later.' } }, 'Try later.'],
  ])(
    'continues after the upload > when the dialog is closed, and then shows %s on the page',
    async (_case, response, text) => {
      const place = opener();
      await fill();
      await submit();
      act(() => FakeXhr.last.upload.onload?.());
      act(() => close());
      expect(FakeXhr.last.abort).not.toHaveBeenCalled();
      expect(place.querySelector('output')?.textContent).toBe(application.words.unanswered);
      await answer(response);
      expect(place.querySelector('output')?.textContent).toBe(text);
      await pass(2000);
      expect(control('fullName').value).toBe(response === SENT ? '' : 'Ada Lovelace');
      expect(place.querySelector('output')?.textContent).toBe(text);
      place.remove();
    },
  );

  test('shows the progress of the upload', async () => {
    await fill();
    await submit();
    act(() => FakeXhr.last.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 4 }));
    expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(0.25);
    await answer(SENT);
    expect(screen.queryByRole('progressbar')).toBeNull();
  });
});

describe('success', () => {
  beforeEach(async () => {
    await fill();
    await submit();
    await answer(SENT);
  });

  test('shows the reference, and after 2000 ms closes, clears and shows it next to the link', async () => {
    const reference = messages.reference({ reference: SENT.response.reference });
    expect(box('success')).toEqual([words.sent, words.sentDetail, reference]);
    expect(box('error')).toEqual([]);
    const place = opener();
    await pass(1999);
    expect(close).not.toHaveBeenCalled();
    expect(control('fullName').value).toBe('Ada Lovelace');
    await pass(1);
    expect(close).toHaveBeenCalledTimes(1);
    expect(place.querySelector('output')?.textContent).toBe(reference);
    expect(box('success')).toEqual([]);
    for (const field of ['fullName', 'email', 'position']) expect(control(field).value).toBe('');
    expect(document.querySelector('[data-file]')).toBeNull();
    place.remove();
  });

  test('does not close a dialog that was closed and opened again', async () => {
    act(() => close());
    await pass(10_000);
    expect(close).toHaveBeenCalledTimes(1);
    expect(control('fullName').value).toBe('');
  });
});

describe('failure', () => {
  test.each([
    ['the reason', { status: 503, response: { success: false, message: 'Try later.' } }, 'Try later.'],
    ['its fallback', { status: 500, statusText: 'Internal Server Error', response: '' }, messages.submissionFailed],
  ])(
    'shows %s in the red box, logs it without the visitor’s words, and keeps the form',
    async (_what, response, reason) => {
      await fill();
      await submit();
      await answer(response);
      const advice = fillWords(words.failedDetail, { email: company.careersEmail });
      expect(box('error')).toEqual([words.failed, reason, advice]);
      expect(logged).toHaveBeenCalledTimes(1);
      expect(logged.mock.calls.flat().join(' ')).not.toMatch(/ada/i);
      await pass(10_000);
      expect([isDisabled(), control('fullName').value, close.mock.calls]).toEqual([false, 'Ada Lovelace', []]);
      expect(screen.getByText('ada.pdf')).not.toBeNull();
    },
  );

  test('is shown at the file, whose control is emptied > when the file is rejected', async () => {
    await fill();
    await submit();
    await answer(damaged);
    const resume = control('resume');
    expect(document.getElementById('resume-error')?.textContent).toBe(messages.resumeDamaged);
    expect(resume.getAttribute('aria-describedby')).toContain('resume-error');
    expect(document.activeElement).toBe(resume);
    expect(screen.queryByText('ada.pdf')).toBeNull();
    await choose(resumeOf('ada.pdf', PDF));
    expect(document.getElementById('resume-error')).toBeNull();
  });
});

describe('the file of an application', () => {
  test('is sent under a name that a form can carry > its name has a control character', async () => {
    await fill();
    await choose(resumeOf('a\tda.pdf', PDF));
    await submit();
    expect((FakeXhr.last.form.get('resume') as File).name).toBe('a da.pdf');
  });

  test('is asked for again > it changes while it is sent, and the service cannot read it', async () => {
    await fill();
    await submit();
    const read = jest.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(async () => new ArrayBuffer(1_001));
    await answer({ status: 400, response: { success: false, message: 'We could not read this form.' } });
    expect(box('error')).toContain(messages.resumeChanged);
    read.mockRestore();
  });

  test('stays > the service refuses the one that was sent before', async () => {
    await fill();
    await submit();
    await choose(resumeOf('corrected.pdf', PDF));
    await answer(damaged);
    expect(control('resume').files?.[0]?.name).toBe('corrected.pdf');
    expect(document.getElementById('resume-error')).toBeNull();
    await submit();
    const [first, second] = FakeXhr.sent.map(({ headers }) => headers['Idempotency-Key']);
    expect(second).not.toBe(first);
  });

  test('stays > it is chosen while another is sent and accepted', async () => {
    await fill();
    await submit();
    await choose(resumeOf('portfolio.pdf', PDF));
    await answer(SENT);
    await pass(2000);
    expect(control('resume').files?.[0]?.name).toBe('portfolio.pdf');
    expect(control('fullName').value).toBe('');
  });

  test('stays > another file was still being read when it was chosen', async () => {
    let read: (head: ArrayBuffer) => void = () => {};
    const head = new Promise<ArrayBuffer>((resolve) => (read = resolve));
    const program = Object.defineProperty(resumeOf('program.pdf', PDF), 'slice', {
      value: () => ({ arrayBuffer: () => head }),
    });
    await choose(program);
    await choose(resumeOf('ada.pdf', PDF));
    await act(async () => read(new TextEncoder().encode('MZ').buffer));
    expect(alert).not.toHaveBeenCalled();
    expect(control('resume').files?.[0]?.name).toBe('ada.pdf');
  });
});
