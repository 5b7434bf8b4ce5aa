/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startConsent } from './consent.ts';

const KEY = 'kitewright-cookie-consent';
const DATE_KEY = 'kitewright-cookie-consent_date';
const ANALYTICS = 'https://stats.example/script.js';
const NOW = '2026-03-29T01:30:00.000Z';

const banner = () => document.documentElement.dataset.consent;
const loadedScripts = () => [...document.querySelectorAll('script')].map(({ src }) => src);
const press = (choice: string) => document.querySelector<HTMLElement>(`[data-consent-choice="${choice}"] b`)?.click();

/** Everything `startConsent` listens to, so that one test's page does not hear the next one's clicks. */
let listening: AbortController;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date(NOW) });
  localStorage.clear();
  listening = new AbortController();
  const listen = document.addEventListener.bind(document);
  jest.spyOn(document, 'addEventListener').mockImplementation((type: string, listener: EventListenerOrEventListenerObject) => {
    listen(type, listener, { signal: listening.signal });
  });
  document.body.innerHTML = ['accepted', 'declined', '']
    .map((choice) => `<button data-consent-choice="${choice}"><b>${choice || 'x'}</b></button>`)
    .join('');
});

afterEach(() => {
  jest.useRealTimers();
  listening.abort();
  document.head.innerHTML = '';
  delete document.documentElement.dataset.consent;
});

describe('the banner', () => {
  test('appears 1000 ms after load when nothing is stored', () => {
    startConsent(KEY, '');
    jest.advanceTimersByTime(999);
    expect(banner()).toBeUndefined();
    jest.advanceTimersByTime(1);
    expect(banner()).toBe('ask');
  });

  test.each(['accepted', 'declined'])('does not appear when "%s" is stored', (choice) => {
    localStorage.setItem(KEY, choice);
    startConsent(KEY, '');
    jest.advanceTimersByTime(60_000);
    expect(banner()).toBeUndefined();
  });

  test.each(['accepted', 'declined', ''])('leaves for 300 ms after "%s", then is gone', (choice) => {
    startConsent(KEY, '');
    jest.advanceTimersByTime(1000);
    press(choice);
    expect(banner()).toBe('leaving');
    jest.advanceTimersByTime(299);
    expect(banner()).toBe('leaving');
    jest.advanceTimersByTime(1);
    expect(banner()).toBeUndefined();
  });

  test('is not moved by a click elsewhere', () => {
    startConsent(KEY, ANALYTICS);
    jest.advanceTimersByTime(1000);
    document.body.click();
    expect(banner()).toBe('ask');
    expect(localStorage).toHaveLength(0);
  });
});

describe('a choice', () => {
  test.each(['accepted', 'declined'])('"%s" is stored, with its time as an ISO date under the companion key', (choice) => {
    startConsent(KEY, '');
    jest.advanceTimersByTime(1000);
    press(choice);
    expect({ ...localStorage }).toEqual({ [KEY]: choice, [DATE_KEY]: '2026-03-29T01:30:01.000Z' });
  });

  test('is not made by the close button: nothing is stored, and the next load asks again', () => {
    startConsent(KEY, '');
    jest.advanceTimersByTime(1000);
    press('');
    jest.advanceTimersByTime(300);
    expect(localStorage).toHaveLength(0);
    startConsent(KEY, '');
    jest.advanceTimersByTime(1000);
    expect(banner()).toBe('ask');
  });
});

describe('the analytics script', () => {
  test.each(['declined', ''])('is not loaded before a choice, nor after "%s"', (choice) => {
    startConsent(KEY, ANALYTICS);
    jest.advanceTimersByTime(60_000);
    expect(loadedScripts()).toEqual([]);
    press(choice);
    jest.advanceTimersByTime(60_000);
    expect(loadedScripts()).toEqual([]);
  });

  test('is loaded at "accepted", once however often it is pressed', () => {
    startConsent(KEY, ANALYTICS);
    jest.advanceTimersByTime(1000);
    press('accepted');
    press('accepted');
    expect(loadedScripts()).toEqual([ANALYTICS]);
  });

  test.each([
    ['declined', []],
    ['accepted', [ANALYTICS]],
  ])('where "%s" is stored, what is loaded after 1000 ms is %j', (choice, scripts) => {
    localStorage.setItem(KEY, choice);
    startConsent(KEY, ANALYTICS);
    jest.advanceTimersByTime(999);
    expect(loadedScripts()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(loadedScripts()).toEqual(scripts);
  });

  test('does not exist unless the operator configured one', () => {
    localStorage.setItem(KEY, 'accepted');
    startConsent(KEY, '');
    jest.advanceTimersByTime(60_000);
    expect(loadedScripts()).toEqual([]);
  });
});

describe('a browser whose storage throws', () => {
  beforeEach(() => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
  });

  test('is asked, not tracked unasked, and its choice holds for the page', () => {
    startConsent(KEY, ANALYTICS);
    expect(loadedScripts()).toEqual([]);
    jest.advanceTimersByTime(1000);
    expect(banner()).toBe('ask');
    press('accepted');
    jest.advanceTimersByTime(300);
    expect(banner()).toBeUndefined();
    expect(loadedScripts()).toEqual([ANALYTICS]);
  });
});
