import { beforeEach, afterEach, describe, expect, jest, test } from '@jest/globals';
import { ToastStore, type Toast } from './toast-store.ts';

/** Milliseconds after which the specification removes a dismissed toast (section 9). */
const REMOVED_AFTER = 1_000_000;

let store: ToastStore;

beforeEach(() => {
  jest.useFakeTimers();
  store = new ToastStore();
});
afterEach(() => {
  jest.useRealTimers();
});

const only = (): Toast => {
  expect(store.toasts).toHaveLength(1);
  return store.toasts[0] as Toast;
};

describe('adding', () => {
  test('makes an open toast with an id of its own', () => {
    const { id } = store.add({ title: 'Sent', description: 'Soon.', variant: 'destructive' });
    expect(id).not.toBe('');
    expect(only()).toEqual({ id, title: 'Sent', description: 'Soon.', variant: 'destructive', open: true });
  });

  test('replaces the older toast', () => {
    const older = store.add({ title: 'older' });
    const newer = store.add({ title: 'newer' });
    expect(newer.id).not.toBe(older.id);
    expect(only()).toMatchObject({ id: newer.id, title: 'newer', open: true });
  });

  test('replaces a dismissed toast that is not yet removed', () => {
    store.add({ title: 'older' }).dismiss();
    store.add({ title: 'newer' });
    expect(only()).toMatchObject({ title: 'newer', open: true });
  });
});

describe('updating', () => {
  test('changes what it names and keeps the rest', () => {
    const { id, update } = store.add({ title: 'Sending', description: 'Wait.' });
    update({ title: 'Sent' });
    expect(only()).toEqual({ id, title: 'Sent', description: 'Wait.', open: true });
  });

  test('by id does the same, and an id that is gone changes nothing', () => {
    const gone = store.add({ title: 'gone' });
    const { id } = store.add({ title: 'shown' });
    gone.update({ title: 'back' });
    store.update('never existed', { title: 'back' });
    expect(only().title).toBe('shown');
    store.update(id, { title: 'changed' });
    expect(only().title).toBe('changed');
  });
});

describe('dismissing', () => {
  test('closes the toast and keeps it in the list until 1,000,000 ms have gone', () => {
    const { id, dismiss } = store.add({ title: 'Sent' });
    dismiss();
    expect(only()).toMatchObject({ id, open: false });
    jest.advanceTimersByTime(REMOVED_AFTER - 1);
    expect(only()).toMatchObject({ id, open: false });
    jest.advanceTimersByTime(1);
    expect(store.toasts).toEqual([]);
  });

  test('by id closes that one only', () => {
    const { id } = store.add({ title: 'shown' });
    store.dismiss('never existed');
    expect(only().open).toBe(true);
    store.dismiss(id);
    expect(only().open).toBe(false);
  });

  test('without an id closes all', () => {
    store.add({ title: 'shown' });
    store.dismiss();
    expect(store.toasts.map(({ open }) => open)).toEqual([false]);
  });

  test('a second time does not postpone the removal', () => {
    const { dismiss } = store.add({ title: 'Sent' });
    dismiss();
    jest.advanceTimersByTime(REMOVED_AFTER - 1);
    dismiss();
    store.dismiss();
    jest.advanceTimersByTime(1);
    expect(store.toasts).toEqual([]);
  });

  test('does not remove the toast that came after it', () => {
    store.add({ title: 'older' }).dismiss();
    jest.advanceTimersByTime(REMOVED_AFTER / 2);
    store.add({ title: 'newer' });
    jest.advanceTimersByTime(REMOVED_AFTER);
    expect(only()).toMatchObject({ title: 'newer', open: true });
  });

  test('is the only thing that removes: an open toast stays', () => {
    store.add({ title: 'shown' });
    jest.advanceTimersByTime(REMOVED_AFTER * 10);
    expect(only().open).toBe(true);
  });
});

describe('a subscriber', () => {
  test('is told the list at each change, until it leaves', () => {
    const seen: string[] = [];
    const leave = store.subscribe((toasts) => seen.push(toasts.map(({ title, open }) => `${title} ${open}`).join()));
    const toast = store.add({ title: 'one' });
    toast.update({ title: 'two' });
    toast.dismiss();
    jest.advanceTimersByTime(REMOVED_AFTER);
    leave();
    store.add({ title: 'three' });
    expect(seen).toEqual(['one true', 'two true', 'two false', '']);
  });

  test('is not told of a dismissal that closes nothing', () => {
    const listener = jest.fn();
    store.subscribe(listener);
    store.dismiss();
    expect(listener).not.toHaveBeenCalled();
  });
});
