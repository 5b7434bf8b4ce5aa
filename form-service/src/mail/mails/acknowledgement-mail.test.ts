import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/any-character.ts';
import { MAIL_SETTINGS } from '../../../test/mail-examples.ts';
import { SERVICES } from '../../../test/services.ts';
import { applicationSubmission, contactSubmission } from '../../../test/submissions.ts';
import { words } from '../../../test/words.ts';
import { nounOf } from '../../contract/forms.ts';
import { application as applicationForm } from '../../contract/forms/application.ts';
import { contact } from '../../contract/forms/contact.ts';
import { positionsOfSite } from '../../submissions/recipients.ts';
import type { Submission } from '../../submissions/submission.ts';
import { acknowledgementMail } from './acknowledgement-mail.ts';

const anyText = fc.string({ unit: anyCharacter, maxLength: 300 });
/** Any text in each field of a form. */
const typedInto = (fields: object) => fc.record(Object.fromEntries(Object.keys(fields).map((name) => [name, anyText])));
const enquiry = contactSubmission();
const application = applicationSubmission(Buffer.alloc(9));

describe('acknowledgementMail', () => {
  it.each([
    ['an enquiry', enquiry, contact, 'service'],
    ['an application', application, applicationForm, 'position'],
  ] as const)('is the same for any text of %s, except a topic of ours', (_what, submission, form, topic) => {
    const mailWith = (fields: object, rest: object = {}) => {
      const all = { ...submission, ...rest, fields: { ...submission.fields, ...fields } } as Submission;
      // The mail must have the visitor's address.
      return { ...acknowledgementMail(all, MAIL_SETTINGS), to: '' };
    };
    const usual = mailWith({ [topic]: '' });
    fc.assert(
      fc.property(typedInto(form.empty), anyText, (typed, other) => {
        const resume = submission.resume && { ...submission.resume, name: other };
        expect(mailWith({ ...typed, [other]: other }, { resume })).toEqual(usual);
      }),
    );
  });

  it('names the service, the reference, the time and the next step', () => {
    for (const service of SERVICES) {
      const { subject, text } = acknowledgementMail(
        { ...enquiry, fields: { ...enquiry.fields, service } },
        MAIL_SETTINGS,
      );
      const { subjectWithTopic } = words.mails.acknowledgement;
      expect(subject).toBe(`${subjectWithTopic({ topic: service, noun: contact.words.noun })} (${enquiry.id})`);
      for (const part of [
        `${contact.words.fields['service']?.label}: ${service}`,
        `${words.mails.received}: `,
        `${words.mails.reference}: ${enquiry.id}`,
      ])
        expect(text).toContain(part);
    }
  });

  it.each([
    ['its title', (title: string) => title, true],
    ['its title in another spelling', (title: string) => title.toLowerCase().replaceAll(' ', '-'), true],
    ['other words, too', (title: string) => `${title} www.evil.example`, false],
  ])('names a job of the site in the words of the site > %s', (_what, typed, isNamed) => {
    const [topic = ''] = positionsOfSite() ?? [];
    const fields = { ...application.fields, position: typed(topic) };
    const { subject, text } = acknowledgementMail({ ...application, fields }, MAIL_SETTINGS);
    const { title, subjectWithTopic } = words.mails.acknowledgement;
    const noun = nounOf('application');
    expect(subject).toBe(`${isNamed ? subjectWithTopic({ topic, noun }) : title({ noun })} (${application.id})`);
    expect(text.includes(topic)).toBe(isNamed);
  });

  it('has the recipient in Reply-To > RECIPIENTS names another mailbox', () => {
    const RECIPIENTS = new Map([
      [enquiry.fields.service, 'web@firm.example'],
      ['android-developer', 'mobile@firm.example'],
    ]);
    for (const [submission, address] of [
      [enquiry, 'web@firm.example'],
      [application, 'mobile@firm.example'],
    ] as const) {
      const { replyTo, text } = acknowledgementMail(submission, { ...MAIL_SETTINGS, RECIPIENTS });
      expect(replyTo?.address).toBe(address);
      expect(text.replace(/\s+/g, ' ')).toContain(words.mails.acknowledgement.reply({ noun: nounOf(submission.form) }));
    }
  });
});
