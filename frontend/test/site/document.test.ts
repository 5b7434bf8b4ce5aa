import { describe, expect, test } from '@jest/globals';
import { parse, type Container, type Document } from 'postcss';
import { builtPages, isFile, one, pageAt, PAGES, textOf } from './built-site.ts';

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
  for (let above: Container | Document | undefined = rule.parent; above; above = above.parent)
    if (asksForHover(above)) return true;
  return rule.nodes?.every(asksForHover) ?? false;
}

describe.each(PAGES)('%s', (path) => {
  const page = pageAt(path);

  test('has no hover style that stays after a tap', () => {
    const bare: string[] = [];
    for (const style of all(page, 'style'))
      parse(style.textContent ?? '').walkRules(/:hover/, (rule) => void (isForHover(rule) || bare.push(rule.selector)));
    expect(bare).toEqual([]);
  });

  test('has no broken links or anchors', () => {
    const hrefs = all(page, 'a').map((link) => link.getAttribute('href') ?? '');
    expect(hrefs).not.toContain('');
    expect(hrefs.map((href) => brokenLink(path, href)).filter(Boolean)).toEqual([]);
  });

  test('has links and buttons with a name', () => {
    const nameless = all(page, 'a, button').filter(
      (element) => !textOf(element) && !element.getAttribute('aria-label'),
    );
    expect(nameless.map((element) => element.outerHTML)).toEqual([]);
  });

  test('has unique ids, and every reference to an id resolves', () => {
    const ids = all(page, '[id]').map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const references = all(
      page,
      '[for], [aria-labelledby], [aria-describedby], [aria-controls], [popovertarget]',
    ).flatMap((element) =>
      ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'popovertarget'].flatMap((name) =>
        (element.getAttribute(name) ?? '').split(' ').filter(Boolean),
      ),
    );
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('shows no unfilled fact in braces', () => {
    const body = page.body.cloneNode(true) as Element;
    for (const code of all(body, 'script, style, template')) code.remove();
    const texts = [
      body.textContent ?? '',
      page.title,
      ...all(page, 'meta').map((meta) => meta.getAttribute('content') ?? ''),
      ...all(body, '[alt], [aria-label], [title], [placeholder]').flatMap((element) =>
        ['alt', 'aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
      ),
    ];
    expect(texts.filter((text) => /[{}]/.test(text))).toEqual([]);
  });

  test('has one h1, and headings that nest without a jump', () => {
    const levels = all(page, 'h1, h2, h3, h4, h5, h6').map(({ tagName }) => Number(tagName[1]));
    const inMain = all(page, 'main h1, main h2, main h3, main h4, main h5, main h6').map(({ tagName }) =>
      Number(tagName[1]),
    );
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(inMain[0]).toBe(1);
    expect(levels.filter((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test('has a main landmark, a language and a skip link', () => {
    expect(page.documentElement.lang).toBe('en-GB');
    expect(page.querySelectorAll('main')).toHaveLength(1);
    expect(one(page, 'body > a').getAttribute('href')).toBe(`#${one(page, 'main').id}`);
  });

  test('has pictures with an alternative text, a width and a height', () => {
    for (const image of all<HTMLImageElement>(page, 'img')) {
      expect(image.hasAttribute('alt')).toBe(true);
      expect(Number(image.getAttribute('width'))).toBeGreaterThan(0);
      expect(Number(image.getAttribute('height'))).toBeGreaterThan(0);
    }
  });

  test('has inline icons', () => {
    const icons = all(page, 'svg[viewBox="0 0 24 24"]');
    expect(icons.length).toBeGreaterThan(5);
    for (const icon of icons) expect(icon.childElementCount).toBeGreaterThan(0);
    expect(all(page, 'use')).toEqual([]);
  });

  test('fetches nothing from third parties', () => {
    const foreign = all(page, LOADING)
      .flatMap(addressesOf)
      .filter((address) => !/^\/(?!\/)|^#|^data:/.test(address));
    expect(foreign).toEqual([]);
    expect(all(page, 'link[rel~=preconnect], link[rel~=dns-prefetch], link[rel~=prefetch]')).toEqual([]);
    for (const { textContent } of all(page, 'style'))
      expect(textContent).not.toMatch(/url\(\s*["']?(?:https?:)?\/\/|@import/);
  });

  test('loads only files that exist', () => {
    const files = all(page, LOADING)
      .flatMap(addressesOf)
      .filter((address) => address.startsWith('/'));
    const inStyles = all(page, 'style').flatMap(({ textContent }) =>
      [...(textContent ?? '').matchAll(/url\(["']?(\/[^"')]+)/g)].map(([, address = '']) => address),
    );
    expect(
      [...new Set([...files, ...inStyles])].filter((address) => !isFile(address.slice(1).replace(/#.*$/, ''))),
    ).toEqual([]);
  });

  test('has no inline style or event handler (Content-Security-Policy)', () => {
    const attributes = all(page, '*').flatMap((element) =>
      element.getAttributeNames().map((name) => `${element.tagName} ${name}`),
    );
    expect(attributes.filter((attribute) => / (?:style|on\w+)$/.test(attribute))).toEqual([]);
    expect(all(page, '[href^="javascript:" i], [srcdoc]')).toEqual([]);
  });

  test('has no class that ad blockers hide', () => {
    const classes = all(page, '[class]').flatMap(({ classList }) => [...classList]);
    expect(classes.filter((name) => /^ads?/i.test(name))).toEqual([]);
  });

  test('opens other tabs with noopener', () => {
    for (const link of all(page, 'a[target]')) expect(link.getAttribute('rel')).toContain('noopener');
  });
});
