import type { MailSettings } from '../../config/settings.ts';
import { contactFields } from '../../contract/fields.ts';
import type { ContactSubmission } from '../../submissions/submission.ts';
import { composeMail } from './mail-content.ts';
import type { Mail } from './mail.ts';
import { labelOf, messageIdOf, receivedAtText, releaseNotices } from './wording.ts';

type EnquirySettings = Pick<MailSettings, 'SALES_INBOX' | 'COMPANY_NAME' | 'TIME_ZONE'> & { readonly SITE_URL: string };

/** The mail that brings an enquiry to sales. */
export function enquiryMail(submission: ContactSubmission, settings: EnquirySettings): Mail {
  const { id, fields, requestId } = submission;
  const { name, email, phone, service, message } = fields;
  const content = {
    company: settings.COMPANY_NAME,
    kind: 'New enquiry',
    title: service,
    reference: id,
    person: { name, email, phone },
    answerSubject: `Your ${service} enquiry (${id})`,
    notices: releaseNotices(submission),
    message: { label: labelOf(contactFields, 'message'), text: message },
    details: [
      ['Received', receivedAtText(submission, settings.TIME_ZONE)],
      ['Reference', id],
    ],
  } as const;
  const subject = `${service} enquiry from ${name}`;
  return composeMail(content, {
    to: settings.SALES_INBOX,
    subject,
    messageId: messageIdOf(submission, settings.SITE_URL),
    requestId,
  });
}
