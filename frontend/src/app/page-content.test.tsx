import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  StaticRouterProvider,
  type StaticHandlerContext,
} from 'react-router-dom';
import { PageContent } from './page-content.tsx';

/** Draws a page whose sections have these flags, and returns its bands: the headings that are in each. */
async function bandsOf(halves: readonly boolean[]): Promise<readonly string[]> {
  const sections = halves.map((half, index) => ({
    kind: 'prose',
    heading: `H${index}`,
    paragraphs: [['Text.']],
    half,
  }));
  const page = { path: '/', hue: 'sky', hero: { heading: 'Hero', lead: ['Lead.'] }, sections };
  const { query, dataRoutes } = createStaticHandler([{ path: '/', loader: () => page, Component: PageContent }]);
  const context = (await query(new Request('http://site.test/'))) as StaticHandlerContext;
  const markup = renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />,
  );
  return markup
    .split(/(?=<div data-section="band")/)
    .map((part) => [...part.matchAll(/<h2[^>]*>(H\d)/g)].map(([, heading]) => heading).join(' '));
}

test('page > has two halves in a band, and a third in the next', async () => {
  expect(await bandsOf([true, true, true])).toEqual(['', 'H0 H1', 'H2']);
  expect(await bandsOf([false, true, true])).toEqual(['H0', 'H1 H2']);
});
