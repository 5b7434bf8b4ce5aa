/** @jest-environment jsdom */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { loadIslands } from './load-islands.ts';

const hydrate = jest.fn<() => void>();
jest.unstable_mockModule('/react.js', () => ({}), { virtual: true });
jest.unstable_mockModule('/island.js', () => ({ hydrate }), { virtual: true });

// The island of a dialog, which its opener loads, is tested in a browser (e2e/islands.spec.ts).
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
/** Resolves when the scripts, which load in real time, have run. */
const islandIsThere = async () => {
  jest.useRealTimers();
  while (hydrate.mock.calls.length === 0) await new Promise(setImmediate);
  jest.useFakeTimers();
};
const prefetched = () =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].map(({ href }) => href);

const SCRIPTS = ['http://localhost/react.js', 'http://localhost/island.js'];
beforeEach(() => {
  jest.useFakeTimers();
  hydrate.mockReset();
  near = () => undefined;
  connection = undefined;
  document.head.innerHTML = '';
  document.body.innerHTML = `
    <section><a id="elsewhere" href="/">Home</a></section>
    <section><h2 id="near">Write to us</h2>
      <div data-island="contact" data-scripts="/react.js /island.js"><input id="field"></div></section>`;
});

test.each(['pointerover', 'pointerdown', 'focusin', 'keydown'])(
  'an island > loads and hydrates > at %s',
  async (type) => {
    loadIslands();
    await touch('elsewhere', type);
    expect([hydrate.mock.calls, prefetched()]).toEqual([[], []]);
    await touch('field', type);
    await islandIsThere();
    expect(hydrate.mock.calls).toEqual([[document.querySelector('[data-island]')]]);
    expect(prefetched()).toEqual(SCRIPTS);
    await touch('field', 'pointerdown');
    expect(hydrate).toHaveBeenCalledTimes(1);
  },
);

test('a form in the page > prefetches its scripts once > when it is near the window', async () => {
  loadIslands();
  await pass(2000);
  near([{ isIntersecting: false }]);
  expect(prefetched()).toEqual([]);
  near([{ isIntersecting: true }]);
  expect(prefetched()).toEqual(SCRIPTS);
  await touch('near', 'pointerover');
  expect(prefetched()).toEqual(SCRIPTS);
});

test.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
  'an island > prefetches nothing > with the connection %j',
  async (line) => {
    connection = line;
    loadIslands();
    await pass(2000);
    near([{ isIntersecting: true }]);
    expect(prefetched()).toEqual([]);
  },
);
