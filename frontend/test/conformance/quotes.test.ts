import { describe, expect, test } from '@jest/globals';
import { one, pageAt, PAGES } from './built-site.ts';
import type { PageQuotes, Quote } from './quote.ts';
import { mainPages } from './spec/main-pages.ts';
import { plainPages } from './spec/plain-pages.ts';
import { resourcePages } from './spec/resource-pages.ts';
import { servicePages } from './spec/service-pages.ts';

const quotedPages: readonly PageQuotes[] = [...mainPages, ...servicePages, ...resourcePages, ...plainPages];

/** 'shown', 'missing', or 'out of order' where all that show it stand before the quote that precedes it. */
type Verdict = 'shown' | 'missing' | 'out of order';

/** Whether `later` stands at `earlier`, in it or after it. */
const follows = (earlier: Element | undefined, later: Element) =>
  !earlier || earlier === later || (earlier.compareDocumentPosition(later) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** Looks for each quote from where the one before it was found. */
function readInOrder(main: Element, quotes: readonly Quote[]): readonly Verdict[] {
  let last: Element | undefined;
  return quotes.map(({ find }) => {
    const found = find(main);
    const next = found.find((element) => element !== last && follows(last, element));
    last = next ?? last;
    return next ? 'shown' : found.length > 0 ? 'out of order' : 'missing';
  });
}

test('the table covers every page but those of the open positions', () => {
  const fixed = PAGES.filter((path) => !path.startsWith('/careers/'));
  expect(quotedPages.map(({ path }) => path).toSorted()).toEqual(fixed.toSorted());
});

describe.each(quotedPages)('$path shows what the specification quotes', ({ path, inOrder, anywhere = [] }) => {
  const main = one(pageAt(path), 'main');
  const verdicts = readInOrder(main, inOrder);

  test.each(inOrder.map(({ label }, index) => [label, verdicts[index]] as const))('%s', (_label, verdict) => {
    expect(verdict).toBe('shown');
  });

  if (anywhere.length > 0) {
    test.each(anywhere.map((quote) => [quote.label, quote] as const))('%s', (_label, { find }) => {
      expect(find(main)).not.toHaveLength(0);
    });
  }
});
