import { figures } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { TeamModel } from '../offers.ts';
import type { Feature, ProcessStep } from '../sections.ts';

/** Spec 2.12, "Dedicated Teams". Prices and durations stay in the data: nothing in the copy repeats them. */
export const page = {
  path: '/services/dedicated-teams',
  name: 'Dedicated Teams',
  title: 'Dedicated Development Teams | Kitewright',
  description:
    'A complete team with lead, engineers, designer and tester that works for you alone, at a fixed monthly cost. Four team models, from startup to enterprise.',
  keywords: [
    'dedicated development team',
    'hire a software team',
    'offshore development team',
    'remote product team',
    'agile team as a service',
    'extended engineering team',
  ],
  hue: 'pink-600',
  serviceType: 'Dedicated software development teams',
  hero: {
    kicker: 'A whole crew on one line',
    heading: 'Dedicated Teams',
    lead: 'You bring the product and its goals. We bring a team that has everything it needs to reach them: someone to lead, people to design, build and test, and nobody else’s project to distract them.',
    actions: [
      { label: 'Build Your Team', href: '/contact' },
      { label: 'Compare team models', href: '#team-models' },
    ],
    badges: ['50+ Projects', 'Complete Teams'],
    art: { key: 'services/dedicated-teams', alt: '' },
  },
  sections: [
    {
      kind: 'features',
      shape: 'cards',
      heading: 'Complete Team Structure',
      intro: 'Six roles. In a small team one person may hold two of them, and the proposal names who holds which.',
      items: [
        {
          icon: 'calendar',
          title: 'Project Manager',
          description: 'Your first contact, who keeps the promises visible.',
          bullets: [
            'Plans and reports progress',
            'Removes what blocks the team',
            'Watches budget and risk',
          ] satisfies Exactly<3, string>,
        },
        {
          icon: 'code',
          title: 'Development Team',
          description: 'Engineers chosen for your stack and your domain.',
          bullets: [
            'Build and review every feature',
            'Write the tests with the code',
            'Share ownership, no lone experts',
          ] satisfies Exactly<3, string>,
        },
        {
          icon: 'palette',
          title: 'UI/UX Designer',
          description: 'Makes the product clear to people who never read manuals.',
          bullets: [
            'Research with real users',
            'Prototypes before code',
            'A design system that lasts',
          ] satisfies Exactly<3, string>,
        },
        {
          icon: 'test-tube',
          title: 'QA Specialist',
          description: 'Thinks of what everyone else forgot.',
          bullets: [
            'Test plan for each release',
            'Automated regression tests',
            'Exploratory sessions on real devices',
          ] satisfies Exactly<3, string>,
        },
        {
          icon: 'clipboard-check',
          title: 'Business Analyst',
          description: 'Turns wishes into stories that can be built and checked.',
          bullets: [
            'Interviews your departments',
            'Writes acceptance criteria',
            'Keeps scope and value in balance',
          ] satisfies Exactly<3, string>,
        },
        {
          icon: 'compass',
          title: 'Technical Lead',
          description: 'Answers for the architecture, in code and in meetings.',
          bullets: [
            'Chooses and documents the design',
            'Reviews security and performance',
            'Mentors, and helps you hire',
          ] satisfies Exactly<3, string>,
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'team-models',
      id: 'team-models',
      heading: 'Choose Your Perfect Team Model',
      intro:
        'Four starting points. Most clients begin smaller than they think they need and grow with the backlog. [Write to us](/contact) for a price for your own mix.',
      models: [
        {
          id: 'startup',
          icon: 'sprout',
          name: 'Startup',
          size: '2-4 people',
          duration: '3-6 months',
          price: '$8,000-$16,000/month',
          ideal: 'Founders with a funded idea and a first release to ship',
          description:
            'A small crew that decides fast. The lead writes code, the designer sits in the same calls, and scope is cut without ceremony.',
          team: [
            'Technical lead who codes',
            'One or two full-stack developers',
            'Designer who also tests, from three people up',
          ],
          features: [
            'A usable release early',
            'Weekly priorities with the founder',
            'A code base that investors’ engineers can read',
          ],
        },
        {
          id: 'growth',
          icon: 'trending-up',
          name: 'Growth',
          size: '5-8 people',
          duration: '6-12 months',
          price: '$20,000-$32,000/month',
          ideal: 'Firms whose product sells and must now grow up',
          description:
            'New features and old debts in one plan. A tester and a manager join, because the number of users makes mistakes expensive.',
          team: [
            'Project manager',
            'Technical lead',
            'Two to four developers',
            'UI/UX designer, QA specialist or both',
          ],
          features: [
            'Releases on a steady rhythm',
            'Automated tests and deployment',
            'Monitoring with agreed response',
          ],
        },
        {
          id: 'enterprise',
          icon: 'building-2',
          name: 'Enterprise',
          size: '8-15 people',
          duration: '12+ months',
          price: '$40,000-$60,000/month',
          ideal: 'Organisations replacing or joining core systems',
          description:
            'Two or more squads under one architecture, able to work with your security, procurement and change boards.',
          team: [
            'Programme manager and business analyst',
            'Technical lead for each squad',
            'Four to seven developers',
            'QA and DevOps engineers',
          ],
          features: [
            'Governance and reporting to your standards',
            'Integration with ERP, CRM and identity',
            'Planned handover to your own staff',
          ],
        },
        {
          id: 'specialized',
          icon: 'brain',
          name: 'Specialized',
          size: '3-10 people',
          duration: 'Custom',
          price: 'Custom pricing',
          ideal: 'Problems that need rare knowledge for a limited time',
          description:
            'Experts in one field around a small delivery core: SAP, Dynamics, machine learning, mobile or security.',
          team: ['Lead with years in the field', 'Two or more domain specialists', 'Engineers to build and integrate'],
          features: [
            'Composed for one objective',
            'Knowledge transfer as a deliverable',
            'Ends when the objective is met',
          ],
        },
      ] satisfies Exactly<4, TeamModel>,
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'Why Choose Dedicated Teams?',
      items: [
        {
          icon: 'target',
          title: 'Focused Dedication',
          description:
            'Each member works on your product only. They learn its customers and its history, and stop asking the same questions twice.',
        },
        {
          icon: 'rocket',
          title: 'Faster Time-to-Market',
          description:
            'People who have built together before do not need months to become a team. Yours starts with shared habits and a lead they know.',
        },
        {
          icon: 'workflow',
          title: 'Proven Processes',
          description:
            'Code review, automated tests, short iterations and written decisions are in place from the first day. Adapt them as you see fit.',
        },
        {
          icon: 'wallet',
          title: 'Cost Predictability',
          description:
            'Fixed monthly costs: one invoice per month, the same as the last unless you changed the team. Equipment, leave and replacements are inside.',
        },
        {
          icon: 'users',
          title: 'Scalable Resources',
          description:
            'Add a developer before a launch or a data engineer for a quarter. The lead and the knowledge stay.',
        },
        {
          icon: 'message-circle',
          title: 'Direct Communication',
          description:
            'You speak with the engineers themselves, in your chat and your calls, with working hours that overlap yours.',
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'process',
      heading: 'How your team comes together',
      steps: [
        {
          step: '01',
          title: 'Project Analysis',
          description:
            'We read your backlog, look at the code if there is any and ask what must be true in a year. You get a proposed team with the reason for each role.',
        },
        {
          step: '02',
          title: 'Team Assembly',
          description:
            'We name the people and show you their work. You interview whom you wish and may turn anybody down without giving a reason.',
        },
        {
          step: '03',
          title: 'Team Introduction',
          description:
            'Everyone meets, on site if possible. You explain the product and its users; together we agree hours, tools and what “done” means.',
        },
        {
          step: '04',
          title: 'Project Kickoff',
          description:
            'Access is ready, the first iteration is planned and a small change goes live early, to prove the whole path from idea to user.',
        },
      ] satisfies Exactly<4, ProcessStep>,
    },
    {
      kind: 'prose',
      heading: 'What an ordinary week looks like',
      paragraphs: [
        'On Monday you and the lead order the backlog. During the week you can follow the work in your own tracker and try it on the test system. On Friday the team shows what is finished, says what is not and why, and asks for the decisions it needs. The project manager writes half a page with progress, budget and risks, which you can forward as it is.',
        'Once a month we talk about the team itself: who is missing, who could go, what gets in the way. If you need only one or two people under your own lead, [staff augmentation](/services/staff-augmentation) is simpler and costs less.',
      ],
      picture: { key: 'team/team-meeting', alt: 'People meeting around a table with laptops and a shared plan' },
    },
    {
      kind: 'cta',
      heading: 'Sketch your team with us',
      intro: `Tell us what you want to have running in six months. We answer within ${figures.response} and follow up with a proposal that names roles, people and the monthly cost.`,
      actions: [{ label: 'Propose a Team', href: '/contact' }],
    },
  ],
} satisfies Page;
