import { HOUR_MS } from '../config/durations.ts';
import { recipientOf, type RecipientSettings } from '../submissions/recipients.ts';
import { historyOf, type Submission } from '../submissions/submission.ts';

/** Time after which a temporary refusal (4xx) is reported. Greylisting ends sooner by itself. */
const TEMPORARY_MS = HOUR_MS;

/**
 * Returns the mailboxes whose mails the server refuses, each with the code, and the server's words.
 *
 * @param waiting submissions whose mail was tried in vain
 */
export function refusalsOf(
  waiting: readonly Submission[],
  settings: RecipientSettings,
  now = Date.now(),
): ReadonlyMap<string, string> {
  const refusals = new Map<string, string>();
  for (const submission of waiting) {
    const { code, reply } = historyOf(submission).findLast(({ event }) => event === 'attempt') ?? {};
    const isReported = reply?.startsWith('5') || now - submission.stateSince >= TEMPORARY_MS;
    if (reply && isReported) refusals.set(`${recipientOf(submission, settings)} (${code})`, reply);
  }
  return refusals;
}
