import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { recipientOf } from '../../submissions/recipients.ts';
import type { MailSettings } from '../../config/settings.ts';
import type { FieldRole } from '../../contract/define-form.ts';
import { fieldOf, formOf, labelOf, nounOf, valueOf } from '../../contract/forms.ts';
import { telephoneUrl } from '../../contract/telephone.ts';
import { historyOf, type Submission } from '../../submissions/submission.ts';
import { answerTitle, capitalized, senderName, whyHeldBack } from '../../submissions/labels.ts';
import { answerUrl, fitsReplyTo, inboxPage } from '../../html/links.ts';
import { messageIdOf, paragraphsOf, previewOf, readMail, subjectLine, type Mail } from './mail.ts';
import { receivedAtText, sizeText } from '../../html/format.ts';

const fill = readMail('submission');

/** Facts about the file. Without `attached` and `finding`, the mail server does not accept the file. */
interface FileFacts {
  readonly attached?: () => Promise<Readable>;
  /** Code of the reply to the mail with the file, for example `SMTP 554 5.7.1`. Not set if the file is too large. */
  readonly refusal?: string | undefined;
  /** Name of the malware. */
  readonly finding?: string;
  /** Whether the PDF may ask for a password. */
  readonly isEncrypted?: boolean;
  /** Whether the end of the PDF is missing. */
  readonly isCutOff?: boolean;
}

/** Content of a mail in addition to the values of the form. */
interface Content {
  readonly kind: string;
  readonly subject: string;
  readonly file?: { readonly fileName: string; readonly facts: string; readonly notes: readonly string[] };
}

/** Roles of the fields at the head of the mail. */
const AT_HEAD: ReadonlySet<FieldRole> = new Set(['sender', 'topic', 'email', 'phone'] as const);

const CANNOT_REPLY =
  'Replying does not reach the visitor: an address like this one cannot stand in Reply-To. Write to the address itself.';
const MAY_ASK_FOR_PASSWORD = 'The PDF is encrypted and may ask for a password: if it does, ask the applicant.';

const SEEMS_CUT_OFF = 'The PDF seems to be cut off: if it does not open, ask the applicant.';

/** Returns the mail with a submission, for sales, HR or another mailbox. */
export function submissionMail(
  submission: Submission,
  settings: MailSettings,
  { attached, refusal, finding, isEncrypted = false, isCutOff = false }: FileFacts = {},
): Mail {
  const { form, resume } = submission;
  const [noun, topic] = [nounOf(form), valueOf(submission, 'topic')];
  const subject = `${topic ? `${topic} ${noun}` : capitalized(noun)} from ${senderName(submission)}`;
  if (!resume) return mailOf(submission, settings, { kind: `New ${noun}`, subject });
  const type = extname(resume.name).slice(1).toUpperCase();
  const facts = [type, sizeText(resume.size), attached ? 'attached' : 'not attached'].filter(Boolean).join(', ');
  const notes = [
    ...(attached ? [] : absenceNotes(submission, { refusal, finding }, settings.INBOX_USERS !== undefined)),
    ...(isEncrypted ? [MAY_ASK_FOR_PASSWORD] : []),
    ...(isCutOff ? [SEEMS_CUT_OFF] : []),
  ];
  // The notice of an earlier release would seem to be about this finding.
  const shown = finding ? { ...submission, reasons: [] } : submission;
  const mail = mailOf(shown, settings, {
    kind: finding ? `${capitalized(noun)} held back` : `New ${noun}`,
    subject: finding ? `Held back: ${subject}` : subject,
    file: { fileName: resume.name, facts, notes },
  });
  if (finding) return { ...mail, messageId: messageIdOf(submission, settings.SITE_URL, 'quarantined') };
  if (!attached) return mail;
  return {
    ...mail,
    attachment: { filename: resume.name, mediaType: resume.mediaType, size: resume.size, open: attached },
  };
}

/** Explains why the file is not attached and how to get it. */
function absenceNotes({ id, form }: Submission, { refusal, finding }: FileFacts, hasInbox: boolean): string[] {
  if (finding === undefined) {
    const why = refusal
      ? `the mail server does not accept this file (${refusal})`
      : 'it is too large for the mail server';
    const where = hasInbox
      ? 'Its page in the inbox has it.'
      : `Whoever runs the website can get it by the reference ${id}.`;
    return [`Not attached: ${why}. ${where}`];
  }
  return [
    `Not attached: the virus scanner found ${finding} in it, and the ${nounOf(form)} was held back.`,
    hasInbox
      ? 'On its page in the inbox it can be looked into and released.'
      : `Whoever runs the website can look into it and send it on, by the reference ${id}.`,
  ];
}

function mailOf(submission: Submission, settings: MailSettings, { subject, ...head }: Content): Mail {
  const { id, form, requestId, reasons } = submission;
  const [name, email, phone] = [senderName(submission), valueOf(submission, 'email'), valueOf(submission, 'phone')];
  const title = valueOf(submission, 'topic') || withoutTopicTitle(form);
  const canReply = fitsReplyTo(email);
  const { texts, details } = fieldsBelow(submission);
  const call = telephoneUrl(phone);
  const values = {
    file: undefined,
    ...head,
    title,
    company: settings.COMPANY_NAME,
    name,
    email,
    phone,
    answer: answerUrl(email, answerTitle(submission), id),
    call,
    sentOn: sentOnText(submission, settings),
    phoneInWords: call === undefined && phone,
    canReply,
    notices: [...(reasons.length > 0 ? [releaseNotice(submission)] : []), ...(canReply ? [] : [CANNOT_REPLY])],
    page: inboxPage(settings, id),
    texts,
    details: [
      ...details,
      { label: 'Received', value: receivedAtText(submission, settings.TIME_ZONE) },
      { label: 'Reference', value: id },
    ],
    preview: previewOf(texts[0]?.text ?? head.file?.fileName ?? title),
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

/** Title of a mail whose topic the visitor left empty. */
function withoutTopicTitle(form: string): string {
  const topic = formOf(form)?.words.topic;
  return topic && fieldOf(form, 'topic') ? `No ${topic} named` : capitalized(nounOf(form));
}

/** Explains why a submission was held back and who released it, in the words of the inbox. */
function releaseNotice(submission: Submission): string {
  const by = historyOf(submission).findLast(({ event }) => event === 'released')?.by;
  return `${whyHeldBack(submission.reasons)} Released${by ? ` by ${by}` : ''}.`;
}

/** Says who has sent a submission on to the mailbox that gets this mail, and why. */
function sentOnText(submission: Submission, settings: MailSettings): string | undefined {
  const last = historyOf(submission).findLast(({ event }) => event === 'sent on');
  if (!last || last.to !== recipientOf(submission, settings)) return undefined;
  return `Sent on by ${last.by ?? 'a colleague'}${last.text === undefined ? '' : `: ${last.text}`}`;
}

/** Returns the values that are not at the head, in the order of the form, with unknown fields last. */
function fieldsBelow({ form, fields: values }: Submission) {
  const fields = formOf(form)?.fields ?? [];
  const atHead = new Set(fields.filter(({ role }) => role && AT_HEAD.has(role)).map(({ name }) => name));
  const filled = new Map(Object.entries(values).filter(([name, value]) => value !== '' && !atHead.has(name)));
  const names = new Set([...fields.map(({ name }) => name), ...filled.keys()].filter((name) => filled.has(name)));
  const shown = [...names].map((name) => {
    const field = fields.find((one) => one.name === name);
    const value = String(filled.get(name));
    const isLong = field?.input === 'textarea' || value.includes('\n');
    return { label: labelOf(form, name), value, isLong };
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
