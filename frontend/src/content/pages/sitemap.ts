import { company } from '../company.ts';
import type { Page } from '../model.ts';
import { legalLinks, mainLinks, sitemapGroups } from '../navigation.ts';

export const page = {
  path: '/sitemap',
  name: 'Sitemap',
  title: `Sitemap | ${company.name}`,
  description:
    'Every way into this site on one page: the main pages, the services in their groups, and the legal texts. An XML version is there for machines.',
  hue: 'teal',
  hero: {
    heading: 'Sitemap',
    lead: 'The whole site at a glance. If you know what you need, pick the service; if you do not yet, start with the overview or simply [ask us](/contact).',
  },
  sections: [
    {
      kind: 'link-groups',
      heading: 'Pages by subject',
      groups: [{ title: 'Main Pages', links: mainLinks }, ...sitemapGroups, { title: 'Legal', links: legalLinks }],
      actions: [{ label: 'XML sitemap', href: '/sitemap.xml', newTab: true }],
    },
  ],
} satisfies Page;
