import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { motif, type SectionOf } from 'virtual:content';
import { Process } from './process.tsx';

/** Tests of kites need the motif. */
const kiteTest = motif === 'kite' ? test : test.skip;

type Section = SectionOf<'process'>;

const draw = (count: number, section?: Partial<Section>, step?: Partial<Section['steps'][number]>) =>
  renderToStaticMarkup(
    <Process
      section={{
        kind: 'process',
        heading: 'How',
        steps: Array.from({ length: count }, (_, index) => ({
          step: `0${index + 1}`,
          title: `Step ${index + 1}`,
          description: ['We do it.'],
          ...step,
        })),
        ...section,
      }}
    />,
  );

kiteTest.each([3, 4, 5])('process > draws a climbing string > for %i steps', (count) => {
  expect(draw(count)).toMatch(/<svg [^>]*aria-hidden="true"><path d="[^"]+"><\/path><\/svg><ol class="[^"]*climbing/);
});

test.each([2, 6])('process > draws no string > for %i steps', (count) => {
  expect(draw(count)).not.toMatch(/<svg|climbing/);
});

test.each(['rows', 'paragraph'] as const)('process > draws no string > in the shape %s', (shape) => {
  expect(draw(4, { shape })).not.toMatch(/<svg|climbing/);
});

test.each(['line', 'rows', 'paragraph'] as const)(
  'process > has number, title and text of each step > as %s',
  (shape) => {
    const steps = draw(4, { shape }).match(/<li .*?<\/li>/g);
    expect(steps).toHaveLength(4);
    expect(steps?.[1]).toMatch(
      /^<li [^>]*><span [^>]*>02<\/span><div[^>]*><h3[^>]*>Step 2<\/h3><p [^>]*>We do it\.<\/p>/,
    );
  },
);

test.each(['line', 'rows', 'paragraph'] as const)(
  'process > leaves no column empty below its heading > as %s',
  (shape) => {
    expect(draw(4, { shape })).not.toMatch(/ lg:grid-cols-\[\dfr_\dfr\]/);
  },
);

test('process > lists what a step leaves behind without dots > as rows', () => {
  const deliverables = [['A plan']];
  expect(draw(4, { shape: 'rows' }, { deliverables })).toMatch(/before:hidden[^"]*"><li>A plan</);
  expect(draw(4, { shape: 'line' }, { deliverables })).not.toContain('before:hidden');
});
