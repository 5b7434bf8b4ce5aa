/** @jest-environment jsdom */
import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { closeMenus } from './menus.ts';

const hidePopover = jest.fn();
/** Whether the small screen's menu is open; jsdom has no popovers. */
let siteMenuIsOpen = false;
/** Listener to changes of the media query for the bar. */
let onWidthChange: () => void = () => {};

const get = (id: string) => document.getElementById(id) as HTMLDetailsElement;
const openMenus = () => [...document.querySelectorAll('details[open]')].map(({ id }) => id);
/** Presses a key, and returns whether the browser's own action follows. */
const press = (key: string) =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

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
      <details open id="one"><summary id="one-name" tabindex="0">One</summary><p id="one-text">text</p><a href="#" id="one-link"><b id="one-label">go</b></a></details>
      <details id="two"><summary id="two-name">Two</summary></details>
    </nav>
    <details open id="question"><summary>?</summary></details>
    <button id="outside">outside</button>`;
  const siteMenu = get('site-menu');
  siteMenu.hidePopover = hidePopover;
  const matches = siteMenu.matches.bind(siteMenu);
  siteMenu.matches = ((selector: string) =>
    selector === ':popover-open' ? siteMenuIsOpen : matches(selector)) as typeof matches;
});

test.each<[title: string, act: () => void, isOpen: boolean]>([
  ['closes > a click elsewhere', () => get('outside').click(), false],
  ['stays open > a click in it', () => get('one-text').click(), true],
  ['closes > a link in it is followed', () => get('one-label').click(), false],
  ['closes > a click on another menu', () => get('two-name').click(), false],
  ['stays open > the focus is in it', () => get('one-link').focus(), true],
  ['closes > the focus leaves it', () => get('outside').focus(), false],
])('menu of the bar > %s', (_title, act, isOpen) => {
  act();
  expect([get('one').open, get('question').open]).toEqual([isOpen, true]);
  expect(hidePopover).not.toHaveBeenCalled();
});

test('Escape > closes the menu and returns the focus to its name, another key does nothing', () => {
  get('one-link').focus();
  expect(press('a')).toBe(true);
  expect(openMenus()).toContain('one');
  expect(press('Escape')).toBe(false);
  expect(openMenus()).toEqual(['question']);
  expect(document.activeElement?.id).toBe('one-name');
  expect(press('Escape')).toBe(true);
});

test.each<[title: string, act: () => void, times: number]>([
  ['is hidden > a link in it is followed', () => get('one-label').click(), 1],
  ['stays open > another click in it', () => get('one-text').click(), 0],
  ['stays open > the focus is in it', () => get('one-link').focus(), 0],
  ['is hidden > the focus leaves it', () => get('outside').focus(), 1],
  ['is hidden > the window becomes wide enough for the bar', () => onWidthChange(), 1],
])('menu of a small screen > %s', (_title, act, times) => {
  siteMenuIsOpen = true;
  act();
  expect(hidePopover).toHaveBeenCalledTimes(times);
});

test('menu of a small screen > may have several groups open, while the bar has one', () => {
  const toggle = (newState: string) =>
    get('site-menu').dispatchEvent(Object.assign(new Event('beforetoggle'), { newState }));
  toggle('open');
  siteMenuIsOpen = true;
  get('one').open = true;
  get('two').open = true;
  get('two-name').click();
  expect([openMenus(), get('one').name]).toEqual([expect.arrayContaining(['one']), '']);
  toggle('closed');
  expect([openMenus(), get('one').name]).toEqual([['question'], 'site-menus']);
});
