import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import type { MailSettings } from '../../config/settings.ts';
import { applicationFields } from '../../contract/fields.ts';
import type { ApplicationSubmission } from '../../submissions/submission.ts';
import { composeMail, type FileContent, type MailContent } from './mail-content.ts';
import type { Mail } from './mail.ts';
import { labelOf, messageIdOf, receivedAtText, releaseNotices, sizeText } from './wording.ts';

type ApplicationSettings = Pick<MailSettings, 'HR_INBOX' | 'COMPANY_NAME' | 'TIME_ZONE'> & {
  readonly SITE_URL: string;
};

/** Whether the résumé is attached, or left in the storage because the mail server would not take it. */
export type ResumeTransport = { readonly attached: () => Promise<Readable> } | 'left out';

/**
 * The mail that brings an application to HR, with the résumé attached where the mail server takes it.
 *
 * @param notes what HR should know about the file before opening it
 */
export function applicationMail(
  submission: ApplicationSubmission,
  settings: ApplicationSettings,
  transport: ResumeTransport,
  notes: readonly string[] = [],
): Mail {
  const { id, resume } = submission;
  const content = contentOf(submission, settings, {
    kind: 'New application',
    notices: releaseNotices(submission),
    file: fileOf(submission, transport === 'left out' ? [leftOut(id)] : [], notes),
  });
  const mail = composeMail(content, { ...envelopeOf(submission, settings), subject: subjectOf(submission) });
  if (transport === 'left out') return mail;
  const { name: filename, mediaType, size } = resume;
  return { ...mail, attachment: { filename, mediaType, size, open: transport.attached } };
}

/** The mail that HR gets in place of an application whose résumé holds malware: everything but the file. */
export function quarantinedMail(
  submission: ApplicationSubmission,
  settings: ApplicationSettings,
  finding: string,
): Mail {
  const { id } = submission;
  const content = contentOf(submission, settings, {
    kind: 'Application quarantined',
    notices: [],
    file: fileOf(submission, [
      `Not attached: the virus scanner found ${finding} in it, and the application was quarantined.`,
      `An operator can look into it and send it on with: npm run submissions -- release ${id}`,
    ]),
  });
  return composeMail(content, {
    ...envelopeOf(submission, settings, 'set-aside'),
    subject: `Quarantined: ${subjectOf(submission)}`,
  });
}

const leftOut = (id: string) =>
  'Not attached: it is too large for the mail server. ' +
  `An operator gets it with: npm run submissions -- resume ${id} > file`;

/** The reason why the file is missing comes before the notes about the file. */
function fileOf(
  { resume }: ApplicationSubmission,
  absences: readonly string[],
  notes: readonly string[] = [],
): FileContent {
  const type = extname(resume.name).slice(1).toUpperCase();
  const facts = [type, sizeText(resume.size), absences.length > 0 ? 'not attached' : 'attached'];
  return { name: resume.name, facts: facts.filter(Boolean).join(', '), notes: [...absences, ...notes] };
}

function contentOf(
  submission: ApplicationSubmission,
  settings: ApplicationSettings,
  head: Pick<MailContent, 'kind' | 'notices' | 'file'>,
): Omit<MailContent, 'canReply'> {
  const { id, fields } = submission;
  const { fullName, email, phone, position, experience, coverLetter } = fields;
  return {
    ...head,
    company: settings.COMPANY_NAME,
    title: position || 'No position named',
    reference: id,
    person: { name: fullName, email, phone },
    answerSubject: position ? `Your application as ${position} (${id})` : `Your application (${id})`,
    message: { label: labelOf(applicationFields, 'coverLetter'), text: coverLetter },
    details: [
      [labelOf(applicationFields, 'experience'), experience],
      ['Received', receivedAtText(submission, settings.TIME_ZONE)],
      ['Reference', id],
    ],
  };
}

const envelopeOf = (submission: ApplicationSubmission, settings: ApplicationSettings, purpose?: string) => ({
  to: settings.HR_INBOX,
  messageId: messageIdOf(submission, settings.SITE_URL, purpose),
  requestId: submission.requestId,
});

const subjectOf = ({ fields: { position, fullName } }: ApplicationSubmission) =>
  `${position ? `${position} application` : 'Application'} from ${fullName}`;
