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

test('rows > begin with one in larger letters if their number is odd', () => {
  const markup = drawRows(5);
  expect(markup).toMatch(/<h3 class="[^"]*text-loud[^"]*">Reason 1</);
  expect(markup.match(/text-loud/g)).toHaveLength(1);
  for (const count of [3, 4]) expect(drawRows(count)).not.toContain('text-loud');
});

kiteTest('ledger > fills a kite as far as an offer is ready', () => {
  const fillOf = (readiness: 'now' | 'partly' | 'later') =>
    /<path class="fill-hue" d="([^"]*)"/.exec(draw('ledger', [{ title: 'Offer', label: 'Pays', readiness }]))?.[1];
  expect([fillOf('now'), fillOf('partly'), fillOf('later')]).toEqual(['M8 1 15 8 8 21 1 8z', 'M8 1V21L1 8z', '']);
  expect(draw('ledger', [{ title: 'Offer', label: 'Pays' }])).not.toContain('<path');
});
