/** @jest-environment jsdom */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { startConsent } from './consent.ts';

const KEY = 'kitewright-cookie-consent';
const SCRIPT = 'https://stats.example/script.js';

const banner = () => document.querySelector<HTMLElement>('section')?.dataset.consent;
const stored = () => localStorage.getItem(KEY);
const scripts = () => [...document.querySelectorAll('script')].map(({ src }) => src);
const press = (choice: string) => document.querySelector<HTMLElement>(`[data-consent-choice="${choice}"] b`)?.click();
const pass = (ms: number) => void jest.advanceTimersByTime(ms);
const answerElsewhere = (event: Event) => {
  pass(1000);
  localStorage.setItem(KEY, 'declined');
  dispatchEvent(event);
};

/** Sets whether the page is being prerendered, which jsdom does not support. */
const setPrerendering = (isPrerendering: boolean) =>
  Object.defineProperty(document, 'prerendering', { value: isPrerendering, configurable: true });
const show = () => {
  setPrerendering(false);
  document.dispatchEvent(new Event('prerenderingchange'));
};

/** Ends the listeners of `startConsent` after each test. */
let listening: AbortController;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-03-29T01:30:00.000Z') });
  localStorage.clear();
  listening = new AbortController();
  const listen = document.addEventListener.bind(document);
  jest
    .spyOn(document, 'addEventListener')
    .mockImplementation((type: string, listener: EventListenerOrEventListenerObject) => {
      listen(type, listener, { signal: listening.signal });
    });
  const buttons = ['accepted', 'declined', ''].map(
    (choice) => `<button data-consent-choice="${choice}"><b></b></button>`,
  );
  document.body.innerHTML = `<section data-consent-key="${KEY}">${buttons.join('')}</section>
    <button id="settings" data-consent-choice="ask"><b>Cookie settings</b></button>
    <template data-analytics><script async src="${SCRIPT}" data-website-id="1"></script></template>`;
});
afterEach(() => {
  jest.useRealTimers();
  listening.abort();
  document.head.innerHTML = '';
  setPrerendering(false);
});

/** Waits for the banner, and presses buttons one after the other. */
const answer = (...choices: readonly string[]) => {
  pass(1000);
  for (const choice of choices) press(choice);
};
type After = [banner: string | undefined, stored: string | null, isTracked: boolean];

test.each<[title: string, before: string | null, act: () => void, after: After]>([
  ['does nothing in the first second', null, () => pass(999), [undefined, null, false]],
  ['asks after a second, and tracks nothing', null, () => pass(60_000), ['ask', null, false]],
  ['tracks after a second, without asking > accepted', 'accepted', () => pass(1000), [undefined, 'accepted', true]],
  ['tracks nothing in the first second > accepted', 'accepted', () => pass(999), [undefined, 'accepted', false]],
  ['neither asks nor tracks > declined', 'declined', () => pass(60_000), [undefined, 'declined', false]],
  ['stores and tracks, and leaves > accepted', null, () => answer('accepted'), ['leaving', 'accepted', true]],
  ['stores, tracks nothing, and leaves > declined', null, () => answer('declined'), ['leaving', 'declined', false]],
  ['stores nothing, and leaves > closed', null, () => answer(''), ['leaving', null, false]],
  ['takes the first of two clicks', null, () => answer('declined', 'accepted'), ['leaving', 'declined', false]],
  ['asks again > settings', 'accepted', () => answer('ask'), ['ask', 'accepted', true]],
  ['keeps the choice > settings are closed', 'accepted', () => answer('ask', ''), ['leaving', 'accepted', true]],
  ['tracks once > accepted again', 'accepted', () => answer('ask', 'accepted'), ['leaving', 'accepted', true]],
  [
    'hides > answered in another tab',
    null,
    () => answerElsewhere(new StorageEvent('storage', { key: KEY })),
    [undefined, 'declined', false],
  ],
  [
    'hides > answered on another page before Back (bfcache)',
    null,
    () => answerElsewhere(Object.assign(new Event('pageshow'), { persisted: true })),
    [undefined, 'declined', false],
  ],
])('banner > %s', (_title, before, act, [shown, kept, isTracked]) => {
  if (before) localStorage.setItem(KEY, before);
  startConsent();
  act();
  expect([banner(), stored(), scripts()]).toEqual([shown, kept, isTracked ? [SCRIPT] : []]);
});

test('choice > is stored with its time, and hides the banner after 300 ms', () => {
  startConsent();
  answer('declined');
  expect({ ...localStorage }).toEqual({ [KEY]: 'declined', [`${KEY}_date`]: '2026-03-29T01:30:01.000Z' });
  pass(299);
  expect(banner()).toBe('leaving');
  pass(1);
  expect(banner()).toBeUndefined();
  // Asked for again before its end.
  for (const choice of ['ask', 'declined', 'ask']) press(choice);
  pass(300);
  expect(banner()).toBe('ask');
});

test('settings > move the focus to the banner, and a choice returns it', () => {
  startConsent();
  answer('declined', 'ask');
  expect(document.activeElement?.closest('section')).not.toBeNull();
  press('accepted');
  expect(document.activeElement?.id).toBe('settings');
});

test.each([
  ['tracks a second after it is shown', 'accepted', [undefined, [SCRIPT]]],
  ['does not ask > answered on another page meanwhile', 'declined', [undefined, []]],
])('prerendered page > %s', (_title, choice, after) => {
  setPrerendering(true);
  startConsent();
  pass(60_000);
  localStorage.setItem(KEY, choice);
  show();
  pass(999);
  expect([banner(), scripts()]).toEqual([undefined, []]);
  pass(1);
  expect([banner(), scripts()]).toEqual(after);
});

test('browser without storage > is asked, and tracked only after consent', () => {
  for (const method of ['getItem', 'setItem'] as const)
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
  startConsent();
  pass(1000);
  expect([banner(), scripts()]).toEqual(['ask', []]);
  press('accepted');
  pass(300);
  expect([banner(), scripts()]).toEqual([undefined, [SCRIPT]]);
});
