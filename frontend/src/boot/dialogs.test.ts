/** @jest-environment ./test/browser-environment.js */
import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { openAndCloseDialogs } from './dialogs.ts';

const showModal = jest.fn();
const close = jest.fn();

beforeAll(() => openAndCloseDialogs());

beforeEach(() => {
  showModal.mockClear();
  close.mockClear();
  // jsdom has the element, and neither method.
  HTMLDialogElement.prototype.showModal = showModal;
  HTMLDialogElement.prototype.close = close;
  document.body.innerHTML = `
    <a href="#form" aria-haspopup="dialog"><b id="opener">Apply</b></a>
    <a href="#gone" aria-haspopup="dialog" id="to-nowhere">Apply</a>
    <a href="#form" id="plain">The form</a>
    <dialog id="form"><button type="button" data-closes><svg id="x"></svg></button><button type="button" id="other">Remove</button></dialog>`;
});

/** Clicks, and returns whether the browser goes on to follow a link. */
const click = (id: string) => document.getElementById(id)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));

test('a link that says it has a dialog opens it, and is not followed', () => {
  expect(click('opener')).toBe(false);
  expect(showModal).toHaveBeenCalledTimes(1);
  expect(showModal.mock.contexts).toEqual([document.getElementById('form')]);
});

test('a button that says it closes the dialog does', () => {
  click('x');
  expect(close.mock.contexts).toEqual([document.getElementById('form')]);
});

test('no other button closes it', () => {
  click('other');
  expect(close).not.toHaveBeenCalled();
});

test('every other link is followed', () => {
  expect(click('plain')).toBe(true);
  expect(click('to-nowhere')).toBe(true);
  expect(showModal).not.toHaveBeenCalled();
});
