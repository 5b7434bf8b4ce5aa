import type { Readable } from 'node:stream';
import { applicationFields } from '../../contract/fields.ts';
import type { ApplicationSubmission } from '../../submissions/submission.ts';
import type { Mail } from '../mail.ts';
import { renderHtml, renderText, type MessageContent } from './message-body.ts';
import { labelledValues, messageIdOf, plainLabel, receivedAtText, releaseNotices, sizeText, subjectLine } from './wording.ts';

interface Inbox {
  readonly HR_INBOX: string;
  readonly SITE_URL: string;
}

/** How the résumé travels: attached, or left in the store because the mail server would not take it. */
export type ResumeTransport = { readonly attached: () => Promise<Readable> } | 'left out';

/** An application as HR gets it, with the résumé attached where the mail server takes it. */
export function applicationMail(submission: ApplicationSubmission, settings: Inbox, transport: ResumeTransport): Mail {
  const { id, fields, resume } = submission;
  const notices = [...releaseNotices(submission), ...resume.warnings.map((warning) => `careful with the file: ${warning}`)];
  if (transport === 'left out') notices.push(leftOut(id));
  const mail = messageOf(submission, settings, { title: `New application ${id}`, notices });
  const subject = subjectLine(`Application ${id}: ${fields.position ? `${fields.position}, ` : ''}${fields.fullName}`);
  const messageId = messageIdOf(id, settings.SITE_URL);
  if (transport === 'left out') return { ...mail, subject, messageId };
  const { name: filename, mediaType, size } = resume;
  return { ...mail, subject, messageId, attachment: { filename, mediaType, size, open: transport.attached } };
}

/** What HR gets in place of an application whose résumé holds malware: everything but the file. */
export function setAsideMail(submission: ApplicationSubmission, settings: Inbox, finding: string): Mail {
  const { id, fields } = submission;
  const notices = [
    `the virus scanner found ${finding} in the résumé, so the file is not attached and the application was set aside.`,
    `An operator can look into it and send it on with: npm run submissions -- release ${id}`,
  ];
  return {
    ...messageOf(submission, settings, { title: `Application ${id} was set aside`, notices }),
    subject: subjectLine(`Application ${id} set aside: ${fields.fullName}`),
    messageId: messageIdOf(id, settings.SITE_URL, 'set-aside'),
  };
}

const leftOut = (id: string) =>
  `the résumé is too large for the mail server and is not attached. An operator gets it with: npm run submissions -- resume ${id} > file`;

function messageOf(submission: ApplicationSubmission, settings: Inbox, head: Pick<MessageContent, 'title' | 'notices'>) {
  const { id, fields, resume, requestId } = submission;
  const letter = applicationFields.find(({ name }) => name === 'coverLetter');
  const content: MessageContent = {
    ...head,
    rows: [
      ['Reference', id],
      ['Received', receivedAtText(submission)],
      ...labelledValues(applicationFields, fields),
      ['Résumé', resume.name],
      ['File type', resume.mediaType],
      ['File size', sizeText(resume.size)],
    ],
    quoted: { label: plainLabel(letter?.label ?? 'Message'), text: fields.coverLetter },
  };
  return {
    to: settings.HR_INBOX,
    requestId,
    replyTo: { name: fields.fullName, address: fields.email },
    text: renderText(content),
    html: renderHtml(content),
  };
}
