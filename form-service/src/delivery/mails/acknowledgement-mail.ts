import type { MailSettings } from '../../config/settings.ts';
import { SERVICE_OPTIONS } from '../../contract/contact.ts';
import { messages } from '../../contract/messages.ts';
import type { Submission } from '../../submissions/submission.ts';
import { readMail, type Mail } from './mail.ts';
import { messageIdOf, receivedAtText, subjectLine } from './wording.ts';

const fill = readMail('acknowledgement');

/**
 * The mail that tells a visitor that we have what was sent. Anybody can type anybody's address, so nothing of it is a
 * visitor's text: a service is named where it is one of ours, and a position, which is typed freely, never is.
 */
export function acknowledgementMail(submission: Submission, settings: MailSettings): Mail {
  const { id, form, fields, requestId, receivedAt } = submission;
  const isEnquiry = form === 'contact';
  const service = isEnquiry && SERVICE_OPTIONS.includes(fields.service) ? fields.service : undefined;
  const thing = isEnquiry ? 'enquiry' : 'application';
  const [company, inbox] = [settings.COMPANY_NAME, isEnquiry ? settings.SALES_INBOX : settings.HR_INBOX];
  // What the page said when the form was sent.
  const next = isEnquiry ? messages.contactSentDetail : messages.applicationSentDetail;
  const values = {
    company,
    kind: 'Thank you',
    title: `We have your ${thing}`,
    preview: next,
    next,
    details: [
      ...(service === undefined ? [] : [{ label: 'Service', value: service }]),
      { label: 'Received', value: receivedAtText(submission, settings.TIME_ZONE) },
      { label: 'Reference', value: id },
    ],
  };
  return {
    to: fields.email,
    replyTo: { name: company, address: inbox },
    subject: subjectLine(`We have your ${service ? `${service} ` : ''}${thing}`, id),
    // The same for every attempt, whatever becomes of the submission meanwhile.
    messageId: messageIdOf({ id, receivedAt, stateSince: receivedAt }, settings.SITE_URL, 'acknowledgement'),
    requestId,
    isAutoReply: true,
    ...fill(values),
  };
}
