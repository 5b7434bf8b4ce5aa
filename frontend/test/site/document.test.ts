import { describe, expect, test } from '@jest/globals';
import { LOCALE } from 'form-service/contract/locale';
import { parse, type Container, type Document as StyleDocument } from 'postcss';
import { isTakenId } from '../../builder/content/file-names.ts';
import { builtPages, isFile, one, pageAt, PAGES } from './built-site.ts';

const all = <Found extends Element = Element>(scope: ParentNode, selector: string) => [
  ...scope.querySelectorAll<Found>(selector),
];
const host = new URL(one<HTMLLinkElement>(pageAt('/'), 'link[rel=canonical]').href).origin;

test('builds exactly the routes of the specification and the not-found page', () => {
  expect(builtPages().toSorted()).toEqual([...PAGES].toSorted());
});

/** Returns what is wrong with a link, if its target does not exist. */
function brokenLink(from: string, href: string): string | undefined {
  if (/^(?:mailto:[^@\s]+@[^@\s]+|tel:\+?\d+)$/.test(href)) return undefined;
  if (href.startsWith('https://')) return href.startsWith(host) ? `${href} should be a path` : undefined;
  const { pathname, hash } = new URL(href, `${host}${from}`);
  if (!PAGES.includes(pathname)) return isFile(pathname.slice(1)) ? undefined : `${href}: no such page`;
  if (hash && !pageAt(pathname).getElementById(decodeURIComponent(hash.slice(1)))) return `${href}: no such anchor`;
  return undefined;
}

/** Elements that make a browser fetch something while it loads the page. */
const LOADING =
  'img[src], source[srcset], script[src], link[rel~=stylesheet], link[rel~=preload], link[rel~=modulepreload], link[rel~=icon], link[rel~=manifest], link[rel~=apple-touch-icon], iframe, object, embed, video, audio, use[href], image[href]';

const addressesOf = (element: Element) =>
  ['src', 'href', 'data', 'poster']
    .map((name) => element.getAttribute(name))
    .concat((element.getAttribute('srcset') ?? '').split(',').map((candidate) => candidate.trim().split(/\s/)[0] ?? ''))
    .filter((address): address is string => Boolean(address));

const asksForHover = (node: object) => 'params' in node && /hover: ?hover/.test(String(node.params));

/** Whether a rule, or each rule in it, requires a device that can hover. After a tap, others keep the hover state. */
function isForHover(rule: Container): boolean {
  for (let above: Container | StyleDocument | undefined = rule.parent; above; above = above.parent)
    if (asksForHover(above)) return true;
  return rule.nodes?.every(asksForHover) ?? false;
}

const stylesOf = (page: Document) => one(page, 'style').textContent ?? '';

/** Returns what `find` finds on each page, after the path of the page. */
const onPages = (find: (page: Document, path: string) => readonly string[]) =>
  PAGES.flatMap((path) => find(pageAt(path), path).map((found) => `${path}: ${found}`));

// Names of controls, ids, headings and alternative texts are in html-validity.test.ts.
/** Returns the texts with a range, such as "4-15 months", that a browser may break after its hyphen. */
function breakableRanges(page: Document): readonly string[] {
  const texts = page.createTreeWalker(one(page, 'main'), NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (texts.nextNode()) {
    const { nodeValue, parentElement } = texts.currentNode;
    const isWhole = parentElement?.localName === 'span' && /^\d+-\d+(?: \w+)?$/.test(nodeValue ?? '');
    if (/\d-\d/.test(nodeValue ?? '') && !isWhole && !parentElement?.closest('svg, script'))
      found.push(nodeValue ?? '');
  }
  return found;
}

describe('every page', () => {
  test('has no hover style that stays after a tap', () => {
    const bare = onPages((page) => {
      const selectors: string[] = [];
      parse(stylesOf(page)).walkRules(/:hover/, (rule) => void (isForHover(rule) || selectors.push(rule.selector)));
      return selectors;
    });
    expect(bare).toEqual([]);
  });

  test('keeps each price, duration and other range on one line', () => {
    expect(onPages(breakableRanges)).toEqual([]);
  });

  test('has no broken links or anchors', () => {
    const broken = onPages((page, path) =>
      all(page, 'a').flatMap((link) => brokenLink(path, link.getAttribute('href') || 'no address') ?? []),
    );
    expect(broken).toEqual([]);
  });

  test('draws something in each inline picture', () => {
    const empty = onPages((page) =>
      all(page, 'svg:not(:has(> pattern, > svg))')
        .filter(
          (svg) => !svg.hasAttribute('viewBox') || !svg.querySelector('path, rect, circle, line, polygon, ellipse'),
        )
        .map((svg) => svg.outerHTML),
    );
    expect(empty).toEqual([]);
  });

  test('has no id in its frame or forms that a section could take', () => {
    const free = onPages((page) =>
      all(page, ':is(body > header, main, dialog, form)[id], :is(body > header, dialog, form) [id]').flatMap(({ id }) =>
        isTakenId(id) ? [] : id,
      ),
    );
    expect(free).toEqual([]);
  });

  test('has a language, and a skip link to its main part', () => {
    const found = onPages((page) => [
      page.documentElement.lang,
      String(one(page, 'body > a').getAttribute('href') === `#${one(page, 'main').id}`),
    ]);
    expect(found).toEqual(PAGES.flatMap((path) => [`${path}: ${LOCALE}`, `${path}: true`]));
  });

  test('has pictures with a width and a height', () => {
    const unsized = onPages((page) =>
      all(page, 'img')
        .filter((image) => !['width', 'height'].every((name) => Number(image.getAttribute(name)) > 0))
        .map((image) => image.outerHTML),
    );
    expect(unsized).toEqual([]);
  });

  test('fetches nothing from third parties', () => {
    const foreign = onPages((page) => [
      ...all(page, LOADING)
        .flatMap(addressesOf)
        .filter((address) => !/^\/(?!\/)|^#|^data:/.test(address)),
      ...all(page, 'link[rel~=preconnect], link[rel~=dns-prefetch], link[rel~=prefetch]').map((link) => link.outerHTML),
      ...(stylesOf(page).match(/url\(\s*["']?(?:https?:)?\/\/|@import/g) ?? []),
    ]);
    expect(foreign).toEqual([]);
  });

  test('loads only files that exist', () => {
    const missing = onPages((page) => {
      const files = all(page, LOADING)
        .flatMap(addressesOf)
        .filter((address) => address.startsWith('/'));
      const inStyles = [...stylesOf(page).matchAll(/url\(["']?(\/[^"')]+)/g)].map(([, address = '']) => address);
      return [...new Set([...files, ...inStyles])].filter((address) => !isFile(address.slice(1).replace(/#.*$/, '')));
    });
    expect(missing).toEqual([]);
  });

  test('has no inline style or event handler (Content-Security-Policy)', () => {
    const inline = onPages((page) => [
      ...all(page, '*')
        .flatMap((element) => element.getAttributeNames().map((name) => `${element.tagName} ${name}`))
        .filter((attribute) => / (?:style|on\w+)$/.test(attribute)),
      ...all(page, '[href^="javascript:" i], [srcdoc]').map(({ outerHTML }) => outerHTML),
    ]);
    expect(inline).toEqual([]);
  });
});
