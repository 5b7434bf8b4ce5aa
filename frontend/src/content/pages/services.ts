import { company, figures } from '../company.ts';
import type { Exactly, Stat } from '../elements.ts';
import type { Page } from '../model.ts';
import type { EngagementModel } from '../offers.ts';
import type { Feature } from '../sections.ts';
import { menuGroups } from '../navigation.ts';

export const page = {
  path: '/services',
  name: 'Services',
  title: `Development teams and outsourcing services | ${company.name}`,
  description:
    'Three ways to work with us: engineers for your team, a dedicated team, or a project delivered for you. Compare prices, lead times and what is included.',
  hue: 'indigo-600',
  hero: {
    kicker: 'Services',
    heading: 'Flexible Development Teams & Outsourcing Solutions',
    lead: 'First decide who leads the work. If you do, borrow our engineers. If we share it, take a dedicated team. If you would rather have the result than the project, hand it over. You can change model later without changing people.',
    stats: [
      { value: '50+', label: 'Skilled Developers' },
      { value: '50+', label: 'Successful Engagements' },
      { value: '3', label: 'Engagement Models' },
    ] satisfies Exactly<3, Stat>,
    art: 'services',
  },
  sections: [
    {
      kind: 'engagement-models',
      heading: 'Three ways to engage us',
      intro:
        'Prices are starting points in US dollars. What moves them is seniority, location overlap and how long you need us; the proposal states each of these.',
      models: [
        {
          id: 'staff-augmentation',
          icon: 'user-plus',
          title: 'Staff Augmentation',
          shortDescription: 'Our engineers, your team, your lead.',
          description:
            'You have a plan and a team, but not enough hands or not the right skill. We propose people from our own staff; you interview them, and they work in your tools, at your hours, under your lead. We take care of contracts, equipment and cover.',
          image: { key: 'services/staff-augmentation', alt: '' },
          technologies: ['React', 'Node.js', 'Java', '.NET', 'Python', 'Flutter'],
          benefits: [
            'You choose each person after an interview',
            'No recruiting, no notice periods, no idle months',
            'Knowledge stays in your repository',
            'Add or release people month by month',
          ],
          features: [
            'Full-time or part-time',
            'Overlap with your working day',
            'Replacement if the fit is wrong',
            'One monthly invoice',
          ],
          pricing: 'Starting from $2,500/month',
          timeline: 'Immediate deployment',
          hoverColor: 'orange-600',
          link: '/services/staff-augmentation',
        },
        {
          id: 'dedicated-teams',
          icon: 'users',
          title: 'Dedicated Teams',
          shortDescription: 'A complete team that works only for you.',
          description:
            'You own a product and want it to move without building a department. We put together developers, a tester, a designer and a project manager, and they stay with you. You set the priorities; the team runs itself and reports to you each week.',
          image: { key: 'services/dedicated-teams', alt: '' },
          technologies: ['TypeScript', 'React', 'Spring Boot', 'PostgreSQL', 'Kubernetes', 'AWS'],
          benefits: [
            'One fixed monthly cost',
            'A project manager and a technical lead included',
            'You talk to every member directly',
            'The team grows with your roadmap',
          ],
          features: [
            'Four team models to start from',
            'Weekly demonstration',
            'Shared backlog and hours',
            'Documented handover at the end',
          ],
          pricing: 'Starting from $8,000/month',
          timeline: '2-4 weeks setup',
          hoverColor: 'pink-600',
          link: '/services/dedicated-teams',
        },
        {
          id: 'software-outsourcing',
          icon: 'rocket',
          title: 'Software Outsourcing',
          shortDescription: 'A defined result, delivered by us.',
          description:
            'You know what you need and want it off your desk. We write the requirements with you, agree milestones and a price, and then design, build, test and launch. You accept each milestone before the next one begins, and support can follow.',
          image: { key: 'services/software-outsourcing', alt: '' },
          technologies: ['React', 'Next.js', 'NestJS', 'Laravel', 'MySQL', 'Azure'],
          benefits: [
            'One contract from requirements to support',
            'You pay by accepted milestone',
            'Testing by people who did not write the code',
            'All rights in the code pass to you',
          ],
          features: [
            'Written specification',
            'Clickable prototype before development',
            'Deployment and DevOps',
            'Maintenance plan',
          ],
          pricing: 'Starting from $15,000',
          timeline: '3-12 months',
          hoverColor: 'red-600',
          link: '/services/software-outsourcing',
        },
      ] satisfies Exactly<3, EngagementModel>,
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'What Sets Us Apart',
      items: [
        {
          icon: 'users',
          title: 'People you can meet',
          description:
            'Before you sign, you speak to the engineers who would do the work and see what they have written. The names in the proposal are the names on the project.',
        },
        {
          icon: 'search',
          title: 'Nothing to guess',
          description:
            'Backlog, hours, test results and spending are open to you at any time. A short written report each week says what was finished, what comes next and what worries us.',
        },
        {
          icon: 'timer',
          title: 'A start within weeks',
          description: `You have an answer within ${figures.response}, and onboarding takes ${figures.onboarding} once we agree. The first small change is usually live before the month is out.`,
        },
        {
          icon: 'key-round',
          title: 'Everything stays yours',
          description:
            'Repositories, accounts and documents are set up in your name from the first day, and the rights pass to you as you pay. If you carry on without us, we hand over and answer questions until your people are comfortable.',
        },
      ] satisfies Exactly<4, Feature>,
    },
    {
      kind: 'stats',
      heading: 'Our impact in numbers',
      stats: [
        { value: '50+', label: 'Projects Completed' },
        { value: '50+', label: 'Expert Developers' },
        { value: figures.satisfaction, label: 'Client Satisfaction' },
        { value: figures.industries, label: 'Industries Served' },
      ] satisfies Exactly<4, Stat>,
    },
    {
      kind: 'features',
      shape: 'columns',
      heading: 'Products that are ready to deploy',
      intro:
        'Where your need is a common one, you can start from a product of ours and pay only for what is particular to you.',
      items: [
        {
          icon: 'building-2',
          title: 'Property management',
          description: 'For owners and agents who look after more units than a spreadsheet can.',
          bullets: ['Tenancies, rent and reminders', 'Repairs from report to invoice', 'Statements for owners'],
        },
        {
          icon: 'school',
          title: 'School management',
          description: 'For schools that want office, teachers and parents on one system.',
          bullets: ['Admissions and fees', 'Timetable, attendance and marks', 'Messages to parents'],
        },
        {
          icon: 'clapperboard',
          title: 'OTT platforms',
          description: 'For rights holders who want to stream under a name of their own.',
          bullets: ['Video library and live channels', 'Subscriptions and payments', 'Apps for phone, web and TV'],
        },
      ] satisfies Exactly<3, Feature>,
      actions: [{ label: 'Ask for a demonstration', href: '/contact' }],
    },
    {
      kind: 'link-groups',
      heading: 'All services by field',
      intro: 'The models above say how we work together. These pages say what we build.',
      groups: menuGroups.map((group) => ({
        title: group.name,
        links: group.services.map((service) => ({ label: service.name, href: service.href })),
      })),
    },
    {
      kind: 'cta',
      heading: 'Not sure which model fits?',
      intro:
        'Tell us what you have, what is missing and by when. We recommend a model, give a price range and say why, in a free consultation.',
      actions: [{ label: 'Ask for a recommendation', href: '/contact' }],
    },
  ],
} satisfies Page;
