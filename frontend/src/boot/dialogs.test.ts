/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { openAndCloseDialogs } from './dialogs.ts';

const showModal = jest.fn();
const close = jest.fn();

/** State after loading a page whose address has a dialog's anchor. */
const atStart = { opened: 0, address: '' };

beforeAll(() => {
  // jsdom lacks both methods.
  HTMLDialogElement.prototype.showModal = showModal;
  HTMLDialogElement.prototype.close = close;
  document.body.innerHTML = `
    <a href="#form" aria-haspopup="dialog"><b id="opener">Apply</b></a>
    <a href="#gone" aria-haspopup="dialog" id="to-nowhere">Apply</a>
    <a href="#form" id="plain">The form</a>
    <dialog id="form"><button type="button" data-closes><svg id="x"></svg></button><input id="first"><button type="button" id="other">Remove</button></dialog>`;
  history.replaceState(null, '', '/careers?from=mail#form');
  openAndCloseDialogs();
  atStart.opened = showModal.mock.calls.length;
  atStart.address = location.pathname + location.search + location.hash;
});
beforeEach(() => {
  showModal.mockClear();
  close.mockClear();
});
afterEach(() => history.replaceState(null, '', '/'));

/** Clicks, and returns whether the browser goes on to follow a link. */
const click = (id: string) =>
  document.getElementById(id)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));

test('link with aria-haspopup > opens the dialog and is not followed', () => {
  expect(click('opener')).toBe(false);
  expect(showModal).toHaveBeenCalledTimes(1);
  expect(showModal.mock.contexts).toEqual([document.getElementById('form')]);
  expect(document.activeElement?.id).toBe('first');
});

test('link with aria-haspopup > is a button, which the space bar presses', () => {
  const link = document.querySelector('a');
  expect(link?.getAttribute('role')).toBe('button');
  const space = new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true });
  expect(link?.dispatchEvent(space)).toBe(false);
  expect(showModal).toHaveBeenCalledTimes(1);
});

test('other link > keeps the default action of the space bar', () => {
  const space = new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true });
  expect(document.getElementById('plain')?.dispatchEvent(space)).toBe(true);
  expect(showModal).not.toHaveBeenCalled();
});

test('dialog > opens by its anchor, which is removed from the address', () => {
  expect(atStart).toEqual({ opened: 1, address: '/careers?from=mail' });
  history.replaceState(null, '', '/careers?from=mail#form');
  dispatchEvent(new Event('hashchange'));
  expect(showModal).toHaveBeenCalledTimes(1);
  expect(location.pathname + location.search + location.hash).toBe('/careers?from=mail');
});

test('other anchor > stays in the address', () => {
  history.replaceState(null, '', '/careers#plain');
  dispatchEvent(new Event('hashchange'));
  expect(showModal).not.toHaveBeenCalled();
  expect(location.hash).toBe('#plain');
});

test('dialog > closes by a data-closes button', () => {
  click('x');
  expect(close.mock.contexts).toEqual([document.getElementById('form')]);
});

test('dialog > stays open > when another button is pressed', () => {
  click('other');
  expect(close).not.toHaveBeenCalled();
});

test('other link > is followed', () => {
  expect(click('plain')).toBe(true);
  expect(click('to-nowhere')).toBe(true);
  expect(showModal).not.toHaveBeenCalled();
});
