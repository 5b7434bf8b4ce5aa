import { company, figures } from '../company.ts';
import type { Exactly, Stat } from '../elements.ts';
import type { Page } from '../model.ts';
import type { ServiceCard } from '../offers.ts';
import type { Feature } from '../sections.ts';

export const page = {
  path: '/',
  name: 'Home',
  title: `${company.name} | Building the Future of Software`,
  description: `Custom software, web and mobile apps, SAP and Dynamics CRM, and engineers for your own team. Tell us what you need; we answer within ${figures.response}.`,
  hue: 'sky',
  hero: {
    kicker: 'Software development and IT consulting',
    heading: 'Building the Future of Software',
    lead: `You bring the problem. We design, build and run the software that solves it, or lend you the engineers to do it yourselves. A typical project takes ${figures.typicalProject}, and you see it working long before the last of them.`,
    actions: [{ label: 'Start Your Project', href: '/contact' }],
    badges: ['100% Success Rate', 'Global Delivery'],
    art: 'home',
  },
  sections: [
    {
      kind: 'stats',
      heading: `${company.name} in figures`,
      stats: [
        { value: figures.projects, label: 'Projects Delivered' },
        { value: figures.clients, label: 'Happy Clients' },
        { value: figures.offices, label: 'Global Offices' },
        { value: figures.years, label: 'Years Experience' },
      ] satisfies Exactly<4, Stat>,
    },
    {
      kind: 'service-cards',
      heading: 'What we can do for you',
      intro:
        'Start with a single service or combine several. Whichever you choose, one person at our end answers for the result, and what you pay for is yours.',
      cards: [
        {
          icon: 'code',
          title: 'Custom Software Development',
          description:
            'For work that no product on the market fits. We learn how your people do it today, then build the system around them.',
          features: [
            'Business applications',
            'Replacement of ageing systems',
            'Integration with what you already run',
            'Cloud hosting and operations',
            'Desktop applications',
          ],
          hoverColor: 'purple-600',
          href: '/services/custom-software',
        },
        {
          icon: 'globe',
          title: 'Web Development',
          description:
            'Websites, shops and web applications that open quickly on a modest phone and that your own staff can keep up to date.',
          features: [
            'Web applications and portals',
            'Online shops',
            'Company websites',
            'APIs for partners and apps',
            'Accessibility and speed reviews',
          ],
          hoverColor: 'blue-600',
          href: '/services/web-development',
        },
        {
          icon: 'smartphone',
          title: 'Mobile App Development',
          description:
            'iOS and Android apps, native or from one shared code base, taken through store review and looked after once they are out.',
          features: [
            'Native iOS and Android apps',
            'Cross-platform apps',
            'Enterprise apps for field staff',
            'Store release and updates',
          ],
          hoverColor: 'green-600',
          href: '/services/mobile-development',
        },
        {
          icon: 'boxes',
          title: 'SAP Consulting & ABAP',
          description:
            'Advice, roll-out and support for your ERP, from the first blueprint to the report your finance team asks for on a Friday.',
          features: [
            'Implementation and roll-out',
            'ABAP development',
            'Variant Configuration',
            'Functional module consulting',
            'Support after go-live',
          ],
          hoverColor: 'indigo-600',
          href: '/services/sap-consulting',
        },
        {
          icon: 'handshake',
          title: 'Dynamics CRM',
          description:
            'Sales, service and marketing on one customer record, set up to match how your teams sell and not the other way round.',
          features: [
            'CRM implementation',
            'Customisation and workflows',
            'Data migration',
            'Integration with mail and ERP',
          ],
          hoverColor: 'cyan-600',
          href: '/services/dynamics-crm',
        },
        {
          icon: 'user-plus',
          title: 'Staff Augmentation',
          description: `Engineers who join your stand-ups and your repository within ${figures.onboarding}, stay while you need them, and leave the work documented.`,
          features: [
            'Developers, testers and designers',
            'Full-time or part-time',
            'You interview before anyone starts',
            'Scale up or down by the month',
          ],
          hoverColor: 'orange-600',
          href: '/services/staff-augmentation',
        },
        {
          icon: 'users',
          title: 'Dedicated Teams',
          description:
            'A complete team with its own project manager that works for you alone, at a fixed monthly cost you can plan with.',
          features: [
            'Four team models',
            'Project manager and technical lead included',
            'Fixed monthly costs',
            'Direct contact with every member',
            'Room to grow',
          ],
          hoverColor: 'pink-600',
          href: '/services/dedicated-teams',
        },
        {
          icon: 'rocket',
          title: 'Software Outsourcing',
          description:
            'Hand over a defined project, from requirements to support. We plan it, staff it, deliver it and answer for the outcome.',
          features: [
            'The whole life cycle in one contract',
            'Milestones you sign off',
            'Quality assurance built in',
            'Deployment and DevOps',
            'Maintenance after launch',
            'Reports in plain language',
          ],
          hoverColor: 'red-600',
          href: '/services/software-outsourcing',
        },
      ] satisfies Exactly<8, ServiceCard>,
      actions: [{ label: 'Explore All Services', href: '/services' }],
    },
    {
      kind: 'features',
      shape: 'split',
      heading: `Why choose ${company.name}`,
      intro: 'Three things our clients should be able to take for granted.',
      items: [
        {
          icon: 'zap',
          title: 'Fast & Agile Development',
          description:
            'Work is cut into short iterations, and each one ends with software you can click through. You change priorities between iterations, not by change request, so the budget goes to what matters this month.',
        },
        {
          icon: 'shield-check',
          title: 'Enterprise-Grade Security',
          description:
            'Threats are considered at design time, code is reviewed by a second engineer, and access is limited to the people on your project. If your own security team has a checklist, send it with the brief and we build to it.',
        },
        {
          icon: 'headphones',
          title: '24/7 Support',
          description:
            'Live systems are watched around the clock, and the engineer who answers knows your code. Response times are agreed before launch and written into the contract.',
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'prose',
      heading: 'What happens after you write to us',
      paragraphs: [
        `Within ${figures.response} an engineer replies with questions, and usually with a first opinion. If it looks like a fit, we arrange a free consultation with the people who would do the work.`,
        `You then receive a short proposal: what we understood, what we would build first, who would build it, a price range and dates. When you sign, a team is at work within ${figures.onboarding}.`,
        'And if we are not the right people for the job, we say so in that first reply. It saves both of us a month.',
      ],
      facts: [
        { label: 'First answer', value: `Within ${figures.response}` },
        { label: 'Team at work', value: `In ${figures.onboarding}` },
        { label: 'Typical project', value: figures.typicalProject },
      ],
    },
    {
      kind: 'cta',
      heading: "Let's Build Something Amazing Together",
      intro: `${figures.experts} experts in ${figures.offices} offices are a message away. Meet them first, if you like.`,
      actions: [{ label: 'Learn About Our Team', href: '/about' }],
    },
  ],
} satisfies Page;
