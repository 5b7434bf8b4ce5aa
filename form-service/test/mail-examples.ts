import { Readable } from 'node:stream';
import { acknowledgementMail } from '../src/mail/mails/acknowledgement-mail.ts';
import { readSettings } from '../src/settings/settings.ts';
import type { Mail } from '../src/mail/mails/mail.ts';
import { submissionMail } from '../src/mail/mails/submission-mail.ts';
import { OTHER_SERVICE, SERVICE } from './services.ts';
import type { ApplicationSubmission, ContactSubmission } from './submissions.ts';
import { digestMail, type Digest, type DigestRow } from '../src/mail/mails/digest-mail.ts';
import { applicationSubmission, contactSubmission } from './submissions.ts';

/** Settings for the mails and the mailer. */
export const MAIL_SETTINGS = readSettings({ TIME_ZONE: 'Europe/Lisbon' });

const RECEIVED = { id: 'KW-3F9K-Q7TM-X2VD-8HNC', receivedAt: Date.parse('2026-11-20T16:42:00Z') };

const PARAGRAPH =
  'We run a chain of eleven bakeries and our ordering system is a spreadsheet that three people edit at once. ' +
  'We would like a web shop for our regular customers, with standing orders and invoices at the end of the month.';

const enquiry = (
  fields: Partial<ContactSubmission['fields']>,
  rest: Parameters<typeof contactSubmission>[1] = {},
): Mail =>
  submissionMail(
    contactSubmission(
      {
        name: 'Ana Silva',
        email: 'ana.silva@padaria.example',
        phone: '+351 21 555 0142',
        service: SERVICE,
        message: `Hello,\n\n${PARAGRAPH}\n\nWhat would it cost?\nAnd could you begin in January?\n\nMany thanks,\nAna`,
        ...fields,
      },
      { ...RECEIVED, ...rest },
    ),
    MAIL_SETTINGS,
  );

function application(
  fields: Partial<ApplicationSubmission['fields']>,
  resume: Partial<ApplicationSubmission['resume']> = {},
): ApplicationSubmission {
  const bytes = Buffer.alloc(1_482_331);
  const base = applicationSubmission(bytes, RECEIVED);
  const own = {
    fullName: 'Tomasz Wiśniewski',
    email: 'tomasz@wisniewski.example',
    phone: '+48 22 555 01 42',
    position: 'Android Developer',
    experience: '6 years',
    coverLetter:
      'Dear Kitewright team,\n\nI have built Android applications for six years, ' +
      'the last three of them in Kotlin, for a bank and for a hospital.\n\nKind regards\nTomasz',
  };
  return {
    ...base,
    fields: { ...own, ...fields },
    resume: { ...base.resume, name: 'Wiśniewski CV 2026.pdf', ...resume },
  };
}

const attached = async () => Readable.from([Buffer.from('%PDF-1.7\n')]);
const applied = (...parts: Parameters<typeof application>): Mail =>
  submissionMail(application(...parts), MAIL_SETTINGS, { attached });

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

const REMINDERS: DigestRow[] = [
  { ...contactSubmission({}, { ...RECEIVED, remindAt: RECEIVED.receivedAt + 12 * 3_600_000 }), why: 'reminded' },
];

const DIGEST: Digest = {
  recipient: MAIL_SETTINGS.SALES_INBOX,
  since: RECEIVED.receivedAt - 8 * 3_600_000,
  until: RECEIVED.receivedAt + 16 * 3_600_000,
  rows: [
    ...REMINDERS,
    ...[
      contactSubmission(
        { name: 'Karl Bauer', service: OTHER_SERVICE, message: 'Guten Tag,\nwir suchen Hilfe.' },
        {
          ...RECEIVED,
          state: 'failed',
          lastError: 'The mail server rejects the address of the mailbox (SMTP 550 5.1.1).',
        },
      ),
      contactSubmission(
        {
          name: 'Growth Expert www.rank-first.example',
          message:
            'Visit https://rank-first.example/offer?id=1 or rank-first.com, or write to sales@rank-first.com today!',
        },
        { ...RECEIVED, state: 'quarantined', reasons: ['many links', 'sent within seconds'] },
      ),
      { ...application({}), state: 'quarantined', reasons: ['virus scan: Win.Test.EICAR_HDB-1'] },
      contactSubmission(
        { name: 'נועה לוי', message: 'שלום, אנחנו צריכים אתר חדש לחנות שלנו (WooCommerce), עד סוף ינואר.' },
        { ...RECEIVED, state: 'quarantined', reasons: ['honeypot filled'] },
      ),
    ].map((one) => ({ ...one, why: one.state }) as DigestRow),
  ],
  failed: 1,
  quarantined: 25,
  older: 5,
  firstDeletedAt: RECEIVED.receivedAt + 20 * 86_400_000,
  reminded: 1,
};

/** Every mail in each state that changes its layout. */
export const MAIL_EXAMPLES: Readonly<Record<string, Mail>> = {
  enquiry: enquiry({}),
  'enquiry-no-phone': enquiry({ phone: '' }),
  'enquiry-phone-in-words': enquiry({ phone: 'after six, please: 020 7946 0018' }),
  'enquiry-long-words': enquiry({
    name: LONG_WORD,
    email: `${'anna.katharina.'.repeat(4)}muster@${'sub-domain.'.repeat(8)}example.org`,
    service: OTHER_SERVICE,
    message: `${LONG_WORD.repeat(4)}\nhttps://shop.example.org/${'path-'.repeat(40)}\n\n\tIndented   and    spaced.`,
  }),
  'enquiry-right-to-left': enquiry({
    name: 'נועה לוי',
    email: 'noa@levy.example',
    message:
      'שלום,\n\nאנחנו צריכים אתר חדש לחנות שלנו (WooCommerce), עד סוף ינואר.\n\n' +
      'The second paragraph is in English.\n\nمرحبا، نحتاج إلى موقع جديد.',
  }),
  'enquiry-big-message': enquiry({ message: `${PARAGRAPH}\n\n`.repeat(50).slice(0, 10_000) }),
  'enquiry-released': enquiry({}, { reasons: ['honeypot filled', 'many links'] }),
  'enquiry-address-without-reply': enquiry({ name: 'José Núñez', email: 'josé@núñez.example' }),
  digest: digestMail(DIGEST, { ...MAIL_SETTINGS, INBOX_USERS: [] }),
  'digest-without-words': digestMail(DIGEST, { ...MAIL_SETTINGS, INBOX_USERS: [] }, { isQuoting: false }),
  'digest-without-inbox': digestMail({ ...DIGEST, quarantined: 3, older: 0 }, MAIL_SETTINGS),
  'digest-of-reminders': digestMail(
    { ...DIGEST, rows: REMINDERS, failed: 0, quarantined: 0, older: 0 },
    { ...MAIL_SETTINGS, INBOX_USERS: [] },
  ),
  application: applied({}),
  'application-file-left-out': submissionMail(application({}, { size: 10_400_000 }), MAIL_SETTINGS, {}),
  'application-file-refused': submissionMail(application({}), MAIL_SETTINGS, { refusal: 'SMTP 554 5.7.1' }),
  'application-quarantined': submissionMail(application({}), MAIL_SETTINGS, { finding: 'Win.Test.EICAR_HDB-1' }),
  'application-in-the-inbox': submissionMail(
    application({}, { size: 10_400_000 }),
    { ...MAIL_SETTINGS, INBOX_USERS: [] },
    {},
  ),
  'application-sparse': applied(
    { phone: '', position: '', experience: '', coverLetter: '' },
    {
      name: 'cv.docx',
      mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      size: 24_000,
    },
  ),
  'application-long-words': applied(
    { position: LONG_WORD, experience: 'x'.repeat(200), coverLetter: LONG_WORD.repeat(3) },
    { name: `${LONG_WORD}.pdf` },
  ),
  'acknowledgement-enquiry': acknowledgementMail(contactSubmission({}, RECEIVED), MAIL_SETTINGS),
  'acknowledgement-application': acknowledgementMail(application({}), MAIL_SETTINGS),
  'application-right-to-left': applied(
    {
      fullName: 'ليلى حداد',
      position: 'מפתחת אנדרואיד',
      coverLetter: 'السادة الكرام،\n\nأعمل مطورة أندرويد منذ ست سنوات.\n\nمع التحية\nليلى',
    },
    { name: 'السيرة الذاتية.pdf' },
  ),
};
