import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { recipientOf } from '../../config/recipients.ts';
import type { MailSettings } from '../../config/settings.ts';
import { applicationFields, contactFields, type FormField } from '../../contract/fields.ts';
import type { ApplicationSubmission, ContactSubmission, Submission } from '../../submissions/submission.ts';
import { senderName } from '../../submissions/words.ts';
import { answerUrl, fitsReplyTo, telephoneUrl } from './contact-links.ts';
import { readMail, type Mail } from './mail.ts';
import {
  inboxPage,
  messageIdOf,
  paragraphsOf,
  plainLabel,
  previewOf,
  receivedAtText,
  sizeText,
  subjectLine,
} from './wording.ts';

const fill = readMail('submission');

/** What HR gets of a résumé. Without its bytes and a finding it is left in the storage: the mail server would not take it. */
interface Resume {
  readonly attached?: () => Promise<Readable>;
  /** What the virus scanner found in it. */
  readonly finding?: string;
  /** Whether it is a PDF that may ask for a password. */
  readonly isEncrypted?: boolean;
}

/** What a mail says beside the fields of the form. */
interface Content {
  readonly kind: string;
  readonly title: string;
  readonly subject: string;
  /** The subject of the answer, without the reference. */
  readonly answerSubject: string;
  readonly file?: { readonly fileName: string; readonly facts: string; readonly notes: readonly string[] };
  /** The form's fields, and the names of those that stand at the head of the mail. */
  readonly fields: readonly FormField[];
  readonly atHead: readonly string[];
}

const CANNOT_REPLY =
  'Replying does not reach the visitor: an address like this one cannot stand in Reply-To. Write to the address itself.';
const MAY_ASK_FOR_PASSWORD = 'The PDF is encrypted and may ask for a password: if it does, ask the applicant.';

/** The mail that brings an enquiry to sales. */
export function enquiryMail(submission: ContactSubmission, settings: MailSettings): Mail {
  const { name, service } = submission.fields;
  return submissionMail(submission, settings, {
    kind: 'New enquiry',
    title: service,
    subject: `${service} enquiry from ${name}`,
    answerSubject: `Your ${service} enquiry`,
    fields: contactFields,
    atHead: ['name', 'service', 'email', 'phone'],
  });
}

/** The mail that brings an application to HR. */
export function applicationMail(
  submission: ApplicationSubmission,
  settings: MailSettings,
  { attached, finding, isEncrypted = false }: Resume,
): Mail {
  const { id, fields, resume } = submission;
  const { fullName, position } = fields;
  const subject = `${position ? `${position} application` : 'Application'} from ${fullName}`;
  const type = extname(resume.name).slice(1).toUpperCase();
  const facts = [type, sizeText(resume.size), attached ? 'attached' : 'not attached'].filter(Boolean).join(', ');
  const notes = [
    ...(attached ? [] : absenceNotes(id, finding, settings.INBOX_USERS !== undefined)),
    ...(isEncrypted ? [MAY_ASK_FOR_PASSWORD] : []),
  ];
  // That it was released before, after another finding, would be read as said of this one.
  const told = finding ? { ...submission, reasons: [] } : submission;
  const mail = submissionMail(told, settings, {
    kind: finding ? 'Application quarantined' : 'New application',
    title: position || 'No position named',
    subject: finding ? `Quarantined: ${subject}` : subject,
    answerSubject: position ? `Your application as ${position}` : 'Your application',
    file: { fileName: resume.name, facts, notes },
    fields: applicationFields,
    atHead: ['fullName', 'position', 'email', 'phone'],
  });
  if (finding) return { ...mail, messageId: messageIdOf(submission, settings.SITE_URL, 'quarantined') };
  if (!attached) return mail;
  return {
    ...mail,
    attachment: { filename: resume.name, mediaType: resume.mediaType, size: resume.size, open: attached },
  };
}

/** Why the file is not there, and who has it. */
function absenceNotes(id: string, finding: string | undefined, hasInbox: boolean): string[] {
  if (finding === undefined) {
    const where = hasInbox
      ? 'Its page in the inbox has it.'
      : `Whoever runs the website can get it by the reference ${id}.`;
    return [`Not attached: it is too large for the mail server. ${where}`];
  }
  return [
    `Not attached: the virus scanner found ${finding} in it, and the application was quarantined.`,
    hasInbox
      ? 'On its page in the inbox it can be looked into and released.'
      : `Whoever runs the website can look into it and send it on, by the reference ${id}.`,
  ];
}

function submissionMail(
  submission: Submission,
  settings: MailSettings,
  { subject, answerSubject, fields, atHead, ...head }: Content,
): Mail {
  const { id, requestId, reasons } = submission;
  const { email, phone } = submission.fields;
  const name = senderName(submission);
  const canReply = fitsReplyTo(email);
  const { texts, details } = fieldsBelow(submission.fields, fields, atHead);
  const call = telephoneUrl(phone);
  const released = `This was quarantined because of: ${reasons.join(', ')}. An operator looked at it and released it.`;
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
    notices: [...(reasons.length > 0 ? [released] : []), ...(canReply ? [] : [CANNOT_REPLY])],
    page: inboxPage(settings, id),
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
    ...fill(values),
  };
}

/** Every field with a value that does not stand at the head, in the form's order, and any that the form does not know. */
function fieldsBelow(values: object, fields: readonly FormField[], atHead: readonly string[]) {
  const filled = new Map(Object.entries(values).filter(([name, value]) => value !== '' && !atHead.includes(name)));
  const names = new Set([...fields.map(({ name }) => name), ...filled.keys()].filter((name) => filled.has(name)));
  const shown = [...names].map((name) => {
    const field = fields.find((one) => one.name === name);
    const value = String(filled.get(name));
    const isLong = field?.input === 'textarea' || value.includes('\n');
    return { label: plainLabel(field?.label ?? name), value, isLong };
  });
  return {
    texts: shown
      .filter(({ isLong }) => isLong)
      .map(({ label, value: text }) => ({
        label,
        underline: '-'.repeat(label.length),
        text,
        paragraphs: paragraphsOf(text),
      })),
    details: shown.filter(({ isLong }) => !isLong),
  };
}
