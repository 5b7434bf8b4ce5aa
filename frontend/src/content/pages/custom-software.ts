import { figures } from '../company.ts';
import type { Exactly, Stat } from '../elements.ts';
import type { Page } from '../model.ts';
import type { ProcessStep } from '../sections.ts';

/** Spec 2.8. The two figures are this page's own and differ from the shared ones on purpose. */
export const page = {
  path: '/services/custom-software',
  name: 'Custom Software Development',
  title: 'Custom Software Development | Kitewright',
  description:
    'Business software built around the way your firm works: scoped in writing, shown to you as it grows, handed over with source code, tests and documentation.',
  keywords: [
    'custom software development',
    'bespoke business software',
    'enterprise application development',
    'legacy system replacement',
    'API integration',
    'workflow automation',
  ],
  hue: 'purple-600',
  serviceType: 'Custom software development',
  hero: {
    kicker: 'Built around how you work',
    heading: 'Custom Software Development',
    lead: 'When spreadsheets and boxed products start to dictate how your people work, we build the system that fits instead. You see a written scope and a price first, working software early, and the source code at the end.',
    actions: [{ label: 'Start Your Project', href: '/contact' }],
    stats: [
      { value: '100+', label: 'Projects Delivered' },
      { value: '99%', label: 'Success Rate' },
    ] satisfies Exactly<2, Stat>,
    art: { key: 'services/custom-software', alt: '' },
  },
  sections: [
    {
      kind: 'features',
      shape: 'rows',
      heading: 'Benefits of software built for you',
      intro:
        'A custom system costs more on the first day than a subscription does. These are the reasons our clients choose it anyway.',
      items: [
        {
          title: 'It follows your process',
          description:
            'Your pricing rules, approval paths and exceptions go into the system as they are, or as you have long wanted them to be. Nobody keeps a second spreadsheet for the cases the product forgot.',
        },
        {
          title: 'No fee per seat',
          description:
            'A new hire or a new branch adds no licence cost. What remains is hosting and maintenance, and we estimate both before you commit to the build.',
        },
        {
          title: 'It talks to what you have',
          description:
            'We connect accounting, ERP, CRM, payment and identity systems through their published interfaces. A transfer that fails is visible and can be repeated, so month-end holds no surprises.',
        },
        {
          title: 'It can change when you do',
          description:
            'Small modules and automated tests turn next year’s rule change into a short job for any competent team: ours, yours or somebody else’s.',
        },
        {
          title: 'Your data stays where you decide',
          description:
            'We deploy to your cloud account, your region or your own servers, wherever your regulator and your customers need the data to be.',
        },
      ],
    },
    {
      kind: 'features',
      shape: 'tags',
      heading: 'Industries we build for',
      intro:
        'For property management, school management and OTT platforms you need not start from nothing: we have [products that are ready to deploy](/services) and adapt them to you.',
      items: [
        { icon: 'factory', title: 'Manufacturing', description: 'Order configuration, shop floor, quality records' },
        { icon: 'truck', title: 'Logistics', description: 'Dispatch, tracking, proof of delivery' },
        { icon: 'heart-pulse', title: 'Healthcare', description: 'Scheduling, patient records, claims' },
        { icon: 'landmark', title: 'Financial services', description: 'Onboarding, ledgers, reconciliation' },
        { icon: 'shopping-cart', title: 'Retail and e-commerce', description: 'Catalogue, stock, order routing' },
        { icon: 'house', title: 'Property', description: 'Leases, rent, maintenance requests' },
        { icon: 'school', title: 'Education', description: 'Admissions, timetables, fees' },
        { icon: 'clapperboard', title: 'Media', description: 'OTT catalogues, subscriptions, playback' },
      ],
    },
    {
      kind: 'stack',
      heading: 'The tech stack we recommend',
      intro:
        'Widely used, well supported and easy to hire for. If your own engineers have a house stack, we work in that, because they will look after the system when we have gone.',
      technologies: [
        { name: 'React', category: 'Interface' },
        { name: 'Angular', category: 'Interface' },
        { name: 'TypeScript', category: 'Interface' },
        { name: 'Node.js', category: 'Services' },
        { name: '.NET', category: 'Services' },
        { name: 'Java and Spring Boot', category: 'Services' },
        { name: 'Python', category: 'Services' },
        { name: 'PostgreSQL', category: 'Data' },
        { name: 'SQL Server', category: 'Data' },
        { name: 'Redis', category: 'Data' },
        { name: 'AWS', category: 'Operations' },
        { name: 'Microsoft Azure', category: 'Operations' },
        { name: 'Docker', category: 'Operations' },
        { name: 'Kubernetes', category: 'Operations' },
      ],
    },
    {
      kind: 'features',
      shape: 'cards',
      heading: 'Features every system gets',
      intro: 'These are part of the price. They are awkward to add later, so we build them in from the first release.',
      items: [
        {
          icon: 'key-round',
          title: 'Sign-on and roles',
          description:
            'People sign in with the account they already have, and each role sees only what its work requires.',
        },
        {
          icon: 'file-text',
          title: 'An audit trail',
          description:
            'Who changed what, when, and what it was before: searchable by your administrators, without a developer.',
        },
        {
          icon: 'link',
          title: 'A documented API',
          description:
            'Everything the screens can do, another program can do, with its own key, limits and reference pages.',
        },
        {
          icon: 'chart-column',
          title: 'Reports and exports',
          description:
            'Standard reports for the questions you ask every month, and the raw data for those you have not thought of yet.',
        },
        {
          icon: 'smile',
          title: 'Screens for everybody',
          description:
            'Designed to WCAG 2.2 AA, usable by keyboard, and tested on the small tablet in the warehouse as well as on a desk.',
        },
        {
          icon: 'activity',
          title: 'Backups and monitoring',
          description:
            'Restores are rehearsed before launch. Each alarm reaches a person who can act on it and says what to check first.',
        },
      ],
    },
    {
      kind: 'process',
      heading: 'Our process, from workshop to handover',
      steps: [
        {
          step: '01',
          title: 'Understand the work',
          description:
            'We sit with the people who will use the system and follow real cases from beginning to end, exceptions included. Then we write down what the first release does, and what it leaves out.',
          deliverables: ['Process map', 'Prioritised scope', 'Estimate with its assumptions'],
        },
        {
          step: '02',
          title: 'Design and prove',
          description:
            'You click through the main screens before they are built. The riskiest part, often an integration or a data volume, is tried out in code now, while a change of plan is cheap.',
          deliverables: ['Clickable prototype', 'Architecture and data model', 'Technical proof'],
        },
        {
          step: '03',
          title: 'Build in the open',
          description:
            'Work goes into your repository and onto a test system that you can reach at any time. Each iteration ends with a demonstration, and you decide what comes next.',
          deliverables: ['Running test system', 'Automated tests', 'Progress against budget'],
        },
        {
          step: '04',
          title: 'Launch and hand over',
          description:
            'We migrate the data, train your users in their own process and stay close while they settle in. After that, choose a support agreement or take the keys.',
          deliverables: ['Migration report', 'User and operations guides', 'Source code and infrastructure scripts'],
        },
      ] satisfies Exactly<4, ProcessStep>,
    },
    {
      kind: 'cta',
      heading: 'Is custom the right answer?',
      intro: `Sometimes a product off the shelf is cheaper, and we will tell you so. Describe the problem in a few sentences; an engineer reads it and answers within ${figures.response} with questions or a first opinion.`,
      actions: [
        { label: 'View All Services', href: '/services' },
        { label: 'Describe Your Problem', href: '/contact' },
      ],
    },
  ],
} satisfies Page;
