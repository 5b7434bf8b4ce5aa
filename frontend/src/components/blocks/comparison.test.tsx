import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { sections } from '../../../build/content/schema.ts';
import { Comparison } from './comparison.tsx';

const section = {
  kind: 'comparison' as const,
  heading: 'Side by side',
  columns: [['One'], ['Two']],
  rows: [{ name: 'Price', cells: [['Low'], ['High']] }],
};

test('A comparison is a table whose columns and rows have names', () => {
  const markup = renderToStaticMarkup(
    <MemoryRouter>
      <Comparison section={section} />
    </MemoryRouter>,
  );
  expect(markup).toMatch(
    /<th scope="col"[^>]*>One<.*<th scope="col"[^>]*>Two<.*<th scope="row"[^>]*>Price<.*Low.*High/,
  );
});

test('A region that scrolls is named, and reached by keyboard', () => {
  const markup = renderToStaticMarkup(
    <MemoryRouter>
      <Comparison section={section} />
    </MemoryRouter>,
  );
  expect(markup).toMatch(/<section[^>]* aria-label="Side by side" tabindex="0"/i);
});

test('A row with a cell too few is refused', () => {
  const refusal = () => sections.comparison.validateSync({ ...section, rows: [{ name: 'Price', cells: ['Low'] }] });
  expect(refusal).toThrow('has a row with more or fewer cells than there are columns');
});
