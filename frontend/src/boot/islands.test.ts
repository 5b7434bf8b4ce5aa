/** @jest-environment jsdom */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { waitFor } from '@testing-library/dom';
import { loadIslands } from './islands.ts';

const hydrate = jest.fn<() => void>();
jest.unstable_mockModule('/react.js', () => ({}), { virtual: true });
jest.unstable_mockModule('/island.js', () => ({ hydrate }), { virtual: true });

let near: (entries: readonly { isIntersecting: boolean }[]) => void;
let connection: object | undefined;
Object.assign(globalThis, {
  IntersectionObserver: class {
    observe = jest.fn();
    disconnect = jest.fn();
    constructor(callback: typeof near) {
      near = callback;
    }
  },
});
Object.defineProperty(navigator, 'connection', { get: () => connection });

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
const touch = async (id: string, type: string) => {
  document.getElementById(id)?.dispatchEvent(new Event(type, { bubbles: true }));
  jest.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve, 20));
  jest.useFakeTimers();
};
/** Resolves when its scripts, which are asked for in real time, have been run. */
const islandIsThere = async () => {
  jest.useRealTimers();
  await waitFor(() => expect(hydrate).toHaveBeenCalled());
  jest.useFakeTimers();
};
const ahead = () => [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].map(({ href }) => href);

beforeEach(() => {
  jest.useFakeTimers();
  hydrate.mockReset();
  near = () => undefined;
  connection = undefined;
  document.head.innerHTML = '';
  document.body.innerHTML = `
    <section><a id="elsewhere" href="/">Home</a></section>
    <a id="opener" href="#form" aria-haspopup="dialog">Apply</a>
    <section><h2 id="near">Write to us</h2><div data-island="contact" data-scripts="/react.js /island.js"><input id="field"></div></section>`;
});

test('an island is loaded at the first touch of it, all scripts at once, and given its element', async () => {
  loadIslands();
  for (const type of ['pointerover', 'pointerdown', 'focusin', 'keydown']) await touch('elsewhere', type);
  expect([hydrate.mock.calls, ahead()]).toEqual([[], []]);
  await touch('field', 'keydown');
  await islandIsThere();
  expect(hydrate.mock.calls).toEqual([[document.querySelector('[data-island]')]]);
  expect(ahead()).toEqual(['http://localhost/react.js', 'http://localhost/island.js']);
  await touch('field', 'pointerdown');
  expect(hydrate).toHaveBeenCalledTimes(1);
});

test('the scripts are fetched ahead when the form comes near, once', async () => {
  loadIslands();
  await pass(2000);
  near([{ isIntersecting: false }]);
  expect(ahead()).toEqual([]);
  near([{ isIntersecting: true }]);
  expect(ahead()).toHaveLength(2);
  await touch('near', 'pointerover');
  expect(ahead()).toHaveLength(2);
});

test.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
  'nothing is fetched ahead for %j',
  async (line) => {
    connection = line;
    loadIslands();
    await pass(2000);
    near([{ isIntersecting: true }]);
    expect(ahead()).toEqual([]);
  },
);
