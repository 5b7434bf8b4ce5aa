import { figures } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { ProcessStep, StackSection } from '../sections.ts';

/** Spec 2.9; durations and prices of section 9. */
export const page = {
  path: '/services/web-development',
  name: 'Web Development',
  title: 'Web Development Services | Kitewright',
  description:
    'Websites, web applications and shops that load fast, rank and stay maintainable. From $8,000, with a team of 2-6 and a release plan you can hold us to.',
  keywords: [
    'web development company',
    'web application development',
    'React development',
    'e-commerce development',
    'progressive web apps',
    'API development',
    'web performance',
  ],
  hue: 'blue-600',
  serviceType: 'Web development',
  hero: {
    kicker: 'Fast, findable, easy to change',
    heading: 'Web Development',
    lead: 'Your site is judged in its first second. We build websites and web applications that appear at once on an ordinary phone, can be found, and can still be changed three years later.',
    actions: [
      { label: 'Start Your Project', href: '/contact' },
      { label: 'See cost and timeline', href: '#investment' },
    ],
    art: { key: 'services/web-development', alt: '' },
  },
  sections: [
    {
      kind: 'features',
      shape: 'cards',
      heading: 'Web development services',
      items: [
        {
          icon: 'globe',
          title: 'Company websites',
          description:
            'Pages your marketing team edits without us, on a content system chosen to suit the people who write.',
          bullets: ['Content modelling', 'Headless CMS', 'Redirects that keep your ranking'],
        },
        {
          icon: 'layout-dashboard',
          title: 'Web applications',
          description:
            'Portals, dashboards and internal tools with roles, long forms and large tables that stay quick.',
          bullets: ['Single sign-on', 'Live updates', 'Audit trail'],
        },
        {
          icon: 'shopping-cart',
          title: 'Online shops',
          description: 'Catalogue, basket and payment, joined to the stock and accounts you already keep.',
          bullets: ['Payment providers', 'Tax and shipping rules', 'Order status for customers'],
        },
        {
          icon: 'smartphone',
          title: 'Progressive web apps',
          description: 'One code base that installs on a phone and keeps working where the signal does not.',
          bullets: ['Offline storage', 'Push messages', 'No app-store review'],
        },
        {
          icon: 'server',
          title: 'APIs and back ends',
          description: 'Documented, versioned interfaces for your own apps and for the partners who connect to you.',
          bullets: ['REST and GraphQL', 'Rate limits and keys', 'OpenAPI reference'],
        },
        {
          icon: 'wrench',
          title: 'Rescue and renewal',
          description: 'We take over a site that has become slow or risky to touch, and renew it one part at a time.',
          bullets: ['Code and security audit', 'Gradual migration', 'No launch freeze'],
        },
      ],
    },
    {
      kind: 'features',
      shape: 'split',
      heading: 'Why us for the web',
      items: [
        {
          title: 'Speed has a budget',
          description:
            'We agree limits for page weight and loading time with you, and the build fails when a change breaks them. This page is made to the same rule: open it on a slow connection and see.',
        },
        {
          title: 'Everybody can use it',
          description:
            'WCAG 2.2 AA is our definition of finished. Keyboard, screen reader and zoom are tested along with each feature, which costs far less than a repair after a complaint.',
        },
        {
          title: 'Search engines can read it',
          description:
            'Real HTML from the server, structured data, clean addresses and a redirect for every old one. A relaunch should not cost you the visitors you had.',
        },
        {
          title: 'You talk to engineers',
          description:
            'The people in your weekly call are the ones writing the code. Questions get an answer in the call, and a bad idea gets a reason.',
        },
      ],
    },
    {
      kind: 'stack',
      heading: 'The tools we work with',
      intro:
        'Twelve that we know well, picked project by project. A brochure site needs three of them; a trading portal may need nine.',
      technologies: [
        { name: 'React', category: 'Frontend' },
        { name: 'Next.js', category: 'Frontend' },
        { name: 'Angular', category: 'Frontend' },
        { name: 'Vue', category: 'Frontend' },
        { name: 'TypeScript', category: 'Language' },
        { name: 'Node.js', category: 'Backend' },
        { name: 'NestJS', category: 'Backend' },
        { name: 'Python and Django', category: 'Backend' },
        { name: 'PostgreSQL', category: 'Database' },
        { name: 'MongoDB', category: 'Database' },
        { name: 'AWS', category: 'Cloud' },
        { name: 'Docker', category: 'Cloud' },
      ] satisfies Exactly<12, StackSection['technologies'][number]>,
    },
    {
      kind: 'process',
      heading: 'Our process, step by step',
      intro: 'Every step ends with something you can hold, so you always know what you have paid for.',
      steps: [
        {
          step: '01',
          title: 'Discovery & Planning',
          duration: '1-2 weeks',
          description:
            'Who comes to the site, what they want and what the business needs from it. We read your analytics before we have opinions.',
          deliverables: ['Goals and how they are measured', 'Page and feature list', 'Fixed estimate'],
        },
        {
          step: '02',
          title: 'Design & Prototyping',
          duration: '2-3 weeks',
          description:
            'Layouts for phone and desk, with your real words in them, tried out with a few people from outside the project.',
          deliverables: ['Clickable prototype', 'Design tokens and components', 'Content plan'],
        },
        {
          step: '03',
          title: 'Development & Integration',
          duration: '4-12 weeks',
          description:
            'Finished features go to a preview address as they are merged. Integrations come first, because they hold the surprises.',
          deliverables: ['Preview site', 'Connected systems', 'Tests in every build'],
        },
        {
          step: '04',
          title: 'Testing & Deployment',
          duration: '1-2 weeks',
          description:
            'Load, security and accessibility checks, the move of content and redirects, then a launch that can be undone.',
          deliverables: ['Test report', 'Redirect map', 'Live site with monitoring'],
        },
        {
          step: '05',
          title: 'Maintenance & Support',
          duration: 'Ongoing',
          description:
            'Updates, small improvements and a person to ring. Stay for as long as it pays, and leave with everything you need.',
          deliverables: ['Security updates', 'Monthly performance report', 'Backlog of improvements'],
        },
      ] satisfies Exactly<5, ProcessStep>,
      summary:
        'Total timeline: 8-20 weeks for a first release. A company site sits near the lower end; an application with several integrations near the upper.',
    },
    {
      kind: 'pricing',
      id: 'investment',
      heading: 'Investment & Timeline',
      facts: [
        { label: 'Starting investment', value: '$8,000', note: 'A small site with a content system' },
        { label: 'Timeline', value: '2-8 months', note: 'Including releases after the first' },
        { label: 'Team', value: '2-6 people', note: 'Lead, engineers, designer, tester' },
      ],
      notes: [
        'Three things move the price: the number of systems to connect, the number of distinct page types, and who writes the content.',
        'You receive a fixed estimate at the end of Discovery & Planning, and nothing obliges you to continue from there.',
      ],
    },
    {
      kind: 'cta',
      heading: 'Send us an address',
      intro: `If you have a site already, send its address with your enquiry. Within ${figures.response} you hear from an engineer who has looked at it. If a phone app would serve you better, see [mobile development](/services/mobile-development).`,
      actions: [{ label: 'Get a First Opinion', href: '/contact' }],
    },
  ],
} satisfies Page;
