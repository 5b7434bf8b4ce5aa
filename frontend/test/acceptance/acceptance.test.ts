import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { one, pageAt, pageFile, readText, textOf } from '../site/built-site.ts';

/** Quote of the specification. All values are text. */
interface Quote {
  readonly heading?: string;
  readonly text?: string;
  readonly link?: string;
  readonly to?: string;
  readonly picture?: string;
  readonly select?: string;
  readonly figures?: readonly (readonly [value: string, label: string])[];
  readonly section?: string;
  readonly items?: readonly string[];
  readonly count?: string;
  readonly item?: string;
  readonly with?: readonly string[];
  /** Number of bullets of an item. */
  readonly bullets?: string;
  readonly field?: string;
  readonly name?: string;
  readonly type?: string;
  /** Summary of a dropdown of the menu. */
  readonly menu?: string;
  /** Difference between the specification and the site, by its name in `exceptions`. */
  readonly except?: Quote & { readonly because: string; readonly place?: string };
}

interface PageQuotes {
  readonly absent?: readonly string[];
  readonly anywhere?: readonly Quote[];
  readonly [part: string]: readonly Quote[] | readonly string[] | undefined;
}

/** Selector of the elements in which the quotes of a part are expected. */
const SCOPES: Readonly<Record<string, string>> = {
  shows: 'main',
  header: 'body > header',
  footer: 'body > footer',
  form: 'main form',
};

const { exceptions, ...specification } = parse(readFileSync(join(import.meta.dirname, 'pages.yaml'), 'utf8'), {
  schema: 'failsafe',
}) as { readonly exceptions: Readonly<Record<string, unknown>> } & Readonly<Record<string, PageQuotes>>;
const pages: readonly (readonly [path: string, quotes: PageQuotes])[] = Object.entries(specification);

/** Returns a quote as the site shows it. */
function onSite({ except, ...quote }: Quote): Quote {
  if (except && !(except.because in exceptions)) throw new Error(`${except.because} is no exception of pages.yaml`);
  return { ...quote, ...except };
}

/** Returns the quotes of a part in the site's order: those with a `place` are at that index. */
function inOrder(quotes: readonly Quote[]): readonly Quote[] {
  const moved = quotes.filter(({ except }) => except?.place !== undefined);
  const ordered = quotes.filter((quote) => !moved.includes(quote));
  for (const quote of moved) ordered.splice(Number(quote.except?.place), 0, quote);
  return ordered.map(onSite);
}

/** Whether a text equals the words, or matches their pattern. */
function says(text: string, words: string): boolean {
  const [, pattern, flags] = /^\/(.*)\/(i?)$/.exec(words) ?? [];
  if (pattern !== undefined) return new RegExp(pattern, flags).test(text);
  return words === '*' || text === words;
}
const holds = (text: string, words: string) => (/^\/.*\/i?$/.test(words) ? says(text, words) : text.includes(words));

const all = (scope: Element, selector: string) => [...scope.querySelectorAll(selector)];

/** Whether an element is in a list within the section that has a heading of its own. */
function isInOtherList(element: Element, section: Element): boolean {
  const list = element.closest('section');
  return list !== section && section.contains(list) && list?.querySelector(':scope > h2') !== null;
}

/** Returns the items that a section lists: the names in its h3 headings, or else its terms. */
function itemsOf(section: Element): readonly Element[] {
  const headings = all(section, 'h3').filter((heading) => !isInOtherList(heading, section));
  const items = headings.map((heading) => heading.closest('li, details, article') ?? heading.closest('div'));
  const clauses =
    items.length > 0 ? items : all(section, ':scope section h2').map((heading) => heading.closest('section'));
  const found = clauses.filter((element) => element !== null);
  return found.length > 0 ? found : all(section, 'dd');
}
const titleOf = (item: Element) => textOf(item.querySelector('h2, h3') ?? item);
const isList = (texts: readonly string[], words: readonly string[]) =>
  texts.length === words.length && words.every((word, index) => says(texts[index] ?? '', word));

function isFigure(element: Element | undefined, [value, label]: readonly [string, string]): boolean {
  if (!element || !says(textOf(element.querySelector('dt')), label)) return false;
  return all(element, 'dd, dd b').some((shown) => says(textOf(shown), value));
}

/** Returns the elements that show a quote, in page order. */
function find(scope: Element, quote: Quote): readonly Element[] {
  const {
    heading,
    text,
    link,
    to = '',
    picture,
    select,
    figures,
    section,
    items,
    count,
    item,
    bullets,
    field,
    menu,
  } = quote;
  if (heading) return all(scope, 'h1, h2, h3, h4').filter((element) => says(textOf(element), heading));
  if (link)
    return all(scope, 'a').filter(
      (element) => says(textOf(element), link) && says(element.getAttribute('href') ?? '', to),
    );
  if (picture) return all(scope, `img[src="${picture}"]`);
  if (select) return all(scope, select);
  if (figures)
    return all(scope, 'dl').filter(
      ({ children }) =>
        children.length === figures.length && figures.every((figure, index) => isFigure(children[index], figure)),
    );
  if (section)
    return all(scope, 'section, main > div').filter((element) => {
      const titles = itemsOf(element).map(titleOf);
      return (
        says(textOf(element.querySelector('h2')), section) &&
        (!items || isList(titles, items)) &&
        (!count || titles.length === Number(count))
      );
    });
  if (item)
    return all(scope, 'section, main > div')
      .flatMap(itemsOf)
      .filter(
        (element) =>
          says(titleOf(element), item) &&
          (quote.with ?? []).every((detail) => holds(textOf(element), detail)) &&
          (!bullets || all(element, 'li').length === Number(bullets)),
      );
  if (field)
    return all(scope, 'label').filter((label) => {
      const control = scope.querySelector<HTMLInputElement>(`[id="${label.getAttribute('for')}"]`);
      return says(textOf(label), field) && control?.name === quote.name && control?.type === quote.type;
    });
  if (menu)
    return all(scope, 'details').filter((details) => {
      const links = all(details, 'a').map((element) => textOf(element.querySelector('b') ?? element));
      return says(textOf(one(details, 'summary')), menu) && isList(links, items ?? []);
    });
  return all(scope, '*').filter(
    (element) =>
      text && holds(textOf(element), text) && ![...element.children].some((child) => holds(textOf(child), text)),
  );
}

/** Returns 'shown', 'missing', or 'out of order' if all its elements are before the preceding quote. */
function readInOrder(scope: Element, quotes: readonly Quote[]): readonly string[] {
  let last: Element | undefined;
  return quotes.map((quote) => {
    const found = find(scope, quote);
    const next = found.find(
      (element) =>
        !last || (last !== element && last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING),
    );
    last = next ?? last;
    if (next) return 'shown';
    return found.length > 0 ? 'out of order' : 'missing';
  });
}

const labelOf = (quote: Quote) =>
  Object.entries(quote)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

describe.each(pages)('%s', (path, { absent = [], anywhere = [], ...parts }) => {
  for (const [part, specified] of Object.entries(parts) as [string, readonly Quote[]][]) {
    const quotes = inOrder(specified);
    const verdicts = readInOrder(one(pageAt(path), SCOPES[part] ?? part), quotes);
    test.each(quotes.map((quote, index) => [labelOf(quote), verdicts[index]]))(`${part}: %s`, (_label, verdict) => {
      expect(verdict).toBe('shown');
    });
  }
  if (anywhere.length > 0)
    test.each(anywhere.map((quote) => [labelOf(quote), quote] as const))('anywhere: %s', (_label, quote) => {
      expect(find(one(pageAt(path), 'main'), quote)).not.toHaveLength(0);
    });
  if (absent.length > 0)
    test.each(absent)('absent: %s', (words) => {
      expect(readText(pageFile(path))).not.toContain(words);
    });
});
