import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { SectionOf } from 'virtual:content';
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
