import { company, figures } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { JobPosting } from '../offers.ts';
import type { Feature } from '../sections.ts';

/** Open positions; each also has a page of its own, /careers/{id}. */
export const jobs = [
  {
    id: 'android-developer',
    title: 'Android Developer',
    department: 'Mobile Development',
    location: `${company.homeCity}, ${company.country}`,
    countryCode: company.countryCode,
    type: 'Full-time',
    experience: '2 years of experience',
    postedDate: '2025-09-01',
    validThrough: '2027-08-31',
    description:
      'You will build and maintain Android apps for clients who depend on them every day, from the first sketch with the designer to the release in the store. The team is small, so your decisions count, and an experienced colleague reviews them with you.',
    responsibilities: [
      'Develop features in Kotlin, from data layer to screen',
      'Turn designs into layouts that hold on small, large and folding screens',
      'Connect apps to REST services and make them usable offline',
      'Write unit and interface tests, and keep them fast',
      'Find the cause of crashes and slow screens, and remove it',
      'Prepare releases and follow their figures after launch',
    ],
    requirements: [
      '2 years of experience in Android development',
      'Sound Kotlin, and enough Java to read older code',
      'Jetpack libraries, coroutines and an architecture such as MVVM',
      'At least one app you can show, and say what you did in it',
      'Git in a team, with reviews',
      'Clear written and spoken English',
    ],
    niceToHave: [
      'Jetpack Compose in production',
      'Flutter or React Native',
      'Bluetooth, maps, payments or other device features',
      'Continuous integration for mobile apps',
    ],
  },
] satisfies readonly JobPosting[];

export const page = {
  path: '/careers',
  name: 'Careers',
  title: `Careers and open positions | ${company.name}`,
  description: `Join ${figures.experts} engineers, designers and consultants. See open positions in ${company.homeCity}, how we work and what we offer, and send your résumé in a minute.`,
  hue: 'amber',
  hero: {
    kicker: 'Careers',
    heading: 'Build software you would be glad to sign',
    lead: 'You will work on real systems with people who explain their decisions, review yours with care and go home on time. If that is how you like to work, have a look at what is open.',
    actions: [
      { label: 'View Open Positions', href: '#open-positions' },
      { label: 'Submit Resume', opens: 'application' },
    ],
    art: 'careers',
  },
  sections: [
    {
      kind: 'features',
      shape: 'split',
      heading: 'How we work together',
      intro: 'Four habits that shape an ordinary week here.',
      items: [
        {
          icon: 'lightbulb',
          title: 'Room for ideas',
          description:
            'You have 20% innovation time: a fifth of the week to learn a tool, mend something that annoys everybody or try an idea on a small scale. Show what you found, also when it did not work.',
        },
        {
          icon: 'messages-square',
          title: 'Open reviews',
          description:
            'All code is reviewed, whoever wrote it. A review asks questions first, gives reasons, and is finished the same day, so nobody waits.',
        },
        {
          icon: 'compass',
          title: 'Ownership',
          description:
            'You speak to the client, estimate your own work and see it go live. When it breaks, we look for the cause and not for a culprit.',
        },
        {
          icon: 'sprout',
          title: 'Steady growth',
          description:
            'Every engineer has a mentor and a written plan that both revisit each quarter. You can grow as a specialist or as a lead; neither path is worth more.',
        },
      ] satisfies Exactly<4, Feature>,
    },
    {
      kind: 'jobs',
      id: 'open-positions',
      heading: 'Open positions',
      intro: 'Each posting is a real vacancy with a team waiting. We read every application ourselves.',
      jobs,
    },
    {
      kind: 'prose',
      heading: "Don't see a perfect match?",
      paragraphs: [
        'Good people rarely arrive on the day a vacancy opens. Send us your résumé with a few lines on what you do well and what you want to do next. When a position fits, you hear from us before it is advertised.',
      ],
      actions: [{ label: 'Send Your Resume', opens: 'application' }],
    },
    {
      kind: 'features',
      shape: 'cards',
      heading: 'Benefits',
      intro: 'The same for everyone, from the first day.',
      items: [
        {
          icon: 'clock',
          title: 'Flexible hours',
          description: 'A few core hours for the team; the rest of the day is yours to arrange around life.',
        },
        {
          icon: 'house',
          title: 'Hybrid work',
          description: 'Home for concentration, office for company. Teams agree on their days themselves.',
        },
        {
          icon: 'heart-pulse',
          title: 'Health insurance',
          description: 'Medical cover for you and your closest family, paid by the company.',
        },
        {
          icon: 'graduation-cap',
          title: 'Paid learning',
          description: 'Courses, books and exam fees, and the working time to make use of them.',
        },
        {
          icon: 'monitor',
          title: 'Proper equipment',
          description: 'A fast laptop, a large screen and a good chair, wherever you work.',
        },
        {
          icon: 'wallet',
          title: 'Fair pay reviews',
          description: 'Pay is reviewed every year against published levels, so you need not bargain for it.',
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'From application to first day',
      intro: 'No puzzles and no unpaid week of homework. You always know what comes next.',
      items: [
        {
          title: 'We read it',
          description:
            'An engineer from the team reads your résumé and message, not only a recruiter. You get an answer either way.',
        },
        {
          title: 'We talk',
          description:
            'A first call about your experience and our work, then a conversation with two future colleagues over code that you or we bring along.',
        },
        {
          title: 'We decide',
          description: 'Soon after the second conversation you have an offer, or an honest reason why not this time.',
        },
        {
          title: 'You start',
          description:
            'Your mentor has accounts, equipment and a first small task ready, and your first change is released in your first weeks.',
        },
      ],
    },
    {
      kind: 'cta',
      heading: 'Show us what you can do',
      intro: 'A résumé as PDF or Word document and your e-mail address are all we need. Questions first? Write to us.',
      actions: [
        { label: 'Send Your Resume', opens: 'application' },
        { label: 'Learn about the company', href: '/about' },
        { label: company.careersEmail, href: `mailto:${company.careersEmail}` },
      ],
    },
    { kind: 'application' },
  ],
} satisfies Page;
