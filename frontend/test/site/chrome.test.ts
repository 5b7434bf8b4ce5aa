import { describe, expect, test } from '@jest/globals';
import { company, wording } from 'virtual:content';
import { NOT_FOUND, one, pageAt, PAGES, textOf } from './built-site.ts';

const all = <Found extends Element = Element>(scope: ParentNode, selector: string) => [
  ...scope.querySelectorAll<Found>(selector),
];
const linksOf = (scope: ParentNode) => all(scope, 'a').map((link) => link.getAttribute('href'));

/** Returns a part of a page without its marks of current links and its short class names. */
function unmarked(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  copy.removeAttribute('data-calm');
  for (const link of all(copy, 'a')) link.removeAttribute('aria-current');
  for (const element of [copy, ...all(copy, '[class]')]) element.removeAttribute('class');
  for (const summary of all(copy, 'summary')) summary.removeAttribute('data-current');
  return copy.outerHTML;
}

const { frame } = wording;
const BANNER = `[aria-label="${wording.consent.name}"]`;
const parts = ['body > header', 'body > footer', BANNER, `button[aria-label="${frame.backToTop}"]`];

describe.each(PAGES)('frame of %s', (path) => {
  const page = pageAt(path);
  const menu = one(page, 'body > header nav');

  test('is the same on every page', () => {
    for (const part of parts) expect(unmarked(one(page, part))).toBe(unmarked(one(pageAt('/'), part)));
  });

  test('marks only the link of this page in the menu', () => {
    const current = all(menu, '[aria-current="page"]').map((link) => link.getAttribute('href'));
    expect(current).toEqual(linksOf(menu).filter((href) => href === path));
  });
});

describe('the top bar', () => {
  const bar = one(pageAt('/'), 'body > header');
  const menu = one(bar, 'nav');

  test('gives each link of a dropdown an icon, its name and a description', () => {
    for (const link of all(menu, 'details li a')) {
      expect(link.querySelector('svg > path')).not.toBeNull();
      expect(textOf(link.querySelector('b'))).not.toBe('');
      expect(textOf(link.querySelector('span:not(:has(svg))'))).not.toBe('');
    }
  });

  test('has a logo that links to the home page, and buttons for the small screen’s menu', () => {
    expect(one(bar, `a[aria-label="${frame.home}"]`).getAttribute('href')).toBe('/');
    const toggles = all(bar, `button[popovertarget="${menu.id}"]`).map((button) => button.getAttribute('aria-label'));
    expect(toggles).toEqual([frame.openMenu, frame.closeMenu]);
  });
});

test('footer > has the social networks', () => {
  const footer = one(pageAt('/'), 'body > footer');
  for (const { href, name } of company.social ?? []) {
    const link = one(footer, `a[href="${href}"]`);
    expect(link.getAttribute('aria-label')).toBe(`${frame.network} ${name}`);
    expect([name, '']).toContain(textOf(link));
    expect(link.querySelector('path') === null).toBe(textOf(link) === name);
  }
});

test('/sitemap > links to every page', () => {
  const links = all<HTMLAnchorElement>(one(pageAt('/sitemap'), 'main'), 'a').map((link) => link.getAttribute('href'));
  expect(links).toEqual(expect.arrayContaining(PAGES.filter((path) => path !== NOT_FOUND && path !== '/sitemap')));
});
