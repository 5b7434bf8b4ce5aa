import { recipientOf } from '../../submissions/recipients.ts';
import type { MailSettings } from '../../config/settings.ts';
import { SERVICE_OPTIONS } from '../../contract/contact.ts';
import { application } from '../../contract/forms/application.ts';
import { contact } from '../../contract/forms/contact.ts';
import type { Submission } from '../../submissions/submission.ts';
import { messageIdOf, readMail, subjectLine, type Mail } from './mail.ts';
import { receivedAtText } from '../../html/format.ts';

const fill = readMail('acknowledgement');

/**
 * Returns the mail that confirms a submission to the visitor. The address may be a stranger's (backscatter), so the mail
 * has no text of the visitor: it names a service of ours, but never a position, which is free text.
 */
export function acknowledgementMail(submission: Submission, settings: MailSettings): Mail {
  const { id, form, fields, requestId, receivedAt } = submission;
  const isEnquiry = form === 'contact';
  const service = isEnquiry && SERVICE_OPTIONS.includes(fields.service) ? fields.service : undefined;
  const thing = isEnquiry ? 'enquiry' : 'application';
  const company = settings.COMPANY_NAME;
  // The same promise as on the page.
  const next = isEnquiry ? contact.words.sentDetail : application.words.sentDetail;
  const values = {
    company,
    kind: 'Thank you',
    title: `We have your ${thing}`,
    preview: next,
    next,
    thing,
    details: [
      ...(service === undefined ? [] : [{ label: 'Service', value: service }]),
      { label: 'Received', value: receivedAtText(submission, settings.TIME_ZONE) },
      { label: 'Reference', value: id },
    ],
  };
  return {
    to: fields.email,
    // A reply reaches the recipient of the submission, and discloses that address.
    replyTo: { name: company, address: recipientOf(submission, settings) },
    subject: subjectLine(`We have your ${service ? `${service} ` : ''}${thing}`, id),
    // The same for every attempt, also if the state of the submission changes.
    messageId: messageIdOf({ id, receivedAt, stateSince: receivedAt }, settings.SITE_URL, 'acknowledgement'),
    requestId,
    isAutoReply: true,
    ...fill(values),
  };
}
