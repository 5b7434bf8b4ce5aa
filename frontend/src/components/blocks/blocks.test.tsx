import type { ReactNode } from 'react';
import { expect, jest, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import * as content from 'virtual:content';
import { FactPanel } from './facts.tsx';
import { Features } from './features.tsx';
import { Offices } from './offices.tsx';
import { Prose } from './prose.tsx';

/** Texts of sections, and their readers. Their looks are seen in the browser. */

const draw = (section: ReactNode) => renderToStaticMarkup(<MemoryRouter>{section}</MemoryRouter>);

test('facts > have small words before a value, a note after it, and what they depend on below', () => {
  const facts = [{ label: 'An app', before: 'from', value: '$12,000', note: 'in 3-10 months' }];
  for (const quiet of [false, true]) {
    const markup = draw(
      <FactPanel section={{ kind: 'facts', heading: 'Prices', facts, quiet, notes: [['Data moves it.']] }} />,
    );
    expect(markup).toMatch(
      /from <b[^>]*>\$12,000<\/b>.* in 3-10 months.*<\/dl>.*Data moves it\.|\$12,000.*<\/dl>.*Data/,
    );
  }
});

test('list next to a kite > has what to do next after it in the document, as on a phone', () => {
  const actions = [{ label: 'Write to us', href: '/contact' }];
  const items = [{ title: 'Web shops', description: ['Quick.'] }];
  const section = { kind: 'features', shape: 'ledger', heading: 'What', items, actions } as const;
  const markup = draw(<Features section={section} />);
  expect(markup).toMatch(/What<\/h2><\/header>.*Web shops.*<\/ul>.*Write to us.*class="[^"]*service-mark/);
  const half = draw(<Features section={{ ...section, half: true }} />);
  expect([half.match(/Write to us/g)?.length, half.includes('service-mark')]).toEqual([1, false]);
});

test.each([
  ['a service', '/services/dedicated-teams', 'class="service-mark'],
  ['another page', '/about', 'class="icon'],
])('point that links to %s > has its kite, or the icon', (_, href, mark) => {
  const items = [{ title: 'Teams', icon: 'users' as const, href, description: ['Quick.'] }];
  const markup = draw(<Features section={{ kind: 'features', shape: 'rows', heading: 'What', items }} />);
  expect(markup.match(/<svg class="(?:service-mark|icon)/g)).toEqual([`<svg ${mark}`]);
});

test('prose > shows four points, and folds five under their heading', () => {
  const pointsOf = (count: number) => ({
    heading: 'Advantages',
    items: Array.from({ length: count }, (_, index) => ({ title: `Point ${index + 1}`, description: ['Good.'] })),
  });
  const withPoints = (count: number) =>
    draw(<Prose section={{ kind: 'prose', heading: 'Why', paragraphs: [['Because.']], points: pointsOf(count) }} />);
  expect(withPoints(4)).not.toContain('<details');
  expect(withPoints(5)).toMatch(/<details[^>]*><summary[^>]*><h2[^>]*>Advantages<.*<\/summary>.*Point 5.*<\/details>/);
});

test('prose > says that a sheet of paper is a specimen, and draws in red what is yours', () => {
  const lines = [
    { label: 'Done', text: ['The import.'] },
    { label: 'Decisions', text: ['One or two?'], yours: true },
  ];
  const specimen = { heading: 'Friday report', lines };
  const markup = draw(<Prose section={{ kind: 'prose', heading: 'Why', paragraphs: [['Because.']], specimen }} />);
  expect(markup).toContain(`Friday report (${content.wording.figures.specimen})</figcaption>`);
  const [done, decisions] = markup.match(/<div class="[^"]*"><dt.*?<\/dd>/g) ?? [];
  expect(done).not.toContain('text-signal');
  expect(decisions).toContain('text-signal');
});

/** Draws the offices, the first of which has these facts. */
function drawOffice(facts: Partial<(typeof content.company.offices)[number]>): string {
  const [office] = content.company.offices;
  if (!office) throw new Error('the company has no office');
  const before = { ...office };
  Object.assign(office, facts);
  const markup = draw(<Offices section={{ kind: 'offices', heading: 'Offices' }} />);
  Object.assign(office, before);
  return markup;
}

test.each([
  ['DE', '>20095 Hamburg, '],
  ['GB', '>Hamburg 20095, '],
])('office > has its postal code where the country writes it > %s', (countryCode, line) => {
  expect(drawOffice({ countryCode, locality: 'Hamburg', postalCode: '20095' })).toContain(line);
});

type Kite = { readonly kind: 'eddy'; readonly name?: string; readonly reason?: string };

/** Returns the texts of a card, and of a row of the list of services, of a page that has this kite. */
async function textsWith(kite?: Kite, motif: 'kite' | 'none' = 'kite') {
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
  const features = ['One', 'Two', 'Three'];
  const card = {
    icon: 'globe',
    title: 'Kites',
    description: 'Of paper',
    features,
    hue: 'teal',
    href: '/kites',
  } as const;
  const markups = [
    renderToStaticMarkup(<ServiceCards section={{ kind: 'service-cards', heading: 'All', cards: [card] }} />),
    renderToStaticMarkup(<LinkGroups section={{ kind: 'link-groups', heading: 'All', groups: ['menu'] }} />),
  ];
  const hasIcon = markups.every((markup) => markup.includes('<svg class="icon'));
  const [ofCard = [], ofRow = []] = markups.map((markup) =>
    [...markup.matchAll(/<p(?: [^>]*)?>(.*?)<\/p>/g)].map(([, text]) => text),
  );
  return { ofCard: ofCard.slice(0, -1), more: ofCard.at(-1), ofRow, hasIcon };
}

test.each<[string, Kite | undefined, 'kite' | 'none', card: string[], row: string[]]>([
  ['name and reason', { kind: 'eddy', name: 'Eddy', reason: 'to measure' }, 'kite', ['Eddy'], ['Eddy: to measure']],
  ['a name', { kind: 'eddy', name: 'Eddy' }, 'kite', ['Eddy'], ['Eddy']],
  ['a reason', { kind: 'eddy', reason: 'to measure' }, 'kite', [], ['to measure']],
  ['no words', { kind: 'eddy' }, 'kite', [], []],
  ['no kite: an icon', undefined, 'kite', [], []],
  ['a brand without kites: an icon', { kind: 'eddy', name: 'Eddy', reason: 'to measure' }, 'none', [], []],
])(
  'kite of a service > has its name on the card, and its reason in the list > %s',
  async (what, kite, motif, card, row) => {
    const { ofCard, more, ofRow, hasIcon } = await textsWith(kite, motif);
    expect(more).toMatch(/^\+1 more service</);
    expect(ofCard).toEqual([...card, 'Of paper']);
    expect(ofRow).toEqual([...row, 'Made of paper']);
    expect(hasIcon).toBe(what.endsWith('an icon'));
  },
);
