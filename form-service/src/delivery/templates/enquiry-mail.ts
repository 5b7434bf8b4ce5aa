import { contactFields } from '../../contract/fields.ts';
import type { ContactSubmission } from '../../submissions/submission.ts';
import type { Mail } from '../mail.ts';
import { renderHtml, renderText, type MessageContent } from './message-body.ts';
import { labelledValues, messageIdOf, receivedAtText, releaseNotices, subjectLine } from './wording.ts';

/** An enquiry as the sales inbox gets it. */
export function enquiryMail(submission: ContactSubmission, settings: { SALES_INBOX: string; SITE_URL: string }): Mail {
  const { id, fields, requestId } = submission;
  const content: MessageContent = {
    title: `New enquiry ${id}`,
    notices: releaseNotices(submission),
    rows: [['Reference', id], ['Received', receivedAtText(submission)], ...labelledValues(contactFields, fields)],
    quoted: { label: 'Message', text: fields.message },
  };
  return {
    to: settings.SALES_INBOX,
    replyTo: { name: fields.name, address: fields.email },
    subject: subjectLine(`Enquiry ${id}: ${fields.service} from ${fields.name}`),
    text: renderText(content),
    html: renderHtml(content),
    messageId: messageIdOf(id, settings.SITE_URL),
    requestId,
  };
}
