import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { recipientOf } from '../../config/recipients.ts';
import type { MailSettings } from '../../config/settings.ts';
import { applicationFields, contactFields, type FormField } from '../../contract/fields.ts';
import type { ApplicationSubmission, ContactSubmission, Submission } from '../../submissions/submission.ts';
import { readTemplate } from '../../template.ts';
import { answerUrl, fitsReplyTo, telephoneUrl } from './contact-links.ts';
import type { Mail } from './mail.ts';
import {
  messageIdOf,
  pageInInbox,
  paragraphsOf,
  plainLabel,
  previewOf,
  receivedAtText,
  sizeText,
  subjectLine,
} from './wording.ts';

const fillHtml = readTemplate(new URL('submission.html', import.meta.url), new URL('frame.html', import.meta.url));
const fillText = readTemplate(new URL('submission.txt', import.meta.url));

/** Whether the résumé is attached, or left in the storage because the mail server would not take it. */
export type ResumeTransport = { readonly attached: () => Promise<Readable> } | 'left out';

/** What a mail says beside the fields of the form. */
interface Content {
  readonly kind: string;
  readonly title: string;
  readonly name: string;
  readonly subject: string;
  /** The subject of the answer, without the reference. */
  readonly answerSubject: string;
  readonly notices: readonly string[];
  readonly file?: { readonly fileName: string; readonly facts: string; readonly notes: readonly string[] };
  /** The form's fields, and the names of those that stand at the head of the mail. */
  readonly fields: readonly FormField[];
  readonly atHead: readonly string[];
}

const CANNOT_REPLY =
  'Replying does not reach the visitor: an address like this one cannot stand in Reply-To. Write to the address itself.';

/** A note about a résumé that is attached as it came. */
export const MAY_ASK_FOR_PASSWORD = 'The PDF is encrypted and may ask for a password: if it does, ask the applicant.';

/** The mail that brings an enquiry to sales. */
export function enquiryMail(submission: ContactSubmission, settings: MailSettings): Mail {
  const { name, service } = submission.fields;
  return submissionMail(submission, settings, {
    kind: 'New enquiry',
    title: service,
    name,
    subject: `${service} enquiry from ${name}`,
    answerSubject: `Your ${service} enquiry`,
    notices: releaseNotices(submission),
    fields: contactFields,
    atHead: ['name', 'service'],
  });
}

/**
 * The mail that brings an application to HR, with the résumé attached where the mail server takes it.
 *
 * @param notes what HR should know about the file before opening it
 */
export function applicationMail(
  submission: ApplicationSubmission,
  settings: MailSettings,
  transport: ResumeTransport,
  notes: readonly string[] = [],
): Mail {
  const { id, resume } = submission;
  const absence = settings.INBOX_USERS
    ? 'Not attached: it is too large for the mail server. Its page in the inbox has it.'
    : `Not attached: it is too large for the mail server. Whoever runs the website can get it by the reference ${id}.`;
  const mail = submissionMail(submission, settings, {
    ...applicationContent(submission),
    kind: 'New application',
    notices: releaseNotices(submission),
    file: fileOf(submission, transport === 'left out' ? [absence] : [], notes),
  });
  if (transport === 'left out') return mail;
  const { name: filename, mediaType, size } = resume;
  return { ...mail, attachment: { filename, mediaType, size, open: transport.attached } };
}

/** The mail that HR gets in place of an application whose résumé holds malware: everything but the file. */
export function quarantinedMail(submission: ApplicationSubmission, settings: MailSettings, finding: string): Mail {
  const content = applicationContent(submission);
  const absences = [
    `Not attached: the virus scanner found ${finding} in it, and the application was quarantined.`,
    settings.INBOX_USERS
      ? 'On its page in the inbox it can be looked into and released.'
      : `Whoever runs the website can look into it and send it on, by the reference ${submission.id}.`,
  ];
  const mail = submissionMail(submission, settings, {
    ...content,
    kind: 'Application quarantined',
    subject: `Quarantined: ${content.subject}`,
    notices: [],
    file: fileOf(submission, absences),
  });
  return { ...mail, messageId: messageIdOf(submission, settings.SITE_URL, 'quarantined') };
}

function applicationContent({ fields }: ApplicationSubmission) {
  const { fullName: name, position } = fields;
  return {
    title: position || 'No position named',
    name,
    subject: `${position ? `${position} application` : 'Application'} from ${name}`,
    answerSubject: position ? `Your application as ${position}` : 'Your application',
    fields: applicationFields,
    atHead: ['fullName', 'position'],
  };
}

/** The reason why the file is missing comes before the notes about it. */
function fileOf({ resume }: ApplicationSubmission, absences: readonly string[], notes: readonly string[] = []) {
  const type = extname(resume.name).slice(1).toUpperCase();
  const facts = [type, sizeText(resume.size), absences.length > 0 ? 'not attached' : 'attached'];
  return { fileName: resume.name, facts: facts.filter(Boolean).join(', '), notes: [...absences, ...notes] };
}

/** The note in a mail of a submission that was quarantined and then released by an operator. */
function releaseNotices({ reasons = [] }: Pick<Submission, 'reasons'>): string[] {
  if (reasons.length === 0) return [];
  return [`This was quarantined because of: ${reasons.join(', ')}. An operator looked at it and released it.`];
}

/** Fills both templates with the same values, so that the parts say the same. */
function submissionMail(submission: Submission, settings: MailSettings, content: Content): Mail {
  const { id, requestId } = submission;
  const { email, phone } = submission.fields;
  const { name, subject, answerSubject, notices, fields, atHead, ...head } = content;
  const canReply = fitsReplyTo(email);
  const { texts, details } = fieldsBelow(submission.fields, fields, [...atHead, 'email', 'phone']);
  const call = telephoneUrl(phone);
  const values = {
    file: undefined,
    ...head,
    company: settings.COMPANY_NAME,
    name,
    email,
    phone,
    answer: answerUrl(email, `${answerSubject} (${id})`),
    call,
    phoneInWords: call === undefined && phone,
    canReply,
    notices: canReply ? notices : [...notices, CANNOT_REPLY],
    page: pageInInbox(id, settings),
    texts,
    details: [
      ...details,
      { label: 'Received', value: receivedAtText(submission, settings.TIME_ZONE) },
      { label: 'Reference', value: id },
    ],
    preview: previewOf(texts[0]?.text ?? head.file?.fileName ?? head.title),
  };
  return {
    to: recipientOf(submission, settings),
    subject: subjectLine(subject, id),
    messageId: messageIdOf(submission, settings.SITE_URL),
    requestId,
    ...(canReply && { replyTo: { name, address: email } }),
    text: fillText(values),
    html: fillHtml(values),
  };
}

/** Every field with a value that does not stand at the head, in the form's order, and any that the form does not know. */
function fieldsBelow(values: object, fields: readonly FormField[], atHead: readonly string[]) {
  const filled = new Map(Object.entries(values).filter(([name, value]) => value !== '' && !atHead.includes(name)));
  const names = new Set([...fields.map(({ name }) => name), ...filled.keys()].filter((name) => filled.has(name)));
  const shown = [...names].map((name) => {
    const field = fields.find((one) => one.name === name);
    const text = String(filled.get(name));
    return {
      label: plainLabel(field?.label ?? name),
      text,
      isLong: field?.input === 'textarea' || text.includes('\n'),
    };
  });
  return {
    texts: shown
      .filter(({ isLong }) => isLong)
      .map(({ label, text }) => ({
        label,
        underline: '-'.repeat(label.length),
        text,
        paragraphs: paragraphsOf(text),
      })),
    details: shown.filter(({ isLong }) => !isLong).map(({ label, text }) => ({ label, value: text })),
  };
}
