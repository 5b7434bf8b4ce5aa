import { chosenPosition, recipientOf } from '../../submissions/recipients.ts';
import type { MailSettings } from '../../settings/settings.ts';
import { chosenTopic, fieldOf, formOf, nounOf, valueOf } from '../../contract/forms.ts';
import { titleOf } from '../../submissions/labels.ts';
import type { Submission } from '../../submissions/submission.ts';
import { arrivalDetails, messageIdOf, readMail, subjectLine, type Mail } from './mail.ts';
import { serviceWords } from '../../contract/service-words.ts';

const words = serviceWords('mails').acknowledgement;

const fill = readMail('acknowledgement');

/**
 * Returns the mail that confirms a submission to the visitor. The address may be a stranger's (backscatter), so the mail
 * has no text of the visitor: it names a topic that the form offers, or the title of a job of the site.
 */
export function acknowledgementMail(submission: Submission, settings: MailSettings): Mail {
  const { id, form, requestId, receivedAt } = submission;
  const topic = chosenTopic(submission) || chosenPosition(submission);
  const noun = nounOf(form);
  const company = settings.COMPANY_NAME;
  // The same promise as on the page.
  const next = formOf(form)?.words.sentDetail ?? '';
  const values = {
    company,
    kind: words.kind,
    title: titleOf(words.title({ noun }), noun),
    preview: next,
    next,
    noun,
    details: [
      ...(topic ? [{ label: fieldOf(form, 'topic')?.label, value: topic }] : []),
      ...arrivalDetails(submission, settings),
    ],
  };
  return {
    to: valueOf(submission, 'email'),
    // A reply reaches the recipient of the submission, and discloses that address.
    replyTo: { name: company, address: recipientOf(submission, settings) },
    subject: subjectLine(topic ? titleOf(words.subjectWithTopic({ topic, noun }), noun) : values.title, id),
    // The same for every attempt, also if the state of the submission changes.
    messageId: messageIdOf({ id, receivedAt, stateSince: receivedAt }, settings.SITE_URL, 'acknowledgement'),
    requestId,
    autoSubmitted: 'auto-replied',
    ...fill(values),
  };
}
