import type { FollowUp } from '../follow-ups/follow-ups.repository.ts';
import type { HistoryEvent, Submission, SubmissionState } from '../submissions/submission.ts';

/** What sales and HR call a state. */
export const STATE_WORDS: Readonly<Record<SubmissionState, string>> = {
  pending: 'On its way',
  delivered: 'Delivered',
  failed: 'Not delivered',
  quarantined: 'Held back',
};

/** Why the spam filter and the virus scan hold something back, each as the end of "We held this back because". */
const REASON_WORDS: Readonly<Record<string, string>> = {
  'honeypot filled': 'a field was filled in that people cannot see',
  'same text from several senders': 'the same text came from several senders',
  'markup of a web page': 'it contains code of a web page',
  'many links': 'it has more than five links',
  'link in a name or phone number': 'a link stands where a name or phone number belongs',
  'sent within seconds': 'it was sent within seconds of opening the form',
  'form token not ours': 'it did not come from our form',
  'form token used often': 'the same opened form was sent many times',
  'form token of long ago': 'its form was opened long ago',
  links: 'it has links',
};

/** Why something was held back, as one sentence; empty where it was not. */
export function heldBackBecause(reasons: readonly string[]): string {
  if (reasons.length === 0) return '';
  const parts = reasons.map((reason) => REASON_WORDS[reason] ?? virusWords(reason));
  const last = parts.pop() ?? '';
  return `We held this back because ${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last}.`;
}

/** The virus scan's reason names what was found. */
const virusWords = (reason: string): string => `the virus scanner found something in the file (${reason})`;

/** Who sent it, as one typed it. */
export function senderName({ form, fields }: Submission): string {
  return form === 'contact' ? fields.name : fields.fullName;
}

/** What it is about: the service, or the position. */
export function subjectOf({ form, fields }: Submission): string {
  return form === 'contact' ? fields.service : fields.position || 'Application without a position';
}

/** The first line of what was written. */
export function firstLine({ form, fields }: Submission): string {
  const text = form === 'contact' ? fields.message : fields.coverLetter;
  return text.trim().split(/\s*\n/, 1)[0]?.slice(0, 200) ?? '';
}

/** One line of a submission's history. The mail server's words are shown as it said them. */
export function historyWords(event: HistoryEvent): string {
  const by = event.by ? ` by ${event.by}` : '';
  const said = event.reply ?? event.code ?? 'no answer';
  switch (event.event) {
    case 'attempt':
      return `The mail did not get through: ${said}`;
    case 'delivered':
      return `The mail server took the mail${event.reply ? `: ${event.reply}` : ''}`;
    case 'released':
      return `Released${by}`;
    case 'sent again':
      return `Sent again${by}`;
    case 'failed':
      return `The mail was refused for good: ${said}`;
    case 'quarantined':
      return 'Held back after the virus scan';
    case 'downloaded':
      return `The résumé was downloaded${by}`;
  }
}

/** What became of what is sent beside the mail. */
export function followUpWords({ kind, state, lastError }: FollowUp): string {
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
