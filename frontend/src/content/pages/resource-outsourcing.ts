import { figures } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature, ProcessStep } from '../sections.ts';

/** Spec 2.12, "Resource Outsourcing". */
export const page = {
  path: '/services/resource-outsourcing',
  name: 'Resource Outsourcing',
  title: 'Resource Outsourcing Services | Kitewright',
  description: `Frontend, backend, mobile and DevOps developers by the month or by the milestone: ready in ${figures.onboarding}, from 1 to 50+ people, under one simple agreement.`,
  keywords: [
    'resource outsourcing',
    'outsource developers',
    'hire offshore developers',
    'on-demand development resources',
    'remote engineering capacity',
    'scalable development team',
  ],
  hue: 'amber',
  serviceType: 'IT resource outsourcing',
  hero: {
    kicker: 'Capacity when the work is there',
    heading: 'Resource Outsourcing',
    lead: 'Demand for engineers comes in waves; permanent contracts do not. Draw on our developers when the wave arrives, in whichever form suits the work, and let go when it has passed.',
    actions: [
      { label: 'Request Developers', href: '/contact' },
      { label: 'Browse skills', href: '#skills' },
    ],
    badges: ['50+ Developers Available', 'Flexible Engagement'],
    art: { key: 'services/resource-outsourcing', alt: '' },
  },
  sections: [
    {
      kind: 'features',
      shape: 'cards',
      heading: 'Three engagement models',
      intro: 'You may change from one to another, or run two at once. The people can stay the same.',
      items: [
        {
          icon: 'users',
          title: 'Dedicated Teams',
          description: 'A complete group with its own lead, reserved for you and billed by the month.',
          bullets: ['For products that keep growing', 'You set goals, the lead assigns work', 'Fixed monthly cost'],
          href: '/services/dedicated-teams',
        },
        {
          icon: 'target',
          title: 'Project-Based',
          description:
            'A defined result with milestone-based payments: each part is invoiced once you have accepted it.',
          bullets: [
            'For a clear scope with an end',
            'We plan, staff and answer for delivery',
            'Changes priced before they start',
          ],
          href: '/services/software-outsourcing',
        },
        {
          icon: 'user-plus',
          title: 'Staff Augmentation',
          description: 'Single specialists in your own team, under your lead and in your tools.',
          bullets: ['For a gap in skills or numbers', 'You direct the daily work', 'Month by month'],
          href: '/services/staff-augmentation',
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'features',
      shape: 'columns',
      id: 'skills',
      heading: 'Skills portfolio',
      intro: 'What we are asked for most. If a technology is missing here, ask all the same: the list follows demand.',
      items: [
        {
          icon: 'monitor',
          title: 'Frontend',
          bullets: ['React', 'Angular', 'Vue', 'Next.js', 'TypeScript'] satisfies Exactly<5, string>,
        },
        {
          icon: 'server',
          title: 'Backend',
          bullets: ['Node.js', '.NET', 'Java', 'Python', 'PHP'] satisfies Exactly<5, string>,
        },
        {
          icon: 'smartphone',
          title: 'Mobile',
          bullets: ['Swift', 'Kotlin', 'Flutter', 'React Native', 'Ionic'] satisfies Exactly<5, string>,
        },
        {
          icon: 'cloud',
          title: 'DevOps',
          bullets: ['AWS', 'Microsoft Azure', 'Docker', 'Kubernetes', 'Terraform'] satisfies Exactly<5, string>,
        },
      ] satisfies Exactly<4, Feature>,
    },
    {
      kind: 'process',
      heading: 'From requirement to running work',
      steps: [
        {
          step: '01',
          title: 'Requirement Assessment',
          description:
            'You describe the work; we ask about stack, deadlines, time zones and how you review code. If the right answer is fewer people than you asked for, you will hear that too.',
        },
        {
          step: '02',
          title: 'Team Selection',
          description:
            'You receive profiles with our honest assessment and interview whom you like. We reserve the people you choose while the paperwork is under way.',
        },
        {
          step: '03',
          title: 'Onboarding & Setup',
          description:
            'Confidentiality agreements, accounts, equipment and working hours, with a checklist for both sides. Each newcomer begins with a small task that reaches production.',
        },
        {
          step: '04',
          title: 'Project Execution',
          description:
            'Work runs in your tracker, or in ours with your access. You see hours, progress and risks as they arise, and a coordinator of ours is answerable for all of it.',
        },
      ] satisfies Exactly<4, ProcessStep>,
    },
    {
      kind: 'features',
      shape: 'split',
      heading: 'Built to move with your demand',
      intro: 'Three qualities that hold in every one of the models above.',
      items: [
        {
          icon: 'rocket',
          title: 'Rapid Deployment',
          description: `${figures.onboarding} from the agreed profile to the first working day. We keep capacity ready for it, and tell you the exact date before you sign.`,
        },
        {
          icon: 'trending-up',
          title: 'Scalable Teams',
          description:
            '1 to 50+ developers. Start with one person and a trial task; grow by the squad when it goes well. Going down again follows the same short notice.',
        },
        {
          icon: 'globe',
          title: 'Global Talent',
          description:
            'People in India and South Africa, with hours arranged to overlap with Europe, the Gulf, Asia or the Americas. All of them work in English.',
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'Which model suits your work?',
      intro: 'Answer the first question that fits and you have a fair guess. A short call settles the rest.',
      items: [
        {
          title: 'You can write down the finished result',
          description: 'Choose Project-Based. The price is tied to what you accept, and managing people is our task.',
        },
        {
          title: 'You have a lead with time for one more',
          description: 'Choose Staff Augmentation. It is the smallest commitment and the quickest to begin.',
        },
        {
          title: 'You have a roadmap and nobody to build it',
          description: 'Choose a Dedicated Team. It brings a lead, keeps its knowledge and becomes quicker with time.',
        },
        {
          title: 'None of these is quite true yet',
          description:
            'Start with a short assessment of the backlog by one of our technical leads. You keep the findings, whoever does the work.',
        },
      ],
    },
    {
      kind: 'prose',
      heading: 'What the agreement covers',
      paragraphs: [
        'One framework agreement deals with confidentiality, rights in the work, data protection, working hours, public holidays and notice. After that, each person or milestone is a single page: name or result, start, rate, place. Adding a sixth developer takes a signature, where a new supplier would take a tender.',
        'Everybody we send is employed by us, so tax, insurance, leave and equipment are our business. When an assignment ends, accounts are closed, devices are returned and open work is handed over in writing to a person you name.',
      ],
      facts: [
        { label: 'First working day', value: figures.onboarding },
        { label: 'Team size', value: '1 to 50+' },
        { label: 'Answer to an enquiry', value: `Within ${figures.response}` },
      ],
    },
    {
      kind: 'cta',
      heading: 'How many hands, and from when?',
      intro: `Give us the skills, the number and the month. Within ${figures.response} we tell you which of our people are free and what they would cost.`,
      actions: [{ label: 'Check Availability', href: '/contact' }],
    },
  ],
} satisfies Page;
