import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { jobs, motif } from 'virtual:content';
import { Jobs } from './jobs.tsx';

test('job card > has the outline of a kite > only in the motif of kites', () => {
  const markup = renderToStaticMarkup(<Jobs section={{ kind: 'jobs', heading: 'Open positions' }} />);
  const outlines = markup.match(/<svg[^>]*stroke-dasharray/g) ?? [];
  expect(outlines).toHaveLength(motif === 'kite' ? jobs.length : 0);
});
