/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { FakeXhr } from '../../../test/stand-ins/fake-xhr.ts';
import { ApplicationDialog } from './application-dialog.tsx';

const showModal = jest.fn(function showModal(this: HTMLDialogElement) {
  this.open = true;
});

const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
const closeButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Close' });
const page = () =>
  render(
    <>
      <a href="#application">
        <b>Submit Resume</b>
      </a>
      <a href="#open-positions">View Open Positions</a>
      <ApplicationDialog />
    </>,
  );

beforeEach(() => {
  showModal.mockClear();
  FakeXhr.install();
  // jsdom has the element, and neither of its methods.
  HTMLDialogElement.prototype.showModal = showModal;
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false;
  };
});
afterEach(() => {
  history.replaceState(null, '', '/');
});

describe('the dialog', () => {
  test('is closed at first, and opens modally from any link to it', () => {
    page();
    expect(dialog().open).toBe(false);
    const followed = fireEvent.click(screen.getByText('Submit Resume'));
    expect(showModal).toHaveBeenCalledTimes(1);
    expect(followed).toBe(false);
  });

  test('is not opened by another link', () => {
    page();
    fireEvent.click(screen.getByText('View Open Positions'));
    expect(showModal).not.toHaveBeenCalled();
  });

  test('opens once where its link was followed before the script came, and a reload does not open it again', () => {
    history.replaceState(null, '', '/careers#application');
    page();
    expect(showModal).toHaveBeenCalledTimes(1);
    expect(location.hash).toBe('');
  });

  test('closes by its X and by Cancel, and opens again', () => {
    page();
    for (const name of ['Close', 'Cancel']) {
      fireEvent.click(screen.getByText('Submit Resume'));
      expect(dialog().open).toBe(true);
      fireEvent.click(screen.getByRole('button', { name }));
      expect(dialog().open).toBe(false);
    }
  });

  test('may be left with Escape', () => {
    page();
    fireEvent.click(screen.getByText('Submit Resume'));
    expect(fireEvent(dialog(), new Event('cancel', { cancelable: true }))).toBe(true);
  });

  test('is named by its heading', () => {
    page();
    fireEvent.click(screen.getByText('Submit Resume'));
    expect(screen.getByRole('dialog', { name: 'Submit Your Application' })).toBe(dialog());
  });
});

test('while the application is sent, the dialog stays: neither X nor Escape closes it', async () => {
  page();
  fireEvent.click(screen.getByText('Submit Resume'));
  fireEvent.change(screen.getByLabelText('Full Name *'), { target: { value: 'Ada' } });
  fireEvent.change(screen.getByLabelText('Email Address *'), { target: { value: 'ada@example.org' } });
  fireEvent.change(screen.getByLabelText('Resume/CV *'), { target: { files: [new File(['%PDF'], 'ada.pdf', { type: 'application/pdf' })] } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Submit Application' })));
  expect(FakeXhr.sent).toHaveLength(1);
  expect(closeButton().disabled).toBe(true);
  expect(fireEvent(dialog(), new Event('cancel', { cancelable: true }))).toBe(false);
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await act(async () => FakeXhr.last.fail());
  expect(closeButton().disabled).toBe(false);
  expect(fireEvent(dialog(), new Event('cancel', { cancelable: true }))).toBe(true);
});
