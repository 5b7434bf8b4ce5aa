/** @jest-environment jsdom */
import { expect, jest, test } from '@jest/globals';
import { CALLS, calmBar, trackScroll } from './scroll-state.ts';

type Report = (entries: readonly { target: Element; isIntersecting: boolean }[]) => void;

/** Observers by their margins, and the elements that they observe. */
const reports = new Map<string, Report>();
const observed: Element[] = [];
const scrollTo = jest.fn<(options: ScrollToOptions) => void>();
window.scrollTo = scrollTo as typeof window.scrollTo;
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

// Scrolling itself is tested in a browser (e2e/navigation.spec.ts).
test('page > marks its scrolled parts, and scrolls to the top by one button', () => {
  document.body.innerHTML =
    '<i data-top></i><header></header><button data-back-to-top><svg></svg></button><a id="other"></a>';
  trackScroll();
  for (const [margin, selector, attribute] of [
    ['10px', 'header', 'data-scrolled'],
    ['100%', 'button', 'data-shown'],
  ] as const)
    for (const [intersects, isMarked] of [
      [[true, false], true],
      [[false, true], false],
    ] as const) {
      const [target] = observed as [Element];
      reports.get(margin)?.(intersects.map((isIntersecting) => ({ target, isIntersecting })));
      expect(document.querySelector(selector)?.hasAttribute(attribute)).toBe(isMarked);
    }
  document.getElementById('other')?.click();
  expect(scrollTo).not.toHaveBeenCalled();
  document.querySelector('svg')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(scrollTo.mock.calls).toMatchObject([[{ top: 0 }]]);
});

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
