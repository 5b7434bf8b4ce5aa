import { describe, expect, test } from '@jest/globals';
import { page as home } from '../../src/content/pages/home.ts';
import { page as dedicatedTeams } from '../../src/content/pages/dedicated-teams.ts';
import { isFile, one, pageAt, readText, textOf } from './built-site.ts';

const all = (scope: ParentNode, selector: string) => [...scope.querySelectorAll(selector)];
const isStructured = (element: Element) => element.matches('ul') && element.children.length > 0;

describe('the home page’s eight service cards (2.3)', () => {
  const content = home.sections.find((section) => section.kind === 'service-cards')?.cards ?? [];
  const cards = all(pageAt('/'), '[data-section=service-cards] div > ul > li');

  test('lead to their services, each in a hover colour of its own', () => {
    expect(cards.map((card) => one(card, 'a').getAttribute('href'))).toEqual([
      '/services/custom-software',
      '/services/web-development',
      '/services/mobile-development',
      '/services/sap-consulting',
      '/services/dynamics-crm',
      '/services/staff-augmentation',
      '/services/dedicated-teams',
      '/services/software-outsourcing',
    ]);
    const colours = cards.map((card) => card.className.match(/(?:^| )hue-(\S+)/)?.[1]).toSorted();
    expect(colours).toEqual([
      'blue-600',
      'cyan-600',
      'green-600',
      'indigo-600',
      'orange-600',
      'pink-600',
      'purple-600',
      'red-600',
    ]);
  });

  test.each(content.map((card, index) => [card.title, card, index] as const))(
    '%s shows its first two features and counts the others',
    (_title, card, index) => {
      const shown = cards[index];
      expect(card.features.length).toBeGreaterThan(2);
      expect(shown && all(shown, 'ul li').map(textOf)).toEqual(card.features.slice(0, 2));
      expect(textOf(shown)).toContain(`+${card.features.length - 2} more services`);
      for (const feature of card.features.slice(2)) expect(textOf(shown)).not.toContain(feature);
      expect(textOf(shown?.querySelector('p'))).toBe(card.description);
      expect(shown?.querySelector('svg use')).not.toBeNull();
    },
  );
});

describe.each(['staff-augmentation', 'dedicated-teams', 'software-outsourcing'])(
  'the engagement model %s (2.5)',
  (id) => {
    const model = one(pageAt('/services'), `article#${id}`);

    test('has an image of our own and a badge built from its id', () => {
      expect(one(model, 'img').getAttribute('src')).toMatch(/^\/images\//);
      expect(textOf(one(model, '.kite-before')).toLowerCase()).toBe(id.replaceAll('-', ' '));
    });

    test('lists technologies and key benefits', () => {
      const headings = all(model, 'h4');
      for (const name of ['Technologies', 'Key benefits']) {
        const list = headings.find((heading) => textOf(heading) === name)?.nextElementSibling;
        expect(list && isStructured(list)).toBe(true);
      }
    });

    test('leads to its own page', () => {
      const more = all(model, 'a').filter((link) => textOf(link) === 'Learn More');
      expect(more.map((link) => link.getAttribute('href'))).toEqual([`/services/${id}`]);
      // Read out of its place, or in a list of links, it says where it leads.
      expect(more.map(({ textContent }) => textContent)).toEqual([`Learn More about ${textOf(one(model, 'h3'))}`]);
    });
  },
);

describe('the four team models (2.12)', () => {
  const models = dedicatedTeams.sections.find((section) => section.kind === 'team-models')?.models ?? [];
  const cards = all(pageAt('/services/dedicated-teams'), '#team-models div > ul > li');

  test('keep the specification’s price and duration in the data', () => {
    expect(models.map(({ id, price, duration }) => [id, price, duration.toLowerCase()])).toEqual([
      ['startup', '$8,000-$16,000/month', '3-6 months'],
      ['growth', '$20,000-$32,000/month', '6-12 months'],
      ['enterprise', '$40,000-$60,000/month', '12+ months'],
      ['specialized', expect.stringMatching(/custom pricing/i), 'custom'],
    ]);
  });

  test.each([
    '8,000',
    '16,000',
    '20,000',
    '32,000',
    '40,000',
    '60,000',
    'ustom pricing',
    '3-6 months',
    '6-12 months',
    '12+ months',
  ])('keep "%s" off the page', (figure) => {
    expect(readText('services/dedicated-teams.html')).not.toContain(figure);
  });

  test.each(cards.map((card) => [textOf(card.querySelector('h3')), card] as const))(
    '%s says whom it is for, its people and its features',
    (_name, card) => {
      expect(textOf(card)).toContain('Ideal for');
      expect(all(card, 'h4').map(textOf)).toEqual(['Team Composition', 'Key Features']);
      expect(all(card, 'h4 + ul').filter(isStructured)).toHaveLength(2);
    },
  );

  test('have six role cards before them, each with three bullets', () => {
    const roles = all(pageAt('/services/dedicated-teams'), '[data-shape=cards] > li');
    expect(roles.map((role) => all(role, 'ul > li').length)).toEqual([3, 3, 3, 3, 3, 3]);
  });
});

describe.each(
  all(pageAt('/contact'), '[data-section=offices] li').map(
    (office) => [textOf(office.querySelector('h3')), office] as const,
  ),
)('the office %s (2.6)', (_name, office) => {
  test('has an address, and links that mail and dial what they show', () => {
    expect(all(office, 'address span').length).toBeGreaterThan(1);
    const mail = one(office, 'a[href^="mailto:"]');
    expect(mail.getAttribute('href')).toBe(`mailto:${textOf(mail)}`);
    const dial = one(office, 'a[href^="tel:"]');
    expect(dial.getAttribute('href')).toBe(`tel:${textOf(dial).replaceAll(' ', '')}`);
  });
});

test.each(
  all(pageAt('/services/resource-outsourcing'), '#skills [data-shape] > li').map(
    (column) => [textOf(column.querySelector('h3')), column] as const,
  ),
)('the skills column %s lists five technologies (2.12)', (_name, column) => {
  expect(all(column, 'ul > li')).toHaveLength(5);
});

test('each of the six benefits of agents has a metric and says of what (2.11)', () => {
  const metrics = all(pageAt('/services/agentic-ai'), '[data-shape=metrics] > li > p:first-child');
  expect(metrics).toHaveLength(6);
  for (const metric of metrics) expect(textOf(metric)).toMatch(/^\S+.* \S+/);
});

test('each step of the web process lists deliverables (2.9)', () => {
  const steps = all(pageAt('/services/web-development'), '[data-section=process] ol > li');
  expect(steps.map((step) => all(step, 'ul').some(isStructured))).toEqual([true, true, true, true, true]);
});

test('the sitemap’s link to the XML file opens in a new tab (2.13)', () => {
  const link = one(pageAt('/sitemap'), 'main a[href="/sitemap.xml"]');
  expect(link.getAttribute('target')).toBe('_blank');
  expect(isFile('sitemap.xml')).toBe(true);
});

test.each([
  ['/careers', 'open-positions'],
  ['/contact', 'contact-form-section'],
  ['/services/dedicated-teams', 'team-models'],
])('%s has the anchor %s', (path, id) => {
  expect(pageAt(path).getElementById(id)).not.toBeNull();
});
