import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import type { SectionOf } from 'virtual:content';
import { sections } from '../../../builder/content/schema.ts';
import { Comparison } from './comparison.tsx';

const section: SectionOf<'comparison'> = {
  kind: 'comparison',
  heading: 'Side by side',
  corner: 'Model',
  columns: [['One'], ['Two']],
  rows: [{ name: 'Price', cells: [['Low'], ['High']] }],
  choice: {
    parts: ['Goals', 'Plan', 'Work', 'Result'],
    options: [
      { label: 'You lead', parts: ['you', 'you', 'you', 'you'] },
      { label: 'We lead', parts: ['you', 'we', 'both', 'we'] },
    ],
  },
};

test('comparison > is a table with names of columns and rows', () => {
  const markup = renderToStaticMarkup(
    <MemoryRouter>
      <Comparison section={section} />
    </MemoryRouter>,
  );
  expect(markup).toMatch(
    /<th scope="col"[^>]*>One<.*<th scope="col"[^>]*>Two<.*<th scope="row"[^>]*>Price<.*Low.*High/,
  );
});

test('comparison > offers a kite for each column, the first one chosen', () => {
  const markup = renderToStaticMarkup(
    <MemoryRouter>
      <Comparison section={section} />
    </MemoryRouter>,
  );
  expect(markup.match(/<input type="radio"[^>]*>/g)).toEqual([
    expect.stringContaining('checked'),
    expect.not.stringContaining('checked'),
  ]);
});

test.each<[string, string, RegExp, RegExp]>([
  ['in a row', 'Result', /kite-choice"/, /<text(?:(?!font-size).)*>Result/],
  [
    'one below the other on a phone',
    'Resultate',
    /kite-choice max-sm:grid-cols-1 /,
    /<text(?:(?!font-size).)*>Resultate/,
  ],
  ['smaller', 'Verantwortung', /kite-choice max-sm:grid-cols-1 /, /<text[^>]* font-size="0.77em"[^>]*>Verantwortung/],
])('comparison > has its kites %s > with %s', (_how, word, kites, text) => {
  const choice = { ...section.choice, parts: ['Goals', 'Plan', 'Work', word] };
  const markup = renderToStaticMarkup(
    <MemoryRouter>
      <Comparison section={{ ...section, choice }} />
    </MemoryRouter>,
  );
  expect(markup).toMatch(kites);
  expect(markup).toMatch(text);
});

test('comparison > rejects a row with a missing cell', () => {
  const refusal = () => sections.comparison.validateSync({ ...section, rows: [{ name: 'Price', cells: ['Low'] }] });
  expect(refusal).toThrow('has a row with more or fewer cells than there are columns');
});

test('comparison > requires an option of four parts for each column', () => {
  const [first] = section.choice.options;
  const refusal = (options: readonly unknown[]) => () =>
    sections.comparison.validateSync({ ...section, choice: { ...section.choice, options } });
  expect(refusal([first])).toThrow('needs an option with four parts for each column');
  expect(refusal([first, { label: 'We lead', parts: ['we'] }])).toThrow(
    'needs an option with four parts for each column',
  );
});
