import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { motif, pages } from 'virtual:content';
import { Cta } from './cta.tsx';

/** Tests of kites need the motif. */
const kiteTest = motif === 'kite' ? test : test.skip;

const drawAt = (path: string) =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <Cta section={{ kind: 'cta', heading: 'Write to us', actions: [{ label: 'Write', href: '/contact' }] }} />
    </MemoryRouter>,
  );
const outlineAt = (path: string) => /<svg class="kite-outline.*?<\/svg>/.exec(drawAt(path))?.[0];

kiteTest('call to action > has the outline of the kite > of each service', () => {
  const services = pages.filter(({ path }) => path.startsWith('/services/'));
  const outlines = services.map(({ path }) => outlineAt(path));
  expect(outlines).not.toContain(undefined);
  expect(new Set(outlines).size).toBe(new Set(services.map(({ kite }) => kite?.kind ?? 'eddy')).size);
});

kiteTest("call to action > has Eddy's kite > on a page of no service", () => {
  expect(outlineAt('/about')).toBe(outlineAt('/services/custom-software'));
});
