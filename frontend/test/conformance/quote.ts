import { textOf } from './built-site.ts';

/** Words of the specification: exact, or a pattern where it describes rather than quotes. */
export type Words = string | RegExp;

/** Something the specification says a page shows. */
export interface Quote {
  readonly label: string;
  /** Elements that show it, in the order of the page. */
  readonly find: (main: Element) => readonly Element[];
}

/** Everything the specification says of one page's own part. */
export interface PageQuotes {
  readonly path: string;
  /** What is listed in an order, in that order. */
  readonly inOrder: readonly Quote[];
  /** What has no place of its own. */
  readonly anywhere?: readonly Quote[];
}

export const says = (text: string, words: Words) => (typeof words === 'string' ? text === words : words.test(text));

const all = (scope: Element, selector: string) => [...scope.querySelectorAll(selector)];
const quoted = (words: Words) => (typeof words === 'string' ? `"${words}"` : String(words));

/** A heading, of any level. */
export const heading = (words: Words): Quote => ({
  label: `heading ${quoted(words)}`,
  find: (main) => all(main, 'h1, h2, h3, h4').filter((element) => says(textOf(element), words)),
});

/** A piece of the visible text, within one element; the innermost one counts. */
export const text = (words: Words): Quote => ({
  label: `text ${quoted(words)}`,
  find: (main) => {
    const holds = (element: Element) =>
      typeof words === 'string' ? textOf(element).includes(words) : words.test(textOf(element));
    return all(main, '*').filter((element) => holds(element) && ![...element.children].some(holds));
  },
});

/** Something to press that leads to `href`. */
export const action = (words: Words, href: Words): Quote => ({
  label: `${quoted(words)} leading to ${String(href)}`,
  find: (main) =>
    all(main, 'a[href]').filter((link) => says(textOf(link), words) && says(link.getAttribute('href') ?? '', href)),
});

/** A picture, by the address of its JPEG. */
export const picture = (src: string): Quote => ({
  label: `picture ${src}`,
  find: (main) => all(main, `img[src="${src}"]`),
});

const isFigure = (element: Element, [value, label]: readonly [Words, Words]) =>
  says(textOf(element.querySelector('dt')), label) &&
  [element.querySelector('dd'), element.querySelector('dd b')].some((shown) => says(textOf(shown), value));

/** A row of exactly these figures, each with what it counts. */
export const figures = (...expected: readonly (readonly [value: Words, label: Words])[]): Quote => ({
  label: `figures ${expected.map((pair) => pair.join(' ')).join(', ')}`,
  find: (main) =>
    all(main, 'dl').filter(({ children }) => {
      const shown = [...children];
      return (
        shown.length === expected.length &&
        expected.every((figure, index) => shown[index] && isFigure(shown[index], figure))
      );
    }),
});

/** The things a section lists, whatever its shape. */
const ITEMS = [
  '[data-shape] > li',
  '[data-section=process] ol > li',
  '[data-section=stack] dd',
  'details',
  ':is([data-section=service-cards], [data-section=team-models]) div > ul > li',
  '[data-section=offices] li',
  'article',
  ':is([data-section=story], [data-section=link-groups]) div:has(> h3)',
  '[data-section=legal] section',
].join();

export const itemsOf = (section: Element) => all(section, ITEMS);
export const titleOf = (item: Element) => textOf(item.querySelector('h2, h3') ?? item);

/**
 * A section under a heading, with as many items as are named, in their order. A number asks for that many; nothing asks
 * for any.
 */
export const section = (words: Words, items?: number | readonly Words[]): Quote => ({
  label: `section ${quoted(words)}${typeof items === 'number' ? ` of ${items}` : items ? ` of ${items.map(quoted).join(', ')}` : ''}`,
  find: (main) =>
    all(main, 'section, main > div').filter((element) => {
      if (!says(textOf(element.querySelector('h2')), words)) return false;
      const titles = itemsOf(element).map(titleOf);
      if (items === undefined) return true;
      if (typeof items === 'number') return titles.length === items;
      return titles.length === items.length && items.every((title, index) => says(titles[index] ?? '', title));
    }),
});

/** An item with its title and all of the given details. */
export const item = (title: Words, ...details: readonly Words[]): Quote => ({
  label: `item ${quoted(title)} with ${details.map(quoted).join(', ')}`,
  find: (main) =>
    itemsOf(main).filter(
      (element) =>
        says(titleOf(element), title) &&
        details.every((detail) =>
          typeof detail === 'string' ? textOf(element).includes(detail) : detail.test(textOf(element)),
        ),
    ),
});

/** Any heading: the specification names the section's content only. */
export const ANY = /./;
