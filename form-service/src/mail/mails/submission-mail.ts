import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { recipientOf } from '../../submissions/recipients.ts';
import type { MailSettings } from '../../settings/settings.ts';
import { fieldOf, formOf, nounOf, valueOf } from '../../contract/forms.ts';
import { telephoneUrl } from '../../contract/telephone.ts';
import { historyOf, type Submission } from '../../submissions/submission.ts';
import {
  answerTitle,
  capitalized,
  senderName,
  shownValues,
  titleOf,
  userText,
  whyHeldBack,
} from '../../submissions/labels.ts';
import { answerUrl, fitsReplyTo, inboxPage } from '../../html/links.ts';
import { arrivalDetails, messageIdOf, paragraphsOf, previewOf, readMail, subjectLine, type Mail } from './mail.ts';
import { sizeText } from '../../html/format.ts';
import { serviceWords } from '../../contract/service-words.ts';

const words = serviceWords('mails').submission;

const fill = readMail('submission');

/** Facts about the file. Without `attached` and `finding`, the mail server does not accept the file. */
interface FileFacts {
  readonly attached?: () => Promise<Readable>;
  /** Code of the reply to the mail with the file, for example `SMTP 554 5.7.1`. Not set if the file is too large. */
  readonly refusal?: string | undefined;
  /** Name of the malware. */
  readonly finding?: string;
}

/** Roles of the fields at the head of the mail. */
const AT_HEAD = ['sender', 'topic', 'email', 'phone'] as const;

/** Returns the mail with a submission, for sales, HR or another mailbox. */
export function submissionMail(submission: Submission, settings: MailSettings, facts: FileFacts = {}): Mail {
  const { id, form, requestId, resume } = submission;
  const { attached, finding } = facts;
  const [topic, email, name] = [valueOf(submission, 'topic'), valueOf(submission, 'email'), senderName(submission)];
  const noun = nounOf(form);
  const usual = titleOf(topic ? words.subjectWithTopic({ topic, noun, name }) : words.subject({ noun, name }), noun);
  return {
    to: recipientOf(submission, settings),
    subject: subjectLine(finding ? words.subjectHeldBack({ subject: usual }) : usual, id),
    messageId: messageIdOf(submission, settings.SITE_URL, finding && 'quarantined'),
    requestId,
    ...(fitsReplyTo(email) && { replyTo: { name, address: email } }),
    ...fill(valuesOf(submission, settings, facts)),
    ...(resume &&
      attached && {
        attachment: { filename: resume.name, mediaType: resume.mediaType, size: resume.size, open: attached },
      }),
  };
}

/** Returns the values of the templates. */
function valuesOf(submission: Submission, settings: MailSettings, facts: FileFacts) {
  const { id, form, reasons } = submission;
  const [name, email, phone] = [senderName(submission), valueOf(submission, 'email'), valueOf(submission, 'phone')];
  const noun = nounOf(form);
  const title = valueOf(submission, 'topic') || withoutTopicTitle(form);
  const file = fileValues(submission, settings, facts);
  const { texts, details } = fieldsBelow(submission);
  const call = telephoneUrl(phone);
  return {
    kind: titleOf(facts.finding ? words.heldBack({ noun }) : words.new({ noun }), noun),
    title,
    company: settings.COMPANY_NAME,
    name,
    email,
    phone,
    answer: answerUrl(email, answerTitle(submission), id),
    call,
    sentOn: sentOnText(submission, settings),
    phoneInWords: call === undefined && phone,
    canReply: fitsReplyTo(email),
    notices: [
      // The notice of an earlier release would seem to be about this finding.
      ...(reasons.length > 0 && !facts.finding ? [releaseNotice(submission)] : []),
      ...(fitsReplyTo(email) ? [] : [words.cannotReply]),
    ],
    page: inboxPage(settings, id),
    file,
    texts,
    detailsUnderline: underlineOf(words.details),
    details: [...details, ...arrivalDetails(submission, settings)],
    preview: previewOf(texts[0]?.text ?? file?.fileName ?? title),
  };
}

function fileValues(submission: Submission, { INBOX_USERS }: MailSettings, facts: FileFacts) {
  const { resume } = submission;
  if (!resume) return undefined;
  const type = extname(resume.name).slice(1).toUpperCase();
  const { attached } = facts;
  return {
    fileName: resume.name,
    facts: [type, sizeText(resume.size), attached ? words.attached : words.notAttached].filter(Boolean).join(', '),
    notes: attached ? [] : absenceNotes(submission, facts, INBOX_USERS !== undefined),
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

/** Says who has sent a submission on to the mailbox that gets this mail. */
function sentOnText(submission: Submission, settings: MailSettings): string | undefined {
  const last = historyOf(submission).findLast(({ event }) => event === 'sent on');
  if (!last || last.to !== recipientOf(submission, settings)) return undefined;
  return words.sentOn({ name: last.by ?? words.colleague });
}

/** Returns the values that are not at the head. */
function fieldsBelow(submission: Submission) {
  const shown = shownValues(submission, AT_HEAD);
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
