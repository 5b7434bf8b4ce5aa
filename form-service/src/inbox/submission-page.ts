import { applicationFields, contactFields, type FormField } from '../contract/fields.ts';
import { plainLabel, sizeText } from '../delivery/mails/wording.ts';
import type { FollowUp } from '../follow-ups/follow-ups.repository.ts';
import { deletedAt, historyOf, type Submission } from '../submissions/submission.ts';
import { historyWords, senderName, subjectOf, whyWaiting } from '../submissions/words.ts';
import { readPage, stateSlots, timeSlots, type Frame } from './page.ts';

const fillSubmission = readPage('submission');
const fillErase = readPage('erase');

/** One submission, as `pages/submission.html` has it. */
export function submissionPage(
  frame: Frame,
  submission: Submission,
  followUps: readonly FollowUp[],
  timeZone: string,
): string {
  const { id, form, state, receivedAt, nextAttemptAt, lastError } = submission;
  const [name, subject] = [senderName(submission), subjectOf(submission)];
  const happened = [
    ...historyOf(submission).map((event) => ({ at: Date.parse(event.at), what: historyWords(event) })),
    ...followUps.map((one) => ({ at: one.stateSince, what: followUpWords(one) })),
  ].toSorted((a, b) => a.at - b.at);
  return fillSubmission(frame, {
    title: `${name}: ${subject}`,
    id,
    name,
    subject,
    thing: THINGS[form],
    ...stateSlots(state),
    received: timeSlots(receivedAt, timeZone),
    lastError,
    nextAttempt: state === 'pending' && nextAttemptAt > 0 && timeSlots(nextAttemptAt, timeZone),
    why: whyWaiting(submission),
    advice:
      state === 'failed'
        ? 'Read it here, or send it again once the inbox works.'
        : 'Release it if it is meant for you.',
    deletedAt: (state === 'failed' || state === 'quarantined') && timeSlots(deletedAt(submission), timeZone),
    isQuarantined: state === 'quarantined',
    isFailed: state === 'failed',
    isDelivered: state === 'delivered',
    isApplication: form === 'application',
    fields: fieldsOf(submission),
    happened: [{ at: receivedAt, what: 'Received' }, ...happened].map(({ at, what }) => {
      return { what, ...timeSlots(at, timeZone) };
    }),
  });
}

/** The second look before an erasure. */
export function erasePage(frame: Frame, submission: Submission): string {
  const { id, form } = submission;
  const [name, thing] = [senderName(submission), THINGS[form]];
  const what = form === 'application' ? 'All fields, the file and the history' : 'All fields and the history';
  return fillErase(frame, { title: `Erase the ${thing} of ${name}?`, id, name, thing, what });
}

const THINGS = { contact: 'enquiry', application: 'application' } as const;

function fieldsOf(submission: Submission) {
  const { fields, resume } = submission;
  const known: readonly FormField[] = submission.form === 'contact' ? contactFields : applicationFields;
  const values: Readonly<Record<string, string>> = {
    // What a newer form has is shown too, and what an older form had.
    ...Object.fromEntries(known.map(({ name }) => [name, ''])),
    ...fields,
    ...(resume && { resume: `${resume.name} (${sizeText(resume.size)})` }),
  };
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({
      label: plainLabel(known.find((field) => field.name === name)?.label ?? name),
      value,
    }));
}

/** What became of what is sent beside the mail. */
function followUpWords({ kind, state, lastError }: FollowUp): string {
  const why = lastError ? `: ${lastError}` : '';
  if (kind === 'acknowledgement')
    return {
      pending: `The sender is told that it arrived once the mail is out${why}`,
      delivered: 'The sender was told that it arrived',
      failed: `The sender was not told that it arrived${why}`,
    }[state];
  return {
    pending: `The connected program does not have it yet${why}`,
    delivered: 'The connected program took it',
    failed: `The connected program did not take it${why}`,
  }[state];
}
