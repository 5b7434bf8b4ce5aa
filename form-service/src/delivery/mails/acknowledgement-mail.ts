import type { MailSettings } from '../../config/settings.ts';
import { SERVICE_OPTIONS } from '../../contract/contact.ts';
import type { Submission } from '../../submissions/submission.ts';
import { readTemplate } from '../../template.ts';
import type { Mail } from './mail.ts';
import { messageIdOf, receivedAtText, subjectLine } from './wording.ts';

const fillHtml = readTemplate(new URL('acknowledgement.html', import.meta.url), new URL('frame.html', import.meta.url));
const fillText = readTemplate(new URL('acknowledgement.txt', import.meta.url));

type AcknowledgementSettings = Pick<MailSettings, 'COMPANY_NAME' | 'TIME_ZONE' | 'SALES_INBOX' | 'HR_INBOX'> & {
  readonly SITE_URL: string;
};

/**
 * The mail that tells a visitor that we have what was sent. Anybody can type anybody's address, so nothing of it is a
 * visitor's text: a service is named where it is one of ours, and a position, which is typed freely, never is.
 */
export function acknowledgementMail(submission: Submission, settings: AcknowledgementSettings): Mail {
  const { id, form, fields, requestId, receivedAt } = submission;
  const isEnquiry = form === 'contact';
  const service = isEnquiry && SERVICE_OPTIONS.includes(fields.service) ? fields.service : undefined;
  const thing = isEnquiry ? 'enquiry' : 'application';
  const [company, inbox] = [settings.COMPANY_NAME, isEnquiry ? settings.SALES_INBOX : settings.HR_INBOX];
  const values = {
    company,
    thing,
    kind: 'Thank you',
    title: `We have your ${thing}`,
    preview: isEnquiry ? 'You hear from us within 24 hours.' : 'We read it and get back to you.',
    next: isEnquiry
      ? 'A person reads it and answers you within 24 hours, at this address.'
      : 'Our recruiters read it, with your résumé, and write to you at this address. You have a first answer within 24 hours.',
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
    text: fillText(values),
    html: fillHtml(values),
  };
}
