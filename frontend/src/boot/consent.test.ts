/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startConsent } from './consent.ts';

const KEY = 'kitewright-cookie-consent';
const DATE_KEY = 'kitewright-cookie-consent_date';
const ANALYTICS = 'https://stats.example/script.js';
const NOW = '2026-03-29T01:30:00.000Z';

const banner = () => document.querySelector<HTMLElement>('section')?.dataset.consent;
const loadedScripts = () => [...document.querySelectorAll('script')].map(({ src }) => src);
const press = (choice: string) => document.querySelector<HTMLElement>(`[data-consent-choice="${choice}"] b`)?.click();

/** Sets whether the page is being prerendered, which jsdom does not support. */
const setPrerendering = (isPrerendering: boolean) =>
  Object.defineProperty(document, 'prerendering', { value: isPrerendering, configurable: true });

/** Ends the listeners of `startConsent` after each test. */
let listening: AbortController;

/** Starts with the analytics script of an operator. */
function startWithAnalytics(): void {
  document.body.insertAdjacentHTML(
    'beforeend',
    `<template data-analytics><script async src="${ANALYTICS}" data-website-id="1"></script></template>`,
  );
  startConsent();
}

beforeEach(() => {
  jest.useFakeTimers({ now: new Date(NOW) });
  localStorage.clear();
  listening = new AbortController();
  const listen = document.addEventListener.bind(document);
  jest
    .spyOn(document, 'addEventListener')
    .mockImplementation((type: string, listener: EventListenerOrEventListenerObject) => {
      listen(type, listener, { signal: listening.signal });
    });
  const buttons = ['accepted', 'declined', ''].map(
    (choice) => `<button data-consent-choice="${choice}"><b>${choice || 'x'}</b></button>`,
  );
  document.body.innerHTML = `<section data-consent-key="${KEY}">${buttons.join('')}</section>
    <button id="settings" data-consent-choice="ask"><b>Cookie settings</b></button>`;
});

afterEach(() => {
  jest.useRealTimers();
  listening.abort();
  document.head.innerHTML = '';
  setPrerendering(false);
});

describe('the banner', () => {
  test('appears 1000 ms after load when nothing is stored', () => {
    startConsent();
    jest.advanceTimersByTime(999);
    expect(banner()).toBeUndefined();
    jest.advanceTimersByTime(1);
    expect(banner()).toBe('ask');
  });

  test.each(['accepted', 'declined'])('does not appear when "%s" is stored', (choice) => {
    localStorage.setItem(KEY, choice);
    startConsent();
    jest.advanceTimersByTime(60_000);
    expect(banner()).toBeUndefined();
  });

  test.each(['accepted', 'declined', ''])('leaves for 300 ms after "%s", then is gone', (choice) => {
    startConsent();
    jest.advanceTimersByTime(1000);
    press(choice);
    expect(banner()).toBe('leaving');
    jest.advanceTimersByTime(299);
    expect(banner()).toBe('leaving');
    jest.advanceTimersByTime(1);
    expect(banner()).toBeUndefined();
  });
});

describe('a prerendered page', () => {
  test('loads analytics one second after it is shown', () => {
    localStorage.setItem(KEY, 'accepted');
    setPrerendering(true);
    startWithAnalytics();
    jest.advanceTimersByTime(60_000);
    expect(loadedScripts()).toEqual([]);
    setPrerendering(false);
    document.dispatchEvent(new Event('prerenderingchange'));
    jest.advanceTimersByTime(999);
    expect(loadedScripts()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(loadedScripts()).toEqual([ANALYTICS]);
  });

  test('does not ask > after an answer on another page', () => {
    setPrerendering(true);
    startConsent();
    jest.advanceTimersByTime(60_000);
    localStorage.setItem(KEY, 'declined');
    document.dispatchEvent(new Event('prerenderingchange'));
    jest.advanceTimersByTime(60_000);
    expect(banner()).toBeUndefined();
  });
});

test('a page from the bfcache > does not ask > after an answer on another page', () => {
  startConsent();
  jest.advanceTimersByTime(1000);
  localStorage.setItem(KEY, 'declined');
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(banner()).toBeUndefined();
});

test.each([
  ['hides when another tab stores a choice', KEY, undefined],
  ['stays when another tab stores something else', 'theme', 'ask'],
])('the banner > %s', (_title, key, shown) => {
  startConsent();
  jest.advanceTimersByTime(1000);
  localStorage.setItem(key, 'accepted');
  dispatchEvent(new StorageEvent('storage', { key, newValue: 'accepted' }));
  expect(banner()).toBe(shown);
});

describe('"Cookie settings"', () => {
  const settings = () => document.querySelector<HTMLElement>('#settings');
  const pressSettings = () => settings()?.querySelector('b')?.click();

  test('asks again, moves the focus to the banner and returns it after the choice', () => {
    localStorage.setItem(KEY, 'accepted');
    startConsent();
    jest.advanceTimersByTime(1000);
    pressSettings();
    expect(banner()).toBe('ask');
    expect(document.activeElement?.closest('section')).not.toBeNull();
    press('declined');
    expect(localStorage.getItem(KEY)).toBe('declined');
    expect(document.activeElement).toBe(settings());
    jest.advanceTimersByTime(300);
    expect(banner()).toBeUndefined();
  });

  test('keeps the choice when the banner is closed without another', () => {
    localStorage.setItem(KEY, 'accepted');
    startConsent();
    jest.advanceTimersByTime(1000);
    pressSettings();
    press('');
    jest.advanceTimersByTime(300);
    expect(banner()).toBeUndefined();
    expect(localStorage.getItem(KEY)).toBe('accepted');
  });

  test('asks again while the banner is still leaving', () => {
    startConsent();
    jest.advanceTimersByTime(1000);
    press('declined');
    pressSettings();
    jest.advanceTimersByTime(300);
    expect(banner()).toBe('ask');
  });

  test('loads the analytics script only once > when accepted again', () => {
    localStorage.setItem(KEY, 'accepted');
    startWithAnalytics();
    jest.advanceTimersByTime(1000);
    pressSettings();
    press('accepted');
    expect(loadedScripts()).toEqual([ANALYTICS]);
  });
});

describe('a choice', () => {
  test.each(['accepted', 'declined'])(
    '"%s" is stored, with its time as an ISO date under the companion key',
    (choice) => {
      startConsent();
      jest.advanceTimersByTime(1000);
      press(choice);
      expect({ ...localStorage }).toEqual({ [KEY]: choice, [DATE_KEY]: '2026-03-29T01:30:01.000Z' });
    },
  );

  test('is not stored by the close button: the next load asks again', () => {
    startConsent();
    jest.advanceTimersByTime(1000);
    press('');
    jest.advanceTimersByTime(300);
    expect(localStorage).toHaveLength(0);
    startConsent();
    jest.advanceTimersByTime(1000);
    expect(banner()).toBe('ask');
  });

  test('is that of the first click > another one while the banner leaves', () => {
    startWithAnalytics();
    jest.advanceTimersByTime(1000);
    press('declined');
    press('accepted');
    expect([localStorage.getItem(KEY), loadedScripts()]).toEqual(['declined', []]);
  });
});

describe('the analytics script', () => {
  test.each(['declined', ''])('is not loaded before a choice, nor after "%s"', (choice) => {
    startWithAnalytics();
    jest.advanceTimersByTime(60_000);
    expect(loadedScripts()).toEqual([]);
    press(choice);
    jest.advanceTimersByTime(60_000);
    expect(loadedScripts()).toEqual([]);
  });

  test.each([
    ['declined', []],
    ['accepted', [ANALYTICS]],
  ])('with "%s" stored > loads %j after 1000 ms', (choice, scripts) => {
    localStorage.setItem(KEY, choice);
    startWithAnalytics();
    jest.advanceTimersByTime(999);
    expect(loadedScripts()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(loadedScripts()).toEqual(scripts);
  });
});

describe('a browser without storage', () => {
  beforeEach(() => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
  });

  test('asks, tracks only after consent, and keeps the choice for the page', () => {
    startWithAnalytics();
    expect(loadedScripts()).toEqual([]);
    jest.advanceTimersByTime(1000);
    expect(banner()).toBe('ask');
    press('accepted');
    jest.advanceTimersByTime(300);
    expect(banner()).toBeUndefined();
    expect(loadedScripts()).toEqual([ANALYTICS]);
  });
});
