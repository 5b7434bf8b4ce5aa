import { company } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { LegalClause, LegalSection } from '../sections.ts';

export const page = {
  path: '/terms',
  name: 'Terms of Service',
  title: `Terms of Service | ${company.name}`,
  description:
    'The terms for using this website and our services: fees and payment, ownership of work, liability, notice periods and governing law, in plain words.',
  hue: 'sky',
  hero: {
    heading: 'Terms of Service',
    lead: 'These are the rules for using this website and the frame for our services. Where you and we have signed a contract, the contract comes first and these terms fill the gaps.',
  },
  sections: [
    {
      kind: 'legal',
      lastUpdated: 'August 30, 2025',
      clauses: [
        {
          id: 'acceptance',
          title: 'Acceptance',
          blocks: [
            `By using this website or ordering a service from ${company.legalName} ("we"), you accept these terms and our [privacy policy](/privacy). If you act for a company, you confirm that you may bind it. If you do not agree, please do not use the website or the services.`,
          ],
        },
        {
          id: 'services',
          title: 'Services',
          blocks: [
            'We provide software development, IT consulting, staff augmentation, dedicated teams, outsourcing and ready-to-deploy products. What we do for you, by when and at what price is set out in a proposal or statement of work that both of us sign.',
            'Descriptions, starting prices and time ranges on this website help you to plan. They are not an offer until they are part of a signed document.',
          ],
        },
        {
          id: 'acceptable-use',
          title: 'Acceptable use',
          blocks: [
            'When you use the website or a system we run for you, you agree not to:',
            {
              list: [
                'break the law or the rights of others;',
                'send malicious software, unsolicited advertising or forms filled in by a program without our consent;',
                'probe, overload or get round the security of our systems, except in a test agreed with us in writing;',
                'pretend to be someone else, or send us material you may not share.',
              ],
            },
          ],
        },
        {
          id: 'account-security',
          title: 'Account security',
          blocks: [
            'This website has no accounts. If we give you access to a repository, a test system or a product, keep the credentials secret, give each person an access of their own and tell us at once when you suspect misuse. You answer for what is done with your access until you have told us.',
          ],
        },
        {
          id: 'intellectual-property',
          title: 'Intellectual property',
          blocks: [
            'Text, pictures and code of this website belong to us or to those who licensed them to us. You may read, print and quote them, but not republish them as your own.',
            'Work made for you under a signed contract becomes yours as it is paid for. We keep the tools and components we had before or that are of general use, and grant you a lasting licence to use them as part of that work. Open-source parts stay under their own licences. What you give us remains yours; we use it only to do the work.',
          ],
        },
        {
          id: 'payment-terms',
          title: 'Payment terms',
          blocks: [
            {
              list: [
                'Fees are in USD and are non-refundable unless stated otherwise in writing.',
                'Subscriptions are billed monthly or annually in advance.',
                "We give 30 days' notice of price changes. A price agreed for a fixed term holds until that term ends.",
                'Project work is invoiced by milestone or by month, as the contract says. Taxes and bank charges come on top.',
                'If a due invoice stays unpaid after a reminder, we may pause the work until it is settled.',
              ],
            },
          ],
        },
        {
          id: 'availability',
          title: 'Availability',
          blocks: [
            'We work to keep the website and the systems we run reachable at all times, but cannot promise that they never fail. Maintenance is announced where possible. Service levels with response times apply where a contract sets them. We may change or withdraw parts of the website.',
          ],
        },
        {
          id: 'limitation-of-liability',
          title: 'Limitation of liability',
          blocks: [
            'Our total liability for any claim is capped at the amount you paid us in the 12 months before the claim. Neither of us is liable to the other for lost profit, lost data or other indirect loss.',
            'Nothing here limits liability that the law does not allow us to limit, such as for fraud or intent. The information on this website is given without warranty.',
          ],
        },
        {
          id: 'indemnification',
          title: 'Indemnification',
          blocks: [
            'If a third party makes a claim against us because you broke these terms or the law, or because material you supplied infringes their rights, you cover the resulting loss and reasonable legal costs. We tell you promptly about such a claim and let you take part in the defence.',
          ],
        },
        {
          id: 'termination',
          title: 'Termination',
          blocks: [
            'You may stop using the website at any time. Contracts end as they themselves provide. Either of us may end a service at once if the other seriously breaks these terms and has not put it right within a reasonable time after written notice. You pay for the work done until then, and we hand over what has been paid for. The clauses on intellectual property, liability, indemnification and governing law continue.',
          ],
        },
        {
          id: 'governing-law',
          title: 'Governing law',
          blocks: [
            `These terms are governed by Indian law. We try to settle a dispute in conversation first. If that does not succeed, it is decided by arbitration in ${company.homeCity}, in English, and the award is binding on both of us. Either of us may ask a court for urgent measures. Rights that the law of your country gives you as a consumer remain.`,
          ],
        },
        {
          id: 'changes',
          title: 'Changes',
          blocks: [
            "We give 30 days' notice of changes to these terms, on this page and, for clients with a running contract, by e-mail. If you carry on using the services after that, the new terms apply; if you do not agree, you may end the service before they do.",
          ],
        },
        {
          id: 'miscellaneous',
          title: 'Miscellaneous',
          blocks: [
            'If a clause is invalid, the rest stands. Not using a right at once does not give it up. Neither of us may pass the agreement to others without consent, except to a successor of the business. Neither of us answers for delays caused by events beyond reasonable control. Notices are given in writing; e-mail is enough.',
          ],
        },
        {
          id: 'contact',
          title: 'Contact',
          blocks: [
            `Questions about these terms: [${company.email}](mailto:${company.email}). Our postal addresses are on the [contact page](/contact).`,
          ],
        },
      ] satisfies Exactly<14, LegalClause>,
    } satisfies LegalSection,
  ],
} satisfies Page;
