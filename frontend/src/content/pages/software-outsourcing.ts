import { figures } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature, ProcessStep } from '../sections.ts';

/** Spec 2.12, "Software Outsourcing". */
export const page = {
  path: '/services/software-outsourcing',
  name: 'Software Outsourcing',
  title: 'Software Outsourcing Services | Kitewright',
  description:
    'Hand over a project from requirements to support: one contract, one accountable lead, milestones you accept, and development costs reduced by up to 60%.',
  keywords: [
    'software outsourcing',
    'outsource software development',
    'offshore software development',
    'fixed price software project',
    'software development outsourcing India',
    'outsourced QA and DevOps',
  ],
  hue: 'red-600',
  serviceType: 'Software development outsourcing',
  hero: {
    kicker: 'From brief to launch, and after',
    heading: 'Software Outsourcing',
    lead: 'Give us the outcome you need and the date that matters. We take the project from first requirement to running system, under one contract, with milestones that you accept or refuse.',
    actions: [{ label: 'Outsource Your Project', href: '/contact' }],
    badges: ['Global Delivery', '24/7 Development'],
    art: { key: 'services/software-outsourcing', alt: '' },
  },
  sections: [
    {
      kind: 'features',
      shape: 'cards',
      heading: 'The whole lifecycle',
      intro:
        'Take all six, or only those your own team has no time for. The points of handover are the same either way.',
      items: [
        {
          icon: 'clipboard-check',
          title: 'Requirements Analysis',
          description:
            'We turn a brief, an old system or a stack of e-mails into a list of testable requirements with a price beside each.',
          bullets: ['Workshops with users', 'Scope and acceptance criteria', 'Estimate and risk list'],
        },
        {
          icon: 'code',
          title: 'Custom Development',
          description: 'Web, mobile and back-end code, written for the people who will maintain it.',
          bullets: ['Reviewed by a second engineer', 'Tests in every change', 'In your repository from the start'],
        },
        {
          icon: 'palette',
          title: 'UI/UX Design',
          description: 'Screens tried out with users before they are built, and accessible to all of them.',
          bullets: ['Prototypes', 'Design system', 'WCAG 2.2 AA'],
        },
        {
          icon: 'test-tube',
          title: 'Quality Assurance',
          description: 'Testers who do not report to the developers, with a written verdict for each milestone.',
          bullets: ['Functional and regression tests', 'Load and security tests', 'Support for your acceptance'],
        },
        {
          icon: 'cloud',
          title: 'Deployment & DevOps',
          description: 'Releases by pipeline, infrastructure as code, and a way back that has been tried.',
          bullets: ['Cloud or your own servers', 'Monitoring and alarms', 'Rehearsed restores'],
        },
        {
          icon: 'headphones',
          title: 'Support & Maintenance',
          description: 'The people who built it answer the first calls, then pass it to a support team that knows it.',
          bullets: ['Agreed response times', 'Security updates', 'Small improvements each month'],
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'What you gain by outsourcing',
      items: [
        {
          icon: 'circle-dollar-sign',
          title: 'Reduce development costs by up to 60%',
          description:
            'Compared with hiring the same roles in a high-wage market, recruitment and idle time included. Your saving depends on the roles; the estimate shows both columns.',
        },
        {
          icon: 'brain',
          title: 'Use skills you need only once',
          description:
            'A migration expert or a payment specialist is there for the weeks that call for one, and off your payroll afterwards.',
        },
        {
          icon: 'clock',
          title: 'Let work continue overnight',
          description:
            'Time zones work in your favour: you report a fault in the evening and find a tested correction in the morning.',
        },
        {
          icon: 'target',
          title: 'Keep your own people on the core',
          description:
            'Your engineers stay with the product only they understand, while we deliver the portal, the app or the integration.',
        },
        {
          icon: 'scale',
          title: 'Share the risk',
          description:
            'A fixed scope has a fixed price. If we underestimated, it is our problem; if you change your mind, the change has a price before it has a start date.',
        },
        {
          icon: 'trending-up',
          title: 'Scale without hiring',
          description: 'More testers before a launch, fewer developers after it. No advertisements, no redundancies.',
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'features',
      shape: 'tags',
      heading: 'Industries served',
      intro: 'Each has rules of its own. These are the ones we know without being told.',
      items: [
        { icon: 'heart-pulse', title: 'Healthcare', description: 'Patient privacy, HL7 and FHIR' },
        { icon: 'landmark', title: 'Financial Services', description: 'Audit, KYC, reconciliation' },
        { icon: 'shopping-cart', title: 'E-commerce', description: 'Peaks, payments, returns' },
        { icon: 'graduation-cap', title: 'Education', description: 'Terms, guardians, accessibility' },
        { icon: 'factory', title: 'Manufacturing', description: 'Variants, machines, traceability' },
        { icon: 'house', title: 'Real Estate', description: 'Listings, leases, service charges' },
        { icon: 'truck', title: 'Logistics', description: 'Labels, customs, live tracking' },
        { icon: 'tv', title: 'Entertainment', description: 'Streaming, rights, subscriptions' },
      ] satisfies Exactly<8, Feature>,
    },
    {
      kind: 'process',
      heading: 'Our outsourcing process',
      intro: 'Every step ends in a milestone. You pay for it when you have accepted it.',
      steps: [
        {
          step: '01',
          title: 'Discovery & Planning',
          description:
            'Goals, users, existing systems, constraints. Unknowns are named and either examined now or priced as a risk.',
          deliverables: ['Requirements', 'Milestone plan', 'Fixed or capped price'],
        },
        {
          step: '02',
          title: 'Design & Architecture',
          description:
            'How it looks, how it is built, where it runs and how it is secured. Your architects are invited to disagree.',
          deliverables: ['Prototype', 'Architecture decisions', 'Security concept'],
        },
        {
          step: '03',
          title: 'Development & Testing',
          description:
            'Short iterations with a demonstration at the end of each. The test system is yours to use at any time.',
          deliverables: ['Working increments', 'Test reports', 'Progress against plan'],
        },
        {
          step: '04',
          title: 'Launch & Support',
          description:
            'Migration, training, go-live and a period in which we watch closely. Support continues by agreement, or your team takes over.',
          deliverables: ['Live system', 'Operations handbook', 'Support agreement'],
        },
      ] satisfies Exactly<4, ProcessStep>,
    },
    {
      kind: 'prose',
      heading: 'What you keep in your hands',
      paragraphs: [
        'Outsourcing goes wrong when a client gives away more than the work. Keep four things: the accounts for code and cloud, the order of priorities, the right to speak to every engineer, and one person of your own who accepts each milestone. We ask for that person by name in the contract.',
        'Projects start from $15,000 and run for 3-12 months. What you pay depends on scope, integrations and the quality of the data to be moved; the discovery step settles it in writing. If your scope will change from week to week, a [dedicated team](/services/dedicated-teams) is the fairer contract for both of us.',
      ],
      facts: [
        { label: 'Starting from', value: '$15,000' },
        { label: 'Timeline', value: '3-12 months' },
        { label: 'Reply to your enquiry', value: `Within ${figures.response}` },
      ],
    },
    {
      kind: 'cta',
      heading: 'Send us the brief you have',
      intro:
        'Two pages or two sentences will do. We sign a confidentiality agreement first if you wish, and answer with questions, a rough price and the date on which we could begin.',
      actions: [{ label: 'Send Your Brief', href: '/contact' }],
    },
  ],
} satisfies Page;
