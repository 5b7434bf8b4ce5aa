/** @jest-environment jsdom */
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CALLS, calmBar, trackScroll } from './scroll-state.ts';

const VIEWPORT = 800;
const marks = () => ({
  scrolled: document.querySelector('header')?.hasAttribute('data-scrolled'),
  pastFold: document.querySelector('button')?.hasAttribute('data-shown'),
});
const scrolledTo = (y: number) => {
  window.scrollY = y;
  window.dispatchEvent(new Event('scroll'));
  return marks();
};
const scrollTo = jest.fn<(options: ScrollToOptions) => void>();

beforeAll(() => {
  window.innerHeight = VIEWPORT;
  window.scrollTo = scrollTo as typeof window.scrollTo;
  document.body.innerHTML = '<header></header><button data-back-to-top><svg></svg></button><a id="other"></a>';
  window.scrollY = 11;
  trackScroll();
  marksAtStart = marks();
});
beforeEach(() => {
  scrollTo.mockClear();
});

/** Marks of a page that the browser scrolled before the script ran. */
let marksAtStart: object;

describe('the marks of a scrolled page', () => {
  test('are set when the browser restores the scroll position', () => {
    expect(marksAtStart).toEqual({ scrolled: true, pastFold: false });
  });

  test.each([
    [0, false, false],
    [10, false, false],
    [10.5, true, false],
    [11, true, false],
    [VIEWPORT, true, false],
    [VIEWPORT + 1, true, true],
  ])('at %f px: bar %s, back-to-top %s', (y, scrolled, pastFold) => {
    expect(scrolledTo(y)).toEqual({ scrolled, pastFold });
  });

  test('follow scrolling back up', () => {
    scrolledTo(5000);
    expect(scrolledTo(0)).toEqual({ scrolled: false, pastFold: false });
  });

  test('follow a viewport that grows', () => {
    scrolledTo(VIEWPORT + 1);
    window.innerHeight = VIEWPORT * 2;
    window.dispatchEvent(new Event('resize'));
    expect(marks()).toEqual({ scrolled: true, pastFold: false });
    window.innerHeight = VIEWPORT;
  });
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
    const observed: Element[] = [];
    let report = (_entries: readonly { target: Element; isIntersecting: boolean }[]) => {};
    let margin: string | undefined;
    Object.assign(globalThis, {
      IntersectionObserver: class {
        constructor(callback: typeof report, options: IntersectionObserverInit) {
          report = callback;
          margin = options.rootMargin;
        }
        observe(target: Element) {
          observed.push(target);
        }
      },
    });
    document.body.innerHTML = `<header><a class="button"></a></header><main>
      <a class="button" id="first"></a><a class="button button-quiet"></a><a class="button" id="second"></a></main>`;
    calmBar();
    const [first, second] = [...document.querySelectorAll(CALLS)] as [Element, Element];
    expect(observed.map(({ id }) => id)).toEqual(['first', 'second']);
    expect(margin).toMatch(/^-\d+px 0px 0px$/);
    const isCalm = (...changes: readonly [Element, boolean][]) => {
      report(changes.map(([target, isIntersecting]) => ({ target, isIntersecting })));
      return document.querySelector('header')?.hasAttribute('data-calm');
    };
    expect(isCalm([first, false], [second, false])).toBe(false);
    expect(isCalm([first, true])).toBe(true);
    expect(isCalm([second, true])).toBe(true);
    expect(isCalm([first, false])).toBe(true);
    expect(isCalm([second, false])).toBe(false);
  });
});
