/** @jest-environment jsdom */
import { expect, jest, test } from '@jest/globals';
import { openAndCloseDialogs } from './dialogs.ts';

// Links, keys and buttons are tested in a browser (e2e/application.spec.ts).
test('dialog > opens by its anchor, which leaves the address, while others stay', () => {
  // jsdom lacks it.
  const showModal = (HTMLDialogElement.prototype.showModal = jest.fn());
  const address = () => location.pathname + location.search + location.hash;
  document.body.innerHTML = '<a href="#form" id="plain">The form</a><dialog id="form"></dialog>';
  history.replaceState(null, '', '/careers?from=mail#form');
  openAndCloseDialogs();
  expect([showModal.mock.calls.length, address()]).toEqual([1, '/careers?from=mail']);
  for (const [hash, opened, left] of [
    ['#form', 2, ''],
    ['#plain', 2, '#plain'],
  ] as const) {
    history.replaceState(null, '', `/careers?from=mail${hash}`);
    dispatchEvent(new Event('hashchange'));
    expect([showModal.mock.calls.length, address()]).toEqual([opened, `/careers?from=mail${left}`]);
  }
});
