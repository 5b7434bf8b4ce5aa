import { describe, expect, test } from '@jest/globals';
import { one, pageAt, PAGES, textOf } from './built-site.ts';

/** The dropdowns of section 2.2: name, description, and each service's name and address. */
const MENUS = [
  {
    name: 'Software Development',
    description: 'Custom software solutions and applications',
    services: [
      ['Custom Software Development', '/services/custom-software'],
      ['Web Development', '/services/web-development'],
      ['Mobile App Development', '/services/mobile-development'],
      ['Agentic AI', '/services/agentic-ai'],
      ['Emerging Technologies', '/services/emerging-tech'],
    ],
  },
  {
    name: 'Enterprise Solutions',
    description: 'Enterprise-grade business solutions',
    services: [
      ['SAP Consulting', '/services/sap-consulting'],
      ['Dynamics CRM', '/services/dynamics-crm'],
    ],
  },
  {
    name: 'Resource Solutions',
    description: 'Flexible staffing and outsourcing options',
    services: [
      ['Staff Augmentation', '/services/staff-augmentation'],
      ['Dedicated Teams', '/services/dedicated-teams'],
      ['Software Outsourcing', '/services/software-outsourcing'],
      ['Resource Outsourcing', '/services/resource-outsourcing'],
    ],
  },
] as const;

/** The sitemap's groups (2.13), which are the footer's columns. */
const SITEMAP_GROUPS = {
  'Software Development': ['/services/custom-software', '/services/web-development', '/services/mobile-development'],
  'Enterprise Solutions': ['/services/sap-consulting', '/services/dynamics-crm'],
  'Resource Solutions': ['/services/staff-augmentation', '/services/dedicated-teams', '/services/software-outsourcing'],
};

const all = <Found extends Element = Element>(scope: ParentNode, selector: string) => [
  ...scope.querySelectorAll<Found>(selector),
];
const hrefs = (scope: ParentNode) => all(scope, 'a').map((link) => link.getAttribute('href'));

describe.each(PAGES)('the chrome of %s', (path) => {
  const page = pageAt(path);
  const bar = one(page, 'body > header');
  const nav = one(bar, 'nav');
  const footer = one(page, 'footer');

  test('has a logo that leads home, in the bar and in the footer', () => {
    expect(one(bar, 'a[aria-label$=home]').getAttribute('href')).toBe('/');
    expect(one(footer, 'a[aria-label$=home]').getAttribute('href')).toBe('/');
  });

  test('has the bar’s links and dropdowns in their order', () => {
    const entries = all(nav, ':scope > a, :scope > details > summary').map(textOf);
    expect(entries).toEqual([
      'About Us',
      'Software Development',
      'Enterprise Solutions',
      'Resource Solutions',
      'Careers',
      'Contact Us',
    ]);
    expect(hrefs(nav).filter((href) => !href?.startsWith('/services/'))).toEqual(['/about', '/careers', '/contact']);
  });

  test.each(MENUS)(
    '$name holds its services, each with icon, name and description',
    ({ name, description, services }) => {
      const menu = all(nav, 'details').find((details) => textOf(details.querySelector('summary')) === name);
      expect(menu?.querySelector('p')?.textContent).toBe(name);
      expect(all(menu ?? nav, 'p').map(textOf)).toContain(description);
      const items = all(menu ?? nav, 'a');
      expect(items.map((link) => [textOf(link.querySelector('b')), link.getAttribute('href')])).toEqual(services);
      for (const link of items) {
        expect(link.querySelector('svg use[href*="#"]')).not.toBeNull();
        expect(textOf(link.querySelector('span:not(:has(svg))'))).not.toBe('');
      }
    },
  );

  test('highlights the link of this page, and the dropdown that holds it', () => {
    const current = all(nav, '[aria-current="page"]').map((link) => link.getAttribute('href'));
    expect(current).toEqual(hrefs(nav).filter((href) => href === path));
    const active = all(nav, 'summary[data-current]').map(textOf);
    expect(active).toEqual(
      MENUS.filter(({ services }) => services.some(([, href]) => href === path)).map(({ name }) => name),
    );
  });

  test('has a toggle and a close button for the small screen’s menu', () => {
    expect(one(bar, '[aria-label=Menu]').getAttribute('popovertarget')).toBe(nav.id);
    expect(one(nav, '[aria-label="Close menu"]').getAttribute('popovertarget')).toBe(nav.id);
  });

  test.each(Object.entries(SITEMAP_GROUPS))('has the footer column %s', (title, links) => {
    const column = all(footer, 'nav').find((element) => textOf(element.querySelector('h2')) === title);
    expect(hrefs(column ?? footer)).toEqual(links);
  });

  test('has the company’s links, social links, blurb and copyright in the footer', () => {
    const company = all(footer, 'nav').find((element) => textOf(element.querySelector('h2')) === 'Company');
    expect(hrefs(company ?? footer)).toEqual(['/about', '/careers', '/contact', '/privacy', '/terms']);
    const social = all<HTMLAnchorElement>(footer, 'a[rel~=me]');
    expect(social.map(({ hostname }) => hostname)).toEqual(['www.linkedin.com', 'x.com', 'www.facebook.com']);
    for (const link of social) expect(link.getAttribute('aria-label')).toMatch(/ on /);
    expect(textOf(footer.querySelector('p')).length).toBeGreaterThan(20);
    expect(textOf(one(footer, ':scope > p'))).toMatch(/^© 2025/);
  });

  test('has the cookie banner with its three answers, and the back-to-top button', () => {
    const banner = one(page, '[aria-label="Cookie consent"]');
    const answers = all<HTMLElement>(banner, 'button').map((button) => [
      textOf(button) || button.getAttribute('aria-label'),
      button.dataset.consentChoice,
    ]);
    expect(answers).toEqual([
      ['Accept', 'accepted'],
      ['Decline', 'declined'],
      ['Close', ''],
    ]);
    expect(one(page, 'button[data-back-to-top]').getAttribute('aria-label')).toBe('Back to top');
  });
});
