import { expect, jest, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import * as content from 'virtual:content';

type Kite = { readonly kind: 'eddy'; readonly name?: string; readonly reason?: string };

/** Returns the markup of a card, and of a row of the list of services, of a page that has this kite. */
async function draw(kite?: Kite, motif: 'kite' | 'none' = 'kite') {
  const links = [{ label: 'Kites', href: '/kites', icon: 'globe', description: 'Made of paper' }];
  jest.resetModules();
  jest.unstable_mockModule('virtual:content', () => ({
    ...content,
    motif,
    pages: [{ path: '/kites', hue: 'teal', sections: [], kite }],
    navigation: { menu: [{ label: 'All', description: 'All of them', links }], groups: {} },
  }));
  const { ServiceCards } = await import('./service-cards.tsx');
  const { LinkGroups } = await import('./link-groups.tsx');
  const cards = [
    {
      icon: 'globe',
      title: 'Kites',
      description: 'Of paper',
      features: ['One', 'Two', 'Three'],
      hue: 'teal',
      href: '/kites',
    },
  ] as const;
  return {
    card: renderToStaticMarkup(
      <ServiceCards section={{ kind: 'service-cards', heading: 'All', cards: structuredClone(cards) as never }} />,
    ),
    row: renderToStaticMarkup(<LinkGroups section={{ kind: 'link-groups', heading: 'All', groups: ['menu'] }} />),
  };
}

const paragraphs = (markup: string) => [...markup.matchAll(/<p(?: [^>]*)?>(.*?)<\/p>/g)].map(([, text]) => text);

test('kite > has its name on the card, and its reason in the list', async () => {
  const { card, row } = await draw({ kind: 'eddy', name: 'Eddy', reason: 'cut to measure' });
  expect(paragraphs(card)[0]).toBe('Eddy');
  expect(card).not.toContain('cut to measure');
  expect(paragraphs(row)[0]).toBe('Eddy: cut to measure');
});

test.each<[string, Kite, string[]]>([
  ['name', { kind: 'eddy', name: 'Eddy' }, ['Eddy']],
  ['reason', { kind: 'eddy', reason: 'cut to measure' }, ['cut to measure']],
  ['kind', { kind: 'eddy' }, []],
])('kite > leaves no empty element > with only a %s', async (_what, kite, line) => {
  const { card, row } = await draw(kite);
  expect(card).toContain('service-mark');
  expect(paragraphs(card)).toHaveLength(kite.name ? 3 : 2);
  expect(paragraphs(row)).toEqual([...line, 'Made of paper']);
});

test.each<[string, Kite | undefined, 'kite' | 'none']>([
  ['a page without a kite', undefined, 'kite'],
  ['a brand without kites', { kind: 'eddy', name: 'Eddy', reason: 'cut to measure' }, 'none'],
])('icon > stands in place of the kite > %s', async (_where, kite, motif) => {
  const { card, row } = await draw(kite, motif);
  for (const markup of [card, row]) {
    expect(markup).not.toMatch(/service-mark|Eddy|cut to measure/);
    expect(markup).toMatch(/<svg class="icon [^"]*size-(?:12|9)\b/);
  }
  expect(card).not.toContain('rotate-6');
});
