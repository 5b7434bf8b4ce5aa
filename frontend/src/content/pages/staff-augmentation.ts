import { figures } from '../company.ts';
import type { Exactly, Stat } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature, ProcessStep } from '../sections.ts';

/** Spec 2.11, "Staff Augmentation". The page holds no element `contact-form`, so "Get Started Today" leads to /contact. */
export const page = {
  path: '/services/staff-augmentation',
  name: 'Staff Augmentation',
  title: 'IT Staff Augmentation Services | Kitewright',
  description: `Engineers, designers and SAP or CRM specialists who join your team within ${figures.onboarding}, follow your process and are billed by the month. 50+ professionals.`,
  keywords: [
    'IT staff augmentation',
    'hire remote developers',
    'contract software engineers',
    'extend development team',
    'offshore developers India',
    'SAP and Dynamics contractors',
  ],
  hue: 'orange-600',
  serviceType: 'IT staff augmentation',
  hero: {
    kicker: 'Your team, plus the people it lacks',
    heading: 'Staff Augmentation',
    lead: `You keep the plan, the code and the final word. We supply the missing hands: experienced people who join your stand-up, use your tools and are on board within ${figures.onboarding}.`,
    actions: [
      { label: 'Get Started Today', href: '/contact' },
      { label: 'See who is available', href: '#talent' },
    ],
    stats: [
      { value: '50+', label: 'Professionals' },
      { value: figures.onboarding, label: 'Onboarding' },
    ] satisfies Exactly<2, Stat>,
    art: { key: 'team/team-meeting', alt: 'People meeting around a table with laptops and a shared plan' },
  },
  sections: [
    {
      kind: 'features',
      shape: 'columns',
      id: 'talent',
      heading: 'Three categories of talent',
      intro: 'All from our own 50+ professionals. You interview each person yourself before anything is signed.',
      items: [
        {
          icon: 'code',
          title: 'Software engineers',
          description: 'For products in the making and systems in service.',
          bullets: [
            'Frontend: React, Angular, Vue',
            'Backend: Node.js, .NET, Java, Python',
            'Mobile: Swift, Kotlin, Flutter, React Native',
            'DevOps: AWS, Azure, Kubernetes, Terraform',
          ],
        },
        {
          icon: 'boxes',
          title: 'Enterprise consultants',
          description: 'For the systems that finance and operations depend on.',
          bullets: [
            'SAP functional: SD, MM, PP, FI, CO',
            'ABAP, Fiori and Variant Configuration',
            'Dynamics 365 and Power Platform',
            'Data migration and reporting',
          ],
        },
        {
          icon: 'palette',
          title: 'Product and quality specialists',
          description: 'For everything between an idea and a release you trust.',
          bullets: [
            'UI and UX designers',
            'Business analysts',
            'QA and test automation engineers',
            'Project managers and scrum masters',
          ],
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'prose',
      heading: 'When it fits, and when it does not',
      paragraphs: [
        'Staff augmentation works when you have somebody who can lead: a technical lead with time to review, a backlog in order, an environment a newcomer can start. Then one or two extra people make a difference in their first sprint. It also suits gaps with an end, such as parental leave, a migration or a season.',
        'It works badly as a substitute for leadership. If nobody on your side can direct the work, take a [dedicated team](/services/dedicated-teams) that brings its own lead, or give us the [whole project](/services/software-outsourcing) with a fixed scope. Both cost more per month and less per result.',
        'Prices start from $2,500/month and rise with skill and seniority. The [service overview](/services) sets all three models side by side.',
      ],
      picture: { key: 'services/staff-augmentation', alt: '' },
    },
    {
      kind: 'features',
      shape: 'cards',
      heading: 'Six benefits for your team',
      items: [
        {
          icon: 'timer',
          title: 'Quick to arrive',
          description: `Onboarding takes ${figures.onboarding}, with access, equipment and introductions included. Most hiring processes have not closed the advertisement by then.`,
        },
        {
          icon: 'settings',
          title: 'You stay in control',
          description:
            'Our people work in your repository, your tracker and your meetings. Priorities come from you alone.',
        },
        {
          icon: 'wallet',
          title: 'No cost of hiring',
          description:
            'One monthly rate covers salary, equipment, leave and social cost. There is no agency fee, and no notice pay at the end.',
        },
        {
          icon: 'trending-up',
          title: 'More or fewer, by the month',
          description:
            'Add a tester for the release, release a developer afterwards. Changes need notice, never a new negotiation.',
        },
        {
          icon: 'user-check',
          title: 'Colleagues behind them',
          description:
            'An engineer who is stuck asks the others here. If someone is ill or a poor match, we arrange a replacement and its handover.',
        },
        {
          icon: 'lock',
          title: 'Your code stays yours',
          description:
            'Confidentiality and assignment of rights are signed before the first login. Access ends the same day the assignment does.',
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'process',
      heading: 'From request to first commit',
      steps: [
        {
          step: '01',
          title: 'Tell us the gap',
          description:
            'A call with an engineer of ours, who asks what the person will do on an ordinary Tuesday. It produces a better profile than a list of keywords.',
          deliverables: ['Role profile', 'Rate range'],
        },
        {
          step: '02',
          title: 'Meet the people',
          description:
            'You see a short list with work history and our own assessment, weaknesses included. Interview them as you would your own candidates, with a coding task if you like.',
          deliverables: ['Profiles and assessments', 'Interviews of your choice'],
        },
        {
          step: '03',
          title: 'Bring them in',
          description:
            'Contract, equipment, accounts and a plan for the first days. We agree overlapping hours and who reviews their first changes.',
          deliverables: ['Signed agreement', 'Onboarding plan'],
        },
        {
          step: '04',
          title: 'Work and review',
          description:
            'They report to you; we keep in touch with both sides. A regular review asks what should change, and you extend, swap or end the assignment.',
          deliverables: ['Monthly time report', 'Regular review'],
        },
      ] satisfies Exactly<4, ProcessStep>,
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'Make the first week count',
      intro: 'What we have seen help most. None of it costs money.',
      items: [
        {
          title: 'Accounts before day one',
          description:
            'Repository, tracker, chat and test system. Waiting for access is the commonest reason for a slow start.',
        },
        {
          title: 'A small first ticket',
          description: 'Something real that can be merged within days. It shows how you build, review and release.',
        },
        {
          title: 'A named companion',
          description: 'One colleague who may be asked anything, until the newcomer no longer needs to.',
        },
      ],
    },
    {
      kind: 'cta',
      heading: 'Who is missing from your team?',
      intro: `Write the role in your own words; a job description is not needed. We answer within ${figures.response} and tell you frankly if we have nobody who fits.`,
      actions: [{ label: 'Get Started Today', href: '/contact' }],
    },
  ],
} satisfies Page;
