import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { Features } from './features.tsx';

const drawRows = (count: number) =>
  renderToStaticMarkup(
    <Features
      section={{
        kind: 'features',
        heading: 'Why',
        shape: 'rows',
        items: Array.from({ length: count }, (_, index) => ({ title: `Reason ${index + 1}` })),
      }}
    />,
  );

test('rows > begin with one in larger letters if their number is odd', () => {
  const markup = drawRows(5);
  expect(markup).toMatch(/<h3 class="[^"]*text-loud[^"]*">Reason 1</);
  expect(markup.match(/text-loud/g)).toHaveLength(1);
  for (const count of [3, 4]) expect(drawRows(count)).not.toContain('text-loud');
});
