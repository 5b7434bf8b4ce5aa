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
const openDialog = () => {
  render(<ApplicationDialog />);
  dialog().showModal();
};

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
  test('is closed at first', () => {
    render(<ApplicationDialog />);
    expect(dialog().open).toBe(false);
  });

  test('opens where the page was asked for with it, and a reload does not open it again', () => {
    history.replaceState(null, '', '/careers#application');
    render(<ApplicationDialog />);
    expect(showModal).toHaveBeenCalledTimes(1);
    expect(location.hash).toBe('');
  });

  test('is taken over open where it was opened before the script came', () => {
    const complaint = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const prerendered = render(<ApplicationDialog />);
    const container = document.createElement('div');
    container.innerHTML = prerendered.container.innerHTML;
    prerendered.unmount();
    document.body.append(container);
    dialog().showModal();
    render(<ApplicationDialog />, { container, hydrate: true });
    expect(dialog().open).toBe(true);
    expect(showModal).toHaveBeenCalledTimes(1);
    fireEvent.click(closeButton());
    expect(dialog().open).toBe(false);
    // React names each attribute that differs.
    expect(complaint.mock.calls.join()).not.toContain('open=');
  });

  test('closes by its X and by Cancel, and opens again', () => {
    render(<ApplicationDialog />);
    for (const name of ['Close', 'Cancel']) {
      dialog().showModal();
      fireEvent.click(screen.getByRole('button', { name }));
      expect(dialog().open).toBe(false);
    }
  });

  test('may be left with Escape', () => {
    openDialog();
    expect(fireEvent(dialog(), new Event('cancel', { cancelable: true }))).toBe(true);
  });

  test('is named by its heading', () => {
    openDialog();
    expect(screen.getByRole('dialog', { name: 'Submit Your Application' })).toBe(dialog());
  });
});

test('while the application is sent, the dialog stays: neither X nor Escape closes it', async () => {
  openDialog();
  fireEvent.change(screen.getByLabelText('Full Name *'), { target: { value: 'Ada' } });
  fireEvent.change(screen.getByLabelText('Email Address *'), { target: { value: 'ada@example.org' } });
  const resume = new File(['%PDF-1.7'], 'ada.pdf', { type: 'application/pdf' });
  await act(async () => void fireEvent.change(screen.getByLabelText('Resume/CV *'), { target: { files: [resume] } }));
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Submit Application' })));
  expect(FakeXhr.sent).toHaveLength(1);
  expect(closeButton().disabled).toBe(true);
  expect(fireEvent(dialog(), new Event('cancel', { cancelable: true }))).toBe(false);
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await act(async () => FakeXhr.last.fail());
  expect(closeButton().disabled).toBe(false);
  expect(fireEvent(dialog(), new Event('cancel', { cancelable: true }))).toBe(true);
});
