import { company, figures } from '../company.ts';
import type { Exactly, Stat } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature } from '../sections.ts';

export const page = {
  path: '/about',
  name: 'About Us',
  title: `About our company and our people | ${company.name}`,
  description: `A software company incorporated in ${company.incorporated}, with ${figures.experts} experts who build web, desktop and mobile applications and deliver them on time.`,
  hue: 'teal',
  hero: {
    kicker: 'About us',
    heading: 'Young Ambitious People Enhancing Your Business',
    lead: 'We are engineers, designers and consultants who like to be measured by what our software does for you: an order handled sooner, a month closed without overtime, an app your customers keep.',
    art: 'about',
  },
  sections: [
    {
      kind: 'features',
      shape: 'split',
      heading: 'Our mission',
      intro:
        'To give a growing firm the software a large one would have built for itself. Three habits carry us there.',
      items: [
        {
          icon: 'award',
          title: 'Excellence Driven',
          description:
            'Every change is read by a second engineer and tested before it reaches you. A defect we find costs an hour; one that your customers find costs far more, so we look first.',
        },
        {
          icon: 'lightbulb',
          title: 'Innovation First',
          description:
            'We try new tools on experiments of our own and bring you the ones that held up. If a plain form and a database answer your question, that is what we suggest.',
        },
        {
          icon: 'handshake',
          title: 'Trust & Reliability',
          description:
            'You see the plan, the backlog and the hours. Bad news reaches you the day we know it, with a proposal attached. Code, accounts and documents are in your hands throughout.',
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'stats',
      heading: 'Our company',
      intro: `Incorporated in ${company.incorporated}, with a team of ${figures.experts} experts. Our home is ${company.homeCity}; our clients are wherever the work is.`,
      stats: [
        { value: figures.years, label: 'Years' },
        { value: figures.projects, label: 'Projects' },
        { value: figures.clients, label: 'Clients' },
        { value: figures.onTime, label: 'On-Time Delivery' },
      ] satisfies Exactly<4, Stat>,
    },
    {
      kind: 'features',
      shape: 'cards',
      heading: 'Core values',
      intro: 'What we hire for, and what we look at first when a project is reviewed.',
      items: [
        {
          icon: 'sparkles',
          title: 'Innovation',
          description:
            'Curiosity with a purpose: an idea earns its place in your project by making something cheaper, quicker or safer.',
        },
        {
          icon: 'badge-check',
          title: 'Quality',
          description:
            "Done means tested, documented and running where your users are, not working on one developer's machine.",
        },
        {
          icon: 'heart',
          title: 'Client-Centric',
          description:
            'We learn your trade before we model it. The people who will use a screen see it while it is still a sketch.',
        },
        {
          icon: 'zap',
          title: 'Agility',
          description:
            'Plans change when you learn something. Short iterations let you act on it without reopening the contract.',
        },
      ] satisfies Exactly<4, Feature>,
    },
    {
      kind: 'prose',
      heading: 'Our Story',
      picture: { key: 'team/team-meeting', alt: 'Colleagues meeting around a table, papers and laptops between them' },
      paragraphs: [
        `When the company was incorporated in ${company.incorporated}, the offer was simple: good engineers, honest estimates, and one person who answers the telephone. Firms that had outgrown their spreadsheets came for a first web application, and came back for the next.`,
        'Those systems had to talk to others, so we learned ERP and CRM. Their users left the desk, so we learned mobile. Clients with engineers of their own asked to borrow ours, and from that grew our teams: one specialist for a season, or a whole product group for years.',
        `Today ${figures.experts} experts work from ${figures.offices} offices. We also sell ready-to-deploy products for property management, school management and OTT platforms, for clients who need a head start rather than a blank page. [Ask us](/contact) about them.`,
        'The offer has not changed. You still speak to the people who do the work, and the estimate is still one we would sign ourselves.',
      ],
    },
    {
      kind: 'features',
      shape: 'columns',
      heading: 'Our expertise',
      intro: 'Three kinds of application, one team that can connect them.',
      items: [
        {
          icon: 'globe',
          title: 'Website Application Development',
          description: 'From a public site to the portal your partners log in to every morning.',
          bullets: [
            'Customer and supplier portals',
            'Online shops and booking',
            'Dashboards and reporting',
            'APIs for other systems',
          ],
        },
        {
          icon: 'monitor',
          title: 'Desktop Applications',
          description: 'For work that needs the whole screen, the local network or a machine on the shop floor.',
          bullets: [
            'Windows, macOS and Linux',
            'Scanners, scales and printers',
            'Use without a connection',
            'Renewal of older programs',
          ],
        },
        {
          icon: 'smartphone',
          title: 'Mobile Application Development',
          description: 'For customers on the move and for colleagues in the field.',
          bullets: [
            'iOS and Android',
            'Native or cross-platform',
            'Store submission',
            'Updates for every new system release',
          ],
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'What you get from our values',
      intro: 'Values are worth what a client notices of them. These are the four you should notice.',
      items: [
        {
          icon: 'target',
          title: 'Client Success',
          description:
            'Before the first line of code we agree on how you will know that it worked: fewer calls, faster quotes, more orders. We look at that number with you again after launch.',
        },
        {
          icon: 'clock',
          title: 'On-Time Delivery',
          description:
            'Dates come from the people who do the work. When the scope grows, you decide what moves: the date, the budget or the scope. It never moves on its own.',
        },
        {
          icon: 'trending-up',
          title: 'Competitive Edge',
          description:
            'We put the effort into the part of your business that sets you apart, and use proven components for the rest. You pay once for what is special and little for what is common.',
        },
        {
          icon: 'rocket',
          title: 'Innovation',
          description:
            'A new idea becomes a small prototype, then a decision with evidence. You find out in weeks, not after a year, whether it deserves a budget.',
        },
      ] satisfies Exactly<4, Feature>,
    },
    {
      kind: 'cta',
      heading: 'Work with us, or for us',
      intro: `Clients have an answer within ${figures.response}. Engineers will find our open positions under careers.`,
      actions: [
        { label: 'Start Your Project', href: '/contact' },
        { label: 'See open positions', href: '/careers' },
      ],
    },
  ],
} satisfies Page;
