import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { motif, type SectionOf } from 'virtual:content';
import { Features } from './features.tsx';

type Section = SectionOf<'features'>;

/** Tests of kites need the motif. */
const kiteTest = motif === 'kite' ? test : test.skip;

const draw = (shape: Section['shape'], items: Section['items']) =>
  renderToStaticMarkup(<Features section={{ kind: 'features', heading: 'Why', shape, items }} />);
const drawRows = (count: number) =>
  draw(
    'rows',
    Array.from({ length: count }, (_, index) => ({ title: `Reason ${index + 1}` })),
  );

test('rows > are of equal size, and five leave no gap', () => {
  for (const count of [3, 4, 5]) expect(new Set(drawRows(count).match(/<h3[^>]*>/g)).size).toBe(1);
  expect(drawRows(5)).toMatch(/<ul [^>]*class="[^"]*lg:grid-cols-6/);
});

test.each(['ledger', 'rows'] as const)('%s > has bullets one to a line, without dots', (shape) => {
  const markup = draw(shape, [{ title: 'Offer', bullets: [['One'], ['Two']] }]);
  expect(markup).toMatch(
    /<ul class="check-list [^"]*text-\[0\.9375rem\][^"]*before:hidden[^"]*"><li>One<\/li><li>Two</,
  );
  expect(markup).not.toContain('_·_');
});

test('ledger > has no empty cell > in a row without bullets', () => {
  const [wide, narrow] =
    draw('ledger', [
      { title: 'One', description: ['Long.'] },
      { title: 'Two', description: ['Short.'], bullets: [['Three']] },
    ]).match(/<p [^>]*>/g) ?? [];
  expect(wide).toContain('xl:col-span-2');
  expect(narrow).not.toContain('xl:col-span-2');
});

test('ledger > has a column for bullets in all rows if one of them has bullets', () => {
  const columnsOf = (...items: Partial<Section['items'][number]>[]) =>
    [
      ...draw(
        'ledger',
        items.map((item, index) => ({ title: `Offer ${index}`, ...item })),
      ).matchAll(/xl:grid-cols-\[([^\]]*)/g),
    ].map(([, columns = '']) => columns.split('_').length);
  const bullets = [['One']];
  expect(columnsOf({}, {})).toEqual([2, 2]);
  expect(columnsOf({}, { bullets })).toEqual([3, 3]);
  expect(columnsOf({ readiness: 'now' })).toEqual([3]);
  expect(columnsOf({ readiness: 'now' }, { readiness: 'later', bullets })).toEqual([4, 4]);
});

kiteTest('ledger > fills a kite as far as an offer is ready', () => {
  const fillOf = (readiness: 'now' | 'partly' | 'later') =>
    /<path class="fill-hue" d="([^"]*)"/.exec(draw('ledger', [{ title: 'Offer', label: 'Pays', readiness }]))?.[1];
  expect([fillOf('now'), fillOf('partly'), fillOf('later')]).toEqual(['M8 1 15 8 8 21 1 8z', 'M8 1V21L1 8z', '']);
  expect(draw('ledger', [{ title: 'Offer', label: 'Pays' }])).not.toContain('<path');
});
