import { company } from '../company.ts';
import type { Page } from '../model.ts';
import { mainLinks } from '../navigation.ts';

export const page = {
  path: '/404',
  name: 'Page not found',
  title: `Page not found | ${company.name}`,
  description:
    'There is no page at this address. Go back to the home page, look through the services, or tell us what you were looking for.',
  hue: 'amber',
  hero: {
    heading: '404 Page Not Found',
    lead: 'Did you forget to add the page to the router?',
    actions: [
      { label: 'Back to the home page', href: '/' },
      { label: 'See all pages', href: '/sitemap' },
    ],
  },
  sections: [
    {
      kind: 'link-groups',
      heading: 'Where to go from here',
      intro:
        'The address may have been mistyped, or the page has moved. If a link of ours brought you here, please [tell us](/contact) and we will mend it.',
      groups: [{ title: 'Main Pages', links: mainLinks }],
    },
  ],
} satisfies Page;
