import { company, consent, retentionDays } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { LegalClause, LegalSection } from '../sections.ts';

const mail = `[${company.email}](mailto:${company.email})`;

export const page = {
  path: '/privacy',
  name: 'Privacy Policy',
  title: `Privacy Policy | ${company.name}`,
  description:
    'What we receive when you write to us or apply for a job, what we do with it, how long we keep it, and how you can see, correct or delete it.',
  hue: 'sky',
  hero: {
    heading: 'Privacy Policy',
    lead: 'In short: you can read this site without telling us anything, and nothing tracks you by default. If you send us a form, we use it to answer you, and delete our copy soon afterwards.',
  },
  sections: [
    {
      kind: 'legal',
      lastUpdated: 'August 26th, 2025',
      clauses: [
        {
          id: 'information-collected',
          title: 'Information collected',
          blocks: [
            `This policy covers the website of ${company.legalName} ("we"). There are no accounts and there is no login. We receive personal information only when you send it to us:`,
            {
              list: [
                'Contact form: your name, e-mail address, the service you are interested in and your message; your telephone number if you give it.',
                'Job application: your full name, e-mail address and résumé; telephone number, position, years of experience and a covering message if you give them.',
                'E-mail and telephone: whatever you choose to tell us.',
              ],
            },
            'To answer your browser, our server has to see your network address and which page you ask for. It also counts how many forms an address sends within a minute, so that a program cannot flood us. A form carries a random key, which lets us recognise the same form sent twice; it says nothing about you.',
            'Please leave out what we do not need, such as health details or identity numbers.',
          ],
        },
        {
          id: 'use',
          title: 'Use of information',
          blocks: [
            'We use an enquiry to reply to you, prepare a proposal and, if you become a client, carry out the contract. We use an application to decide on a position and to speak to you about it.',
            'We use technical information to keep the site working and to stop abuse. We do not sell personal information, build advertising profiles or take decisions about you by machine alone. You are on no mailing list unless you ask to be.',
          ],
        },
        {
          id: 'security',
          title: 'Security',
          blocks: [
            'A form is written to protected storage before we confirm it, and then sent by e-mail to the people responsible: enquiries to sales, applications to human resources. Only they, and the engineers who operate the service, can reach it.',
            'The logs of the form service hold reference numbers, times and technical results. They hold no name, address, message or file name. No system is perfectly secure; if a breach puts you at risk, we will tell you and the authorities as the law requires.',
          ],
        },
        {
          id: 'cookies',
          title: 'Cookies',
          blocks: [
            'This site sets no cookies of its own. It keeps your choice from the consent banner in the local storage of your browser, where it stays until you clear it. By category:',
            {
              list: [
                `Essential: "${consent.key}" holds "accepted" or "declined"; "${consent.key}_date" holds the time of your choice. Closing the banner without choosing stores nothing.`,
                'Analytics: none by default. If we add a measuring script, it is loaded only after you have accepted, never before, and never when you have declined.',
                'Marketing: none. We show no advertising and let no advertiser follow you here.',
                'Preference: none beyond the choice above. The light or dark appearance follows your device and is not stored.',
              ],
            },
            'To change your mind, press "Cookie settings" at the foot of any page: the banner asks again, and your new choice counts from the next page on.',
          ],
        },
        {
          id: 'sharing',
          title: 'Sharing',
          blocks: [
            'We pass personal information on only to companies that host our servers and carry our e-mail, under contract and for that purpose; within our own offices, to the people who deal with your request, which may mean a transfer between countries; to authorities, where the law obliges us; and to a successor, should the business change hands, under the terms of this policy.',
          ],
        },
        {
          id: 'rights',
          title: 'Your rights',
          blocks: [
            'Depending on where you live, you have these rights. We grant them to everyone:',
            {
              list: [
                'Access: to learn what we hold about you and receive a copy.',
                'Rectification: to have wrong or incomplete details corrected.',
                'Erasure: to have your details deleted when we have no legal duty to keep them.',
                'Portability: to receive what you gave us in a common, machine-readable format.',
                'Objection: to object to a use that rests on our own interests.',
                'Restriction: to have us hold your details without using them while a question is settled.',
              ] satisfies Exactly<6, string>,
            },
            `Write to ${mail} from the address you used, or quote the reference you were given. We reply within one month and charge nothing. You may also complain to the data protection authority of your country.`,
          ],
        },
        {
          id: 'third-party-services',
          title: 'Third-party services',
          blocks: [
            'Pages, fonts and pictures come from our own server; by default, nothing on them calls another company. Links to social networks and other sites are ordinary links: nothing is sent until you follow one, and from there on the policy of that site applies.',
          ],
        },
        {
          id: 'retention',
          title: 'Retention',
          blocks: [
            'How long we keep what you send:',
            {
              list: [
                `Forms that have reached our inbox are deleted from the form service, with any résumé, ${retentionDays} ${retentionDays === 1 ? 'day' : 'days'} after delivery.`,
                'Forms that could not be delivered, or were set aside for checking, are kept until someone has dealt with them, and for 90 days at most, so that your message is not lost.',
                'The e-mails that sales and human resources receive are kept in their inboxes under our company policy: as long as we need them for your request, for a contract or for a duty the law puts on us. You can ask for their deletion at any time.',
              ],
            },
          ],
        },
        {
          id: 'children',
          title: 'Children under 13',
          blocks: [
            'The service is not directed at children under 13, and we do not knowingly collect information from them. If you believe that a child has written to us, tell us and we will delete it.',
          ],
        },
        {
          id: 'updates',
          title: 'Updates',
          blocks: [
            'When our practice changes, this text changes with it, and so does the date above. A change that reduces your rights will be announced on this page before it applies.',
          ],
        },
        {
          id: 'contact',
          title: 'Contact',
          blocks: [
            `Questions and requests: ${mail}. About an application: [${company.careersEmail}](mailto:${company.careersEmail}). Postal addresses are on the [contact page](/contact).`,
          ],
        },
      ] satisfies Exactly<11, LegalClause>,
    } satisfies LegalSection,
  ],
} satisfies Page;
