/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { messages } from 'form-service/contract/messages';
import { notify, Toaster } from './toaster.tsx';

const REMOVE_DELAY_MS = 1_000_000;

const show = async (title: string, type: 'success' | 'error' = 'success') => {
  act(() => notify({ title, description: 'In one sentence.', type }));
  await pass(0);
};
const titles = () => [...document.querySelectorAll('[data-toast] p:first-child')].map(({ textContent }) => textContent);
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
/** Imitates a pointer event, which jsdom lacks, by a mouse event. */
const pointer = (type: string, clientX: number) =>
  act(
    async () =>
      void screen
        .getByText(/./, { selector: '[data-toast] p:first-child' })
        .dispatchEvent(new MouseEvent(type, { bubbles: true, clientX })),
  );

beforeEach(() => {
  jest.useFakeTimers();
  render(
    <>
      <button type="button">Send</button>
      <Toaster />
    </>,
  );
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a toast', () => {
  test('replaces the previous one', async () => {
    await show('Not sent', 'error');
    await show('Sent');
    expect(titles()).toEqual(['Sent']);
  });

  test('is dismissed after 5000 ms', async () => {
    await show('Sent');
    const time = document.querySelector<HTMLElement>('.Toastify__progress-bar');
    expect(time?.style.animationDuration).toBe('5000ms');
    await act(async () => void (time && fireEvent.animationEnd(time)));
    expect(titles()).toEqual([]);
  });

  test.each([
    ['a swipe of 50 px to the right', 150, []],
    ['no swipe of 49 px to the right', 149, ['Sent']],
    ['no swipe to the left', 0, ['Sent']],
  ])('is dismissed by %s', async (_how, end, left) => {
    await show('Sent');
    await pointer('pointerdown', 100);
    await pointer('pointerup', end);
    expect(titles()).toEqual(left);
  });

  test('is dismissed by its close button, which returns the focus', async () => {
    const before = screen.getByRole('button', { name: 'Send' });
    before.focus();
    await show('Sent');
    const close = screen.getByRole('button', { name: messages.close });
    close.focus();
    await act(async () => void fireEvent.click(close));
    expect(titles()).toEqual([]);
    expect(document.activeElement).toBe(before);
  });

  test('is kept in the list for 1,000,000 ms after its dismissal', async () => {
    await show('Sent');
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: messages.close })));
    await pass(REMOVE_DELAY_MS - 1);
    expect(document.querySelector('.Toastify__toast-container')).not.toBeNull();
    await pass(1);
    expect(document.querySelector('.Toastify__toast-container')).toBeNull();
  });
});
