/** @jest-environment jsdom */
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { closeMenus } from './menus.ts';

const hidePopover = jest.fn();
/** Whether the small screen's menu is open; jsdom has no popovers. */
let siteMenuIsOpen = false;

const get = (id: string) => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
};
const menu = (id: string) => get(id) as HTMLDetailsElement;
const openMenus = () => [...document.querySelectorAll('details[open]')].map(({ id }) => id);
const pressKey = (key: string) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  document.activeElement?.dispatchEvent(event);
  return event;
};

/** Listener to changes of the media query for the bar. */
let onWidthChange: () => void = () => {};

beforeAll(() => {
  // jsdom has no media queries.
  window.matchMedia = (() => ({
    addEventListener: (_: string, listener: () => void) => (onWidthChange = listener),
  })) as never;
  closeMenus();
});

beforeEach(() => {
  hidePopover.mockClear();
  siteMenuIsOpen = false;
  document.body.innerHTML = `
    <nav id="site-menu">
      <details class="menu" id="one"><summary id="one-name">One</summary><p id="one-text">text</p><a href="#" id="one-link"><b id="one-label">go</b></a></details>
      <details class="menu" id="two"><summary id="two-name">Two</summary></details>
    </nav>
    <details id="question"><summary>?</summary></details>
    <button id="outside">outside</button>`;
  const siteMenu = get('site-menu');
  siteMenu.hidePopover = hidePopover;
  const matches = siteMenu.matches.bind(siteMenu);
  siteMenu.matches = ((selector: string) =>
    selector === ':popover-open' ? siteMenuIsOpen : matches(selector)) as typeof matches;
});

describe('an open menu', () => {
  beforeEach(() => {
    menu('one').open = true;
    menu('question').open = true;
  });

  test('closes on a click elsewhere, which closes no other details', () => {
    get('outside').click();
    expect(openMenus()).toEqual(['question']);
  });

  test('stays open on a click in it', () => {
    get('one-text').click();
    expect(openMenus()).toContain('one');
  });

  test('closes when a link in it is followed', () => {
    get('one-label').click();
    expect(openMenus()).not.toContain('one');
  });

  test('closes when the focus leaves it', () => {
    get('one-link').focus();
    expect(openMenus()).toContain('one');
    get('outside').focus();
    expect(openMenus()).not.toContain('one');
  });

  test('closes on a click on the other menu', () => {
    get('two-name').click();
    expect(openMenus()).not.toContain('one');
  });

  test('closes on Escape, and the focus returns to its name', () => {
    const summary = get('one-name');
    summary.tabIndex = 0;
    get('one-link').focus();
    expect(pressKey('Escape').defaultPrevented).toBe(true);
    expect(openMenus()).not.toContain('one');
    expect(document.activeElement).toBe(summary);
  });

  test('stays open on another key', () => {
    get('one-link').focus();
    expect(pressKey('a').defaultPrevented).toBe(false);
    expect(openMenus()).toContain('one');
  });
});

test('Escape > keeps its default action > when no menu is open', () => {
  get('outside').focus();
  expect(pressKey('Escape').defaultPrevented).toBe(false);
});

describe('the small screen’s menu', () => {
  test('is hidden when a link in it is followed', () => {
    siteMenuIsOpen = true;
    get('one-label').click();
    expect(hidePopover).toHaveBeenCalledTimes(1);
  });

  test('stays open on another click in it', () => {
    siteMenuIsOpen = true;
    get('one-text').click();
    expect(hidePopover).not.toHaveBeenCalled();
  });

  test('is hidden when the focus leaves it', () => {
    siteMenuIsOpen = true;
    get('one-link').focus();
    expect(hidePopover).not.toHaveBeenCalled();
    get('outside').focus();
    expect(hidePopover).toHaveBeenCalledTimes(1);
  });

  test('is hidden when the window becomes wide enough for the bar', () => {
    siteMenuIsOpen = true;
    onWidthChange();
    expect(hidePopover).toHaveBeenCalledTimes(1);
  });

  test('may have several groups open, while the bar has one', () => {
    const toggle = (newState: string) =>
      get('site-menu').dispatchEvent(Object.assign(new Event('beforetoggle'), { newState }));
    toggle('open');
    siteMenuIsOpen = true;
    menu('one').open = true;
    menu('two').open = true;
    get('two-name').click();
    expect(openMenus()).toContain('one');
    expect(menu('one').name).toBe('');
    toggle('closed');
    expect(openMenus()).toEqual([]);
    expect(menu('one').name).toBe('site-menus');
  });

  test('is not hidden twice', () => {
    get('one-label').click();
    expect(hidePopover).not.toHaveBeenCalled();
  });
});
