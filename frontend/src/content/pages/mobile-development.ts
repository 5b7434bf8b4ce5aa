import { figures } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature, ProcessStep } from '../sections.ts';

/** Spec 2.10; price and team of section 9. */
export const page = {
  path: '/services/mobile-development',
  name: 'Mobile App Development',
  title: 'Mobile App Development | Kitewright',
  description:
    'iOS and Android apps, native, cross-platform or for your own staff, taken through store review and looked after. From $12,000, in 3-10 months.',
  keywords: [
    'mobile app development',
    'iOS app development',
    'Android app development',
    'Flutter development',
    'React Native development',
    'enterprise mobile apps',
  ],
  hue: 'green-600',
  serviceType: 'Mobile app development',
  hero: {
    kicker: 'iOS and Android',
    heading: 'Mobile App Development',
    lead: 'An app earns its place on the home screen by doing one job better than a browser can. We help you find that job, build it for both platforms and keep it working as phones and stores change.',
    actions: [
      { label: 'Start Your Project', href: '/contact' },
      { label: 'Compare the approaches', href: '#solutions' },
    ],
    art: { key: 'services/mobile-development', alt: '' },
  },
  sections: [
    {
      kind: 'features',
      shape: 'columns',
      id: 'solutions',
      heading: 'Three kinds of mobile solution',
      intro:
        'The choice decides cost and speed for years, so we make it with you in the first workshop and write down why.',
      items: [
        {
          icon: 'smartphone',
          title: 'Native',
          description:
            'Separate apps in Swift and Kotlin. Right for heavy graphics, long background work, Bluetooth accessories and anything that must feel like part of the phone.',
          bullets: [
            'Swift and SwiftUI for iOS',
            'Kotlin and Jetpack Compose for Android',
            'New system features on release day',
            'Two code bases to look after',
          ],
        },
        {
          icon: 'layers',
          title: 'Cross-Platform',
          description:
            'One code base for both stores, with native modules where they matter. Right for most business apps: forms, lists, bookings, payments and chat.',
          bullets: [
            'Flutter or React Native',
            'One team and one backlog',
            'Shared design system',
            'Native code for the remaining few screens',
          ],
        },
        {
          icon: 'building-2',
          title: 'Enterprise',
          description:
            'Apps for your own staff, off the public stores. Right for field service, warehouses, inspections and approvals, on phones that you manage.',
          bullets: [
            'Offline first, with conflict rules',
            'Single sign-on and device management',
            'Barcode, NFC and signature capture',
            'Joined to SAP, Dynamics or your own API',
          ],
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'prose',
      heading: 'Which one do you need?',
      paragraphs: [
        'Start from the worst moment in which the app must work: a courier in a lift with no signal, a nurse wearing gloves, a shopper with two per cent of battery. If that moment depends on hardware or on constant background work, go native. If it depends on reaching everybody quickly with a modest budget, go cross-platform.',
        'And if people will open it twice a year, you may not need an app at all. A [progressive web app](/services/web-development) installs from a link, skips the store and costs less to keep. We would sooner say so now than after the invoice.',
      ],
      facts: [
        { label: 'Best performance', value: 'Native' },
        { label: 'Lowest cost for two stores', value: 'Cross-Platform' },
        { label: 'For your own staff', value: 'Enterprise' },
      ],
    },
    {
      kind: 'stack',
      heading: 'Technologies behind the apps',
      intro:
        'What we choose from. Where your own team has to take over, its experience weighs more than our preference.',
      technologies: [
        { name: 'Swift', category: 'iOS' },
        { name: 'SwiftUI', category: 'iOS' },
        { name: 'Kotlin', category: 'Android' },
        { name: 'Jetpack Compose', category: 'Android' },
        { name: 'Flutter', category: 'Cross-platform' },
        { name: 'React Native', category: 'Cross-platform' },
        { name: 'Node.js', category: 'Backend' },
        { name: 'Firebase', category: 'Backend' },
        { name: 'GraphQL', category: 'Backend' },
        { name: 'SQLite', category: 'On the device' },
        { name: 'Keychain and Keystore', category: 'On the device' },
        { name: 'Fastlane', category: 'Release' },
        { name: 'TestFlight', category: 'Release' },
        { name: 'Play Console tracks', category: 'Release' },
      ],
    },
    {
      kind: 'process',
      heading: 'Four steps to the store',
      steps: [
        {
          step: '01',
          title: 'Concept and scope',
          description:
            'We write the one sentence that a user would say after the app has helped, then cut everything that does not lead there. You get a feature list in order of value and a cost for each group.',
          deliverables: ['Product brief', 'Platform decision, with reasons', 'Estimate by feature group'],
        },
        {
          step: '02',
          title: 'Design on a real phone',
          description:
            'Prototypes go onto actual devices, with large text, dark mode and one-handed use from the beginning. A handful of your users try them while we watch and say nothing.',
          deliverables: ['Interactive prototype', 'Screen designs for both platforms', 'Findings from users'],
        },
        {
          step: '03',
          title: 'Build and test',
          description:
            'You receive a test build with every iteration and keep it on your own phone. We test on old and cheap devices too, on a bad network, with permissions refused and storage full.',
          deliverables: ['Test builds for your team', 'Automated tests', 'Device and network report'],
        },
        {
          step: '04',
          title: 'Release and look after',
          description:
            'We prepare the listing, privacy labels and review notes, release in stages and watch crashes and ratings. Later come the yearly system updates, which every app needs and few budgets mention.',
          deliverables: ['Store listings under your account', 'Crash and usage dashboards', 'Maintenance plan'],
        },
      ] satisfies Exactly<4, ProcessStep>,
    },
    {
      kind: 'pricing',
      heading: 'Investment & Timeline',
      facts: [
        { label: 'Starting investment', value: '$12,000', note: 'One focused app, cross-platform' },
        { label: 'Timeline', value: '3-10 months', note: 'From first workshop to a stable release' },
        { label: 'Team', value: '3-7 people', note: 'Design, app, backend and test' },
      ],
      notes: [
        'What adds most: a second native code base, offline work with conflicts, and a backend that does not exist yet. What saves most: a small first version.',
        'Store accounts and hosting are opened in your name, so the app, its reviews and its users belong to you.',
      ],
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'Questions to ask any app developer',
      intro: 'Ask us, and ask the others too. The answers tell you more than a portfolio does.',
      items: [
        {
          title: 'What happens without a signal?',
          description:
            'A good answer says what is stored on the phone, for how long, and who wins when two people changed the same record.',
        },
        {
          title: 'Whose accounts is it published under?',
          description:
            'They should be yours. Moving an app to another account is possible later, but slow, and it needs the old owner’s help on a day when you may no longer be friends.',
        },
        {
          title: 'What will the second year cost?',
          description:
            'New versions of iOS and Android arrive every year and stores raise their requirements with them. Budget for it before you start.',
        },
      ],
    },
    {
      kind: 'cta',
      heading: 'Tell us about the worst moment',
      intro: `Describe one situation in which your app must not fail. We answer within ${figures.response} with the approach we would take and a rough cost, at no charge.`,
      actions: [{ label: 'Talk to an App Engineer', href: '/contact' }],
    },
  ],
} satisfies Page;
