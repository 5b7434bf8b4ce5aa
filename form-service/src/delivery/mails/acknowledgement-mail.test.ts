import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAIL_SETTINGS } from '../../../test/mail-examples.ts';
import { applicationSubmission, contactSubmission } from '../../../test/submissions.ts';
import { emptyApplication } from '../../contract/application.ts';
import { emptyContact, SERVICE_OPTIONS } from '../../contract/contact.ts';
import { messages } from '../../contract/messages.ts';
import { acknowledgementMail } from './acknowledgement-mail.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
/** Anything in each field of a form. */
const typedInto = (fields: object) => fc.record(Object.fromEntries(Object.keys(fields).map((name) => [name, anyText])));
const enquiry = contactSubmission();
const application = applicationSubmission(Buffer.alloc(9));
/** Everything but the address, which is the visitor's in any mail to the visitor. */
const wordsOf = (mail: ReturnType<typeof acknowledgementMail>) => ({ ...mail, to: '' });

describe('The acknowledgement', () => {
  it('An enquiry’s is the same whatever the visitor wrote, but for a service of ours', () => {
    fc.assert(
      fc.property(typedInto(emptyContact), anyText, (typed, other) => {
        const mail = acknowledgementMail(
          { ...enquiry, fields: { ...enquiry.fields, ...typed, [other]: other } },
          MAIL_SETTINGS,
        );
        const usual = acknowledgementMail({ ...enquiry, fields: { ...enquiry.fields, service: '' } }, MAIL_SETTINGS);
        expect(wordsOf(mail)).toEqual(wordsOf(usual));
      }),
    );
  });

  it('An application’s is the same whatever the visitor wrote, the position and the file’s name included', () => {
    const usual = acknowledgementMail(application, MAIL_SETTINGS);
    fc.assert(
      fc.property(typedInto(emptyApplication), anyText, (typed, name) => {
        const resume = { ...application.resume, name };
        expect(
          wordsOf(
            acknowledgementMail({ ...application, fields: { ...application.fields, ...typed }, resume }, MAIL_SETTINGS),
          ),
        ).toEqual(wordsOf(usual));
      }),
    );
  });

  it('It names the service, the reference, the time and what happens next', () => {
    for (const service of SERVICE_OPTIONS) {
      const { subject, text } = acknowledgementMail(
        { ...enquiry, fields: { ...enquiry.fields, service } },
        MAIL_SETTINGS,
      );
      expect(subject).toBe(`We have your ${service} enquiry (${enquiry.id})`);
      for (const part of [`Service: ${service}`, 'Received: ', `Reference: ${enquiry.id}`, 'within 24 hours'])
        expect(text).toContain(part);
    }
  });

  it('It promises of the answer what the page promised, and no more', () => {
    const { text: toClient } = acknowledgementMail(enquiry, MAIL_SETTINGS);
    const { text: toApplicant } = acknowledgementMail(application, MAIL_SETTINGS);
    expect(toClient).toContain(messages.contactSentDetail);
    expect(toApplicant).toContain(messages.applicationSentDetail);
    expect(toApplicant).not.toContain('hours');
  });
});
