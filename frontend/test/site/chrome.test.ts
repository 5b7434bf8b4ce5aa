import { describe, expect, test } from '@jest/globals';
import { company, navigation } from 'virtual:content';
import { NOT_FOUND, one, pageAt, PAGES, textOf } from './built-site.ts';

const all = <Found extends Element = Element>(scope: ParentNode, selector: string) => [
  ...scope.querySelectorAll<Found>(selector),
];
const linksOf = (scope: ParentNode) => all(scope, 'a').map((link) => link.getAttribute('href'));

/** A part of a page as every page has it: without what marks the page's own link, and short names that are the page's own. */
function unmarked(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const link of all(copy, 'a')) link.removeAttribute('aria-current');
  for (const element of [copy, ...all(copy, '[class]')]) element.removeAttribute('class');
  for (const summary of all(copy, 'summary')) summary.removeAttribute('data-current');
  return copy.outerHTML;
}

const parts = ['body > header', 'body > footer', '[aria-label="Cookie consent"]', 'button[aria-label="Back to top"]'];

describe.each(PAGES)('what stands round %s', (path) => {
  const page = pageAt(path);
  const menu = one(page, 'body > header nav');

  test('is the same as round every other page', () => {
    for (const part of parts) expect(unmarked(one(page, part))).toBe(unmarked(one(pageAt('/'), part)));
  });

  test('marks the link of this page in the menu, and no other', () => {
    const current = all(menu, '[aria-current="page"]').map((link) => link.getAttribute('href'));
    expect(current).toEqual(linksOf(menu).filter((href) => href === path));
  });
});

describe('the top bar', () => {
  const bar = one(pageAt('/'), 'body > header');
  const menu = one(bar, 'nav');

  test('has a logo that leads home', () => {
    expect(one(bar, `a[aria-label="${company.name}, home"]`).getAttribute('href')).toBe('/');
  });

  test('has the entries of navigation.yaml in their order, and the overview of all services before the button', () => {
    const names = navigation.menu.flatMap((entry) =>
      'button' in entry && entry.button ? [navigation.overview?.label, entry.label] : [entry.label],
    );
    expect(all(menu, ':scope > a, summary').map(textOf)).toEqual(names);
  });

  test('has in each dropdown its links, and last the overview of all services', () => {
    const dropdowns = navigation.menu.filter((entry) => 'links' in entry);
    expect(all(menu, 'details').map(linksOf)).toEqual(
      dropdowns.map(({ links }) => [...links.map(({ href }) => href), navigation.overview?.href]),
    );
  });

  test('gives each link of a dropdown an icon, its name and a description', () => {
    for (const link of all(menu, 'details li a')) {
      expect(link.querySelector('svg > path')).not.toBeNull();
      expect(textOf(link.querySelector('b'))).not.toBe('');
      expect(textOf(link.querySelector('span:not(:has(svg))'))).not.toBe('');
    }
  });

  test('has a toggle and a close button for the small screen’s menu', () => {
    const toggles = all(bar, `button[popovertarget="${menu.id}"]`).map((button) => button.getAttribute('aria-label'));
    expect(toggles).toEqual(['Menu', 'Close menu']);
  });
});

test('the footer has the columns of navigation.yaml, and where else to find the company', () => {
  const footer = one(pageAt('/'), 'body > footer');
  const columns = navigation.footer.map((name) => navigation.groups[name]);
  expect(all(footer, 'nav').map((column) => [textOf(column.querySelector('h2')), linksOf(column)])).toEqual(
    columns.map((group) => [group?.title, group?.links.map(({ href }) => href)]),
  );
  for (const { href, name } of company.social)
    expect(one(footer, `a[href="${href}"]`).getAttribute('aria-label')).toBe(`${company.name} on ${name}`);
  expect(textOf(footer)).toContain(company.copyright);
});

test('the banner has an answer to consent, one to decline it, and a way to close it', () => {
  const buttons = all<HTMLElement>(one(pageAt('/'), '[aria-label="Cookie consent"]'), 'button');
  expect(buttons.map(({ dataset }) => dataset.consentChoice)).toEqual(['accepted', 'declined', '']);
});

test('/sitemap leads to every page of the site', () => {
  const links = all<HTMLAnchorElement>(one(pageAt('/sitemap'), 'main'), 'a').map((link) => link.getAttribute('href'));
  expect(links).toEqual(expect.arrayContaining(PAGES.filter((path) => path !== NOT_FOUND && path !== '/sitemap')));
});
