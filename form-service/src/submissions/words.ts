import type { HistoryEvent, Submission, SubmissionState } from './submission.ts';

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

/** Why a submission waits for a person, in sentences; empty where it does not. */
export function whyWaiting({ state, reasons, lastError }: Submission): string {
  if (state === 'failed') return `It could not be delivered. ${lastError ?? ''}`.trim();
  if (state !== 'quarantined' || reasons.length === 0) return '';
  const parts = reasons.map(
    (reason) => REASON_WORDS[reason] ?? reason.replace(/^virus scan: (.*)$/, 'the virus scanner found $1 in the file'),
  );
  const last = parts.pop() ?? '';
  return `We held this back because ${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last}.`;
}

/** Who sent it, as one typed it. */
export function senderName({ form, fields }: Submission): string {
  return form === 'contact' ? fields.name : fields.fullName;
}

/** What it is about: the service, or the position. */
export function subjectOf({ form, fields }: Submission): string {
  return form === 'contact' ? fields.service : fields.position || 'Application without a position';
}

/** How the text begins. It is more than its first line, since many letters begin with a greeting. */
export function beginningOf({ form, fields }: Submission): string {
  const text = form === 'contact' ? fields.message : fields.coverLetter;
  return text.slice(0, 400).replace(/\s+/g, ' ').trim().slice(0, 200);
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
