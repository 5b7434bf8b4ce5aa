/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { toastStore } from './toast-store.ts';
import { Toaster } from './toaster.tsx';

const add = (title: string, variant: 'default' | 'destructive' = 'default') => act(async () => toastStore.add({ title, variant }));
const isOpen = () => toastStore.toasts[0]?.open;
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

/** jsdom has no pointer events: a mouse event of that name carries what matters. */
const pointer = (type: string, clientX: number) =>
  act(async () => void screen.getByText(/./, { selector: '.toast-title' }).dispatchEvent(new MouseEvent(type, { bubbles: true, clientX })));

beforeEach(() => {
  jest.useFakeTimers();
  render(<Toaster />);
});
afterEach(async () => {
  await act(async () => toastStore.dismiss());
  jest.useRealTimers();
});

describe('a toast', () => {
  test('is read out as a status, or at once as an alert when it tells of a failure', async () => {
    await add('Sent');
    await pass(0);
    expect(screen.getByRole('status').textContent).toContain('Sent');
    await add('Not sent', 'destructive');
    await pass(0);
    expect(screen.getByRole('alert').textContent).toContain('Not sent');
    expect(document.querySelectorAll('.toast')).toHaveLength(1);
  });

  test('is dismissed when its 5000 ms are over', async () => {
    await add('Sent');
    await pass(0);
    const time = document.querySelector<HTMLElement>('.Toastify__progress-bar');
    expect(time?.style.animationDuration).toBe('5000ms');
    await act(async () => void (time && fireEvent.animationEnd(time)));
    await pass(0);
    expect(isOpen()).toBe(false);
  });

  test('is dismissed by a swipe of 50 px to the right', async () => {
    await add('Sent');
    await pass(0);
    await pointer('pointerdown', 100);
    await pointer('pointerup', 150);
    expect(isOpen()).toBe(false);
  });

  test.each([
    ['49 px to the right', 149],
    ['to the left', 0],
  ])('is not dismissed by a swipe %s', async (_how, end) => {
    await add('Sent');
    await pass(0);
    await pointer('pointerdown', 100);
    await pointer('pointerup', end);
    expect(isOpen()).toBe(true);
  });

  test('is dismissed by its close button', async () => {
    await add('Sent');
    await pass(0);
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: /close/i })));
    await pass(0);
    expect(isOpen()).toBe(false);
  });
});
