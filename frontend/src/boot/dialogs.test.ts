/** @jest-environment ./test/browser-environment.js */
import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { openAndCloseDialogs } from './dialogs.ts';

const showModal = jest.fn();
const close = jest.fn();
const address = () => location.pathname + location.search + location.hash;
const get = (id: string) => document.getElementById(id) as HTMLElement;
/** Times that the dialog was opened by the address that the page was loaded with, and the address after that. */
let atStart: readonly unknown[];

beforeAll(() => {
  // jsdom lacks both methods.
  HTMLDialogElement.prototype.showModal = showModal;
  HTMLDialogElement.prototype.close = close;
  document.body.innerHTML = `
    <a href="#form" aria-haspopup="dialog" id="link"><b id="opener">Apply</b></a>
    <a href="#gone" aria-haspopup="dialog" id="to-nowhere">Apply</a>
    <a href="#form" id="plain">The form</a>
    <dialog id="form"><button type="button" data-closes><svg id="x"></svg></button><input id="first"><button type="button" id="other">Remove</button></dialog>`;
  history.replaceState(null, '', '/careers?from=mail#form');
  openAndCloseDialogs();
  atStart = [showModal.mock.calls.length, address()];
});
beforeEach(() => {
  showModal.mockClear();
  close.mockClear();
});

const click = () => new MouseEvent('click', { bubbles: true, cancelable: true });
const press = (key: string) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
const space = () => press(' ');

test.each<[title: string, id: string, event: () => Event, opened: number, closed: number, isFollowed: boolean]>([
  ['opens > a click on its link', 'opener', click, 1, 0, false],
  ['opens > the space bar on its link', 'link', space, 1, 0, false],
  ['stays closed > another key on its link', 'link', () => press('a'), 0, 0, true],
  ['stays closed > another link', 'plain', click, 0, 0, true],
  ['stays closed > the space bar on another link', 'plain', space, 0, 0, true],
  ['stays closed > a link to a dialog that is not there', 'to-nowhere', click, 0, 0, true],
  ['closes > the button that closes it', 'x', click, 0, 1, true],
  ['stays open > another button', 'other', click, 0, 0, true],
])('dialog > %s', (_title, id, event, opened, closed, isFollowed) => {
  expect(get(id).dispatchEvent(event())).toBe(isFollowed);
  expect([showModal.mock.contexts, close.mock.contexts]).toEqual(
    [opened, closed].map((times) => Array(times).fill(get('form'))),
  );
  if (opened) expect(document.activeElement?.id).toBe('first');
});

test('link with aria-haspopup > is a button', () => {
  expect(get('link').getAttribute('role')).toBe('button');
});

test('dialog > opens by its anchor, which leaves the address, while others stay', () => {
  expect(atStart).toEqual([1, '/careers?from=mail']);
  for (const [hash, opened, left] of [
    ['#form', 1, ''],
    ['#plain', 0, '#plain'],
  ] as const) {
    showModal.mockClear();
    history.replaceState(null, '', `/careers?from=mail${hash}`);
    dispatchEvent(new Event('hashchange'));
    expect([showModal.mock.calls.length, address()]).toEqual([opened, `/careers?from=mail${left}`]);
  }
});
