import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { SectionOf } from 'virtual:content';
import { FactPanel } from './facts.tsx';

const draw = (section: Partial<SectionOf<'facts'>>) =>
  renderToStaticMarkup(
    <FactPanel
      section={{ kind: 'facts', heading: 'Prices', facts: [{ label: 'An app', value: '$12,000' }], ...section }}
    />,
  );

test('facts > are a tinted panel, and if quiet a row of large figures', () => {
  expect(draw({})).toMatch(/data-ground="tint".*<b class="[^"]*figure[^"]*">\$12,000<\/b>/);
  const quiet = draw({ quiet: true });
  expect(quiet).toMatch(/<dd class="[^"]*figure[^"]*">\$12,000<\/dd>/);
  expect(quiet).not.toContain('data-ground');
});

test('facts > have small words before a value, and a note below it', () => {
  const facts = [{ label: 'An app', before: 'from', value: '$12,000', note: 'in 3-10 months' }];
  expect(draw({ facts })).toMatch(/<dd class="text-sm[^>]*>from <b[^>]*>\$12,000<\/b><span[^>]*> in 3-10 months</);
});

test('facts > have what they depend on below them', () => {
  for (const quiet of [false, true])
    expect(draw({ quiet, notes: [['Data moves it.']] })).toMatch(/<\/dl>.*Data moves it\./);
});
