import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { motif } from 'virtual:content';
import { Process } from './process.tsx';

/** Tests of kites need the motif. */
const kiteTest = motif === 'kite' ? test : test.skip;

const draw = (count: number) =>
  renderToStaticMarkup(
    <Process
      section={{
        kind: 'process',
        heading: 'How',
        steps: Array.from({ length: count }, (_, index) => ({
          step: `0${index + 1}`,
          title: `Step ${index + 1}`,
          description: ['We do it.'],
        })),
      }}
    />,
  );

kiteTest.each([3, 4, 5])('process > draws a climbing string > for %i steps', (count) => {
  expect(draw(count)).toMatch(/<svg [^>]*aria-hidden="true"><path d="[^"]+"><\/path><\/svg><ol class="[^"]*climbing/);
});

test.each([2, 6])('process > draws no string > for %i steps', (count) => {
  expect(draw(count)).not.toMatch(/<svg|climbing/);
});
