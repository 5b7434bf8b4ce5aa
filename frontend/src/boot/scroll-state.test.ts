/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { CALLS, calmBar } from './scroll-state.ts';

type Report = (entries: readonly { target: Element; isIntersecting: boolean }[]) => void;

/** Observers by their margins, and the elements that they observe. */
const reports = new Map<string, Report>();
const observed: Element[] = [];
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

// Bar and back-to-top are tested in a browser (e2e/navigation.spec.ts).
test('button of the bar > is calm while a call to action is visible below the bar', () => {
  document.body.innerHTML = `<header><a class="button"></a></header><main>
    <a class="button" id="first"></a><a class="button button-quiet"></a><a class="button" id="second"></a></main>`;
  calmBar();
  const [first, second] = [...document.querySelectorAll(CALLS)] as [Element, Element];
  expect(observed.slice(-2).map(({ id }) => id)).toEqual(['first', 'second']);
  for (const [changes, isCalm] of [
    [
      [
        [first, false],
        [second, false],
      ],
      false,
    ],
    [[[first, true]], true],
    [[[second, true]], true],
    [[[first, false]], true],
    [[[second, false]], false],
  ] as [[Element, boolean][], boolean][]) {
    reports.get('-72px 0px 0px')?.(changes.map(([target, isIntersecting]) => ({ target, isIntersecting })));
    expect(document.querySelector('header')?.hasAttribute('data-calm')).toBe(isCalm);
  }
});
