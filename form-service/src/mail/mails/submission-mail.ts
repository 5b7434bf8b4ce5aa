import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { recipientOf } from '../../submissions/recipients.ts';
import type { MailSettings } from '../../config/settings.ts';
import type { FieldRole } from '../../contract/define-form.ts';
import { fieldOf, formOf, nounOf, valueOf } from '../../contract/forms.ts';
import { telephoneUrl } from '../../contract/telephone.ts';
import { historyOf, type Submission } from '../../submissions/submission.ts';
import { answerTitle, capitalized, labelOf, senderName, userText, whyHeldBack } from '../../submissions/labels.ts';
import { answerUrl, fitsReplyTo, inboxPage } from '../../html/links.ts';
import { messageIdOf, paragraphsOf, previewOf, readMail, subjectLine, type Mail } from './mail.ts';
import { receivedAtText, sizeText } from '../../html/format.ts';
import { serviceWords } from '../../contract/service-words.ts';

const { submission: words, ...common } = serviceWords('mails');

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

/** Returns the mail with a submission, for sales, HR or another mailbox. */
export function submissionMail(
  submission: Submission,
  settings: MailSettings,
  { attached, refusal, finding, isEncrypted = false, isCutOff = false }: FileFacts = {},
): Mail {
  const { form, resume } = submission;
  const [noun, topic] = [nounOf(form), valueOf(submission, 'topic')];
  const name = senderName(submission);
  const subject = topic
    ? words.subjectWithTopic({ topic, noun, name })
    : words.subject({ noun: capitalized(noun), name });
  const kind = words.new({ noun });
  if (!resume) return mailOf(submission, settings, { kind, subject });
  const type = extname(resume.name).slice(1).toUpperCase();
  const facts = [type, sizeText(resume.size), attached ? words.attached : words.notAttached].filter(Boolean).join(', ');
  const notes = [
    ...(attached ? [] : absenceNotes(submission, { refusal, finding }, settings.INBOX_USERS !== undefined)),
    ...(isEncrypted ? [words.mayAskForPassword] : []),
    ...(isCutOff ? [words.seemsCutOff] : []),
  ];
  // The notice of an earlier release would seem to be about this finding.
  const shown = finding ? { ...submission, reasons: [] } : submission;
  const mail = mailOf(shown, settings, {
    kind: finding ? words.heldBack({ noun: capitalized(noun) }) : kind,
    subject: finding ? words.subjectHeldBack({ subject }) : subject,
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
    const why = refusal ? words.refused({ code: refusal }) : words.tooLarge;
    return [`${why} ${hasInbox ? words.fileInInbox : words.fileByReference({ reference: id })}`];
  }
  return [
    words.virus({ virus: finding, noun: nounOf(form) }),
    hasInbox ? words.virusInInbox : words.virusByReference({ reference: id }),
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
    notices: [...(reasons.length > 0 ? [releaseNotice(submission)] : []), ...(canReply ? [] : [words.cannotReply])],
    page: inboxPage(settings, id),
    texts,
    detailsUnderline: underlineOf(words.details),
    details: [
      ...details,
      { label: common.received, value: receivedAtText(submission, settings.TIME_ZONE) },
      { label: common.reference, value: id },
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

const underlineOf = (heading: string) => '-'.repeat(heading.length);

/** Title of a mail whose topic the visitor left empty. */
function withoutTopicTitle(form: string): string {
  const topic = formOf(form)?.words.topic;
  return topic && fieldOf(form, 'topic') ? words.withoutTopic({ topic }) : capitalized(nounOf(form));
}

/** Explains why a submission was held back and who released it, in the words of the inbox. */
function releaseNotice(submission: Submission): string {
  const by = historyOf(submission).findLast(({ event }) => event === 'released')?.by;
  return `${whyHeldBack(submission.reasons)} ${by ? words.releasedBy({ name: userText(by) }) : words.released}`;
}

/** Says who has sent a submission on to the mailbox that gets this mail, and why. */
function sentOnText(submission: Submission, settings: MailSettings): string | undefined {
  const last = historyOf(submission).findLast(({ event }) => event === 'sent on');
  if (!last || last.to !== recipientOf(submission, settings)) return undefined;
  const { by: name = words.colleague, text: why } = last;
  return why === undefined ? words.sentOn({ name }) : words.sentOnWhy({ name, why });
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
        underline: underlineOf(label),
        text,
        paragraphs: paragraphsOf(text),
      })),
    details: shown.filter(({ isLong }) => !isLong),
  };
}
