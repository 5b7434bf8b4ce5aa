import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { wording, type SectionOf } from 'virtual:content';
import { Prose } from './prose.tsx';

const draw = (section: Partial<SectionOf<'prose'>>) =>
  renderToStaticMarkup(
    <Prose section={{ kind: 'prose', heading: 'Why', paragraphs: [['Because.'], ['And also.']], ...section }} />,
  );
const pointsOf = (count: number) => ({
  heading: 'Advantages',
  items: Array.from({ length: count }, (_, index) => ({ title: `Point ${index + 1}`, description: ['Good.'] })),
});

test('prose > sets its statement in the display face, between a label and the paragraphs', () => {
  const markup = draw({ statement: ['One thing to remember.'] });
  expect(markup).toMatch(
    /<h2 class="[^"]*text-hue-ink[^"]*">Why<.*<p class="[^"]*font-display[^"]*">One thing.*Because\./,
  );
  expect(draw({})).not.toContain('font-display');
});

test('prose > shows four points, and folds five under their heading', () => {
  expect(draw({ points: pointsOf(4) })).not.toContain('<details');
  expect(draw({ points: pointsOf(5) })).toMatch(
    /<details[^>]*><summary[^>]*><h2[^>]*>Advantages<.*<\/summary>.*Point 1.*Point 5.*<\/details>/,
  );
});

test('prose > sets a statement across the page, above paragraphs in two columns', () => {
  const [normal, large] = [{}, { large: true }].map((size) => draw({ statement: ['One thing.'], ...size }));
  for (const markup of [normal, large]) {
    expect(markup).toMatch(/>One thing.*<div class="[^"]*lg:grid-cols-2[^"]*"><p[^>]*>Because\./);
    expect(markup).not.toContain('lg:grid-cols-[');
  }
  expect(large).toContain('text-2xl');
  expect(normal).not.toContain('text-2xl');
});

test('prose > says that a sheet of paper is a specimen, and draws in red what is yours', () => {
  const lines = [
    { label: 'Done', text: ['The import.'] },
    { label: 'Decisions', text: ['One or two?'], yours: true },
  ];
  const markup = draw({ specimen: { heading: 'Friday report', lines } });
  expect(markup).toMatch(
    new RegExp(`<figure [^>]*><figcaption[^>]*>Friday report \\(${wording.figures.specimen}\\)</figcaption><dl`),
  );
  const [done, decisions] = markup.match(/<div class="[^"]*"><dt.*?<\/dd>/g) ?? [];
  expect(done).toMatch(/Done<\/dt><dd[^>]*>The import\./);
  expect(done).not.toContain('text-signal');
  expect(decisions).toContain('text-signal');
});
