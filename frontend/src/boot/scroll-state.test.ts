/** @jest-environment jsdom */
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CALLS, calmBar, trackScroll } from './scroll-state.ts';

type Report = (entries: readonly { target: Element; isIntersecting: boolean }[]) => void;

/** Observers of the elements that `observed` lists, by their margins. */
const reports = new Map<string, Report>();
let observed: Element[] = [];
const scrollTo = jest.fn<(options: ScrollToOptions) => void>();

beforeAll(() => {
  Object.assign(globalThis, {
    IntersectionObserver: class {
      constructor(callback: Report, { rootMargin = '' }: IntersectionObserverInit) {
        reports.set(rootMargin, callback);
      }
      observe(target: Element) {
        observed.push(target);
      }
    },
  });
  window.scrollTo = scrollTo as typeof window.scrollTo;
  document.body.innerHTML =
    '<i data-top></i><header></header><button data-back-to-top><svg></svg></button><a id="other"></a>';
  trackScroll();
});
beforeEach(() => {
  scrollTo.mockClear();
});

test.each([
  ['10px', 'header', 'data-scrolled'],
  ['100%', 'button', 'data-shown'],
])('mark of a scrolled page > is set beyond %s > on %s', (margin, selector, attribute) => {
  const [target] = observed;
  const isMarked = (...isIntersecting: readonly boolean[]) => {
    if (target) reports.get(margin)?.(isIntersecting.map((value) => ({ target, isIntersecting: value })));
    return document.querySelector(selector)?.hasAttribute(attribute);
  };
  expect(target?.matches('[data-top]')).toBe(true);
  expect(isMarked(true)).toBe(false);
  expect(isMarked(false)).toBe(true);
  // Only the last report of a frame counts.
  expect(isMarked(true, false)).toBe(true);
  expect(isMarked(false, true)).toBe(false);
});

describe('the back-to-top button', () => {
  test('scrolls to the top, also by a click on its icon', () => {
    document.querySelector('svg')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(scrollTo).toHaveBeenCalledTimes(1);
    expect(scrollTo.mock.lastCall?.[0]).toMatchObject({ top: 0 });
  });

  test('is the only element that scrolls', () => {
    document.getElementById('other')?.click();
    document.body.click();
    expect(scrollTo).not.toHaveBeenCalled();
  });
});

describe('the button of the bar', () => {
  test('is calm while a call to action is visible below the bar', () => {
    observed = [];
    document.body.innerHTML = `<header><a class="button"></a></header><main>
      <a class="button" id="first"></a><a class="button button-quiet"></a><a class="button" id="second"></a></main>`;
    calmBar();
    const [first, second] = [...document.querySelectorAll(CALLS)] as [Element, Element];
    expect(observed.map(({ id }) => id)).toEqual(['first', 'second']);
    const report = reports.get('-72px 0px 0px');
    const isCalm = (...changes: readonly [Element, boolean][]) => {
      report?.(changes.map(([target, isIntersecting]) => ({ target, isIntersecting })));
      return document.querySelector('header')?.hasAttribute('data-calm');
    };
    expect(isCalm([first, false], [second, false])).toBe(false);
    expect(isCalm([first, true])).toBe(true);
    expect(isCalm([second, true])).toBe(true);
    expect(isCalm([first, false])).toBe(true);
    expect(isCalm([second, false])).toBe(false);
  });
});
