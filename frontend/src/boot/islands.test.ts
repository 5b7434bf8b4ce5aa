/** @jest-environment jsdom */
import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { loadIslands } from './islands.ts';

const hydrate = jest.fn<() => Promise<void>>();
jest.unstable_mockModule('/island.js', () => ({ hydrate }), { virtual: true });

const settle = () => new Promise((resolve) => setTimeout(resolve));
const touch = async (id: string, type: string) => {
  document.getElementById(id)?.dispatchEvent(new Event(type, { bubbles: true }));
  await settle();
};

beforeAll(() => loadIslands());
beforeEach(() => {
  document.body.innerHTML = `
    <section><a id="elsewhere" href="/">Home</a></section>
    <a id="opener" href="#form" aria-haspopup="dialog">Apply</a>
    <section><h2 id="near">Write to us</h2><div data-island="/island.js"><input id="field"></div></section>`;
});

test('an island is loaded at the first touch of it, once, and again when it did not come', async () => {
  for (const type of ['pointerover', 'pointerdown', 'focusin', 'keydown']) await touch('elsewhere', type);
  expect(hydrate).not.toHaveBeenCalled();

  hydrate.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await touch('near', 'pointerover');
  expect(hydrate).toHaveBeenCalledTimes(1);
  hydrate.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await touch('opener', 'focusin');
  expect(hydrate).toHaveBeenCalledTimes(2);

  hydrate.mockResolvedValue();
  await touch('field', 'keydown');
  await touch('field', 'pointerdown');
  expect(hydrate).toHaveBeenCalledTimes(3);
});
