import { company, figures } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature, FaqSection } from '../sections.ts';

export const page = {
  path: '/contact',
  name: 'Contact',
  title: `Contact us about your software project | ${company.name}`,
  description: `Describe your project in a few lines. An engineer reads every enquiry and you have an answer within ${figures.response}, with a free first consultation.`,
  hue: 'sky',
  hero: {
    kicker: 'Contact us',
    heading: 'Tell us what you want to build',
    lead: `A few honest sentences are enough: what the software should do, who will use it, and when you need it. We answer within ${figures.response} and tell you plainly whether we are the right people for it.`,
    actions: [{ label: 'Start Your Project', href: '#contact-form-section' }],
    art: 'contact',
  },
  sections: [
    {
      kind: 'features',
      shape: 'split',
      heading: 'Why Choose Us',
      intro: 'What you can count on before any money changes hands, and after.',
      items: [
        {
          icon: 'timer',
          title: 'Quick Response',
          description: `You hear from us within ${figures.response}. Not an automatic receipt, but a reply from someone who has read your message, with the questions we would need answered to give you an estimate.`,
        },
        {
          icon: 'headphones',
          title: '24/7 Support',
          description:
            'When your system is live, somebody is on call at any hour. You get one address and one number to report a fault to, and updates until it is closed.',
        },
        {
          icon: 'message-circle',
          title: 'Free Consultation',
          description:
            'The first conversation costs nothing. You leave it with a view on scope, on the engagement model that suits you and on a realistic range for cost and time, whether or not you hire us.',
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'offices',
      heading: 'Our Global Offices',
      intro: 'Three offices, one team. Write to or ring whichever is closest; your question reaches the same people.',
    },
    {
      kind: 'contact-form',
      id: 'contact-form-section',
      heading: 'Send us your enquiry',
      intro: `Fields marked * are required. We use what you write to answer you, and for nothing else: see our [privacy policy](/privacy). If you would rather use your own mail program, write to [${company.email}](mailto:${company.email}).`,
    },
    {
      kind: 'faq',
      heading: 'Questions we are asked before we start',
      items: [
        {
          question: 'How long does it take to deliver a project?',
          answer: `A typical project takes ${figures.typicalProject} from kick-off to launch. Larger web platforms run for 2-8 months and mobile apps for 3-10 months. After the first conversation you get a plan with dated milestones, and you see working software at each of them, not only at the end.`,
        },
        {
          question: 'What support do you give after launch?',
          answer:
            'The people who built the software look after it. Support covers faults, security updates, monitoring and small changes, and is available 24/7. We agree the response times and a monthly scope in writing before launch, so nobody has to negotiate during an outage.',
        },
        {
          question: 'Can you work with our existing technology stack?',
          answer:
            'Yes. Most of our work starts from code that is already in use. We begin with a review of the code, the infrastructure and the release process, then work in your repositories and to your conventions. We suggest replacing a part only where keeping it costs you more than changing it.',
        },
        {
          question: 'Which engagement models do you offer?',
          answer:
            'Three. With [staff augmentation](/services/staff-augmentation) our engineers join your team and you lead them. A [dedicated team](/services/dedicated-teams) comes complete, with its own project manager, and works only for you. With [software outsourcing](/services/software-outsourcing) we take on a defined project and answer for its result. You can move from one to another as your needs change.',
        },
        {
          question: 'Do you train our staff to use and maintain the software?',
          answer:
            'Yes. Users get hands-on sessions and short written guides for the tasks they do each day. Your engineers get a walk through the architecture, the runbook for operations and time working beside ours. Tell us who has to be self-sufficient and by when, and we plan the handover around that.',
        },
        {
          question: 'How do you keep our data secure?',
          answer:
            'We sign a confidentiality agreement before you share anything sensitive. Engineers get access to the systems they need and lose it when they leave the project. Code is reviewed, dependencies are checked, data is encrypted in transit and at rest, and real customer data stays out of development machines.',
        },
        {
          question: 'Can you migrate data and users from our old system?',
          answer:
            'Yes, and we treat migration as a project of its own. We map the data, rehearse the move on a copy, compare counts and totals, and only then set a date. Where the business cannot stop, old and new run side by side until you are satisfied, and there is always a tested way back.',
        },
        {
          question: 'Which industries do you know?',
          answer: `We have served ${figures.industries} industries, and our services are built around the needs of healthcare, financial services, e-commerce, education, manufacturing, property, logistics and entertainment. If yours is not among them, ask: we will say openly what we would have to learn first.`,
        },
      ] satisfies Exactly<8, FaqSection['items'][number]>,
    },
  ],
} satisfies Page;
