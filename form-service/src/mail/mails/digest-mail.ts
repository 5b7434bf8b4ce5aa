import { createHash } from 'node:crypto';
import type { MailSettings } from '../../settings/settings.ts';
import { chosenTopic, nounOf } from '../../contract/forms.ts';
import type { SpamReason, Submission } from '../../submissions/submission.ts';
import { capitalized, excerptOf, senderName, subjectOf, whyWaiting, withArticle } from '../../submissions/labels.ts';
import { readMail, unlinked, type Mail } from './mail.ts';
import { inboxPage } from '../../html/links.ts';
import { timeText, zoneText } from '../../html/format.ts';
import { serviceWords } from '../../contract/service-words.ts';

const words = serviceWords('mails').digest;

const fill = readMail('digest');

/** Commands that send a submission. */
const COMMANDS = { failed: 'resend', quarantined: 'release' } as const;

/** Reasons for which a text is never quoted: it is bait or code, and spam filters would reject the whole digest. */
const NEVER_QUOTED: readonly SpamReason[] = ['honeypot filled', 'markup of a web page'];

/** A submission that a digest names, and why. */
export interface DigestRow extends Submission {
  readonly why: 'failed' | 'quarantined' | 'reminded';
}

/**
 * Submissions that one recipient is notified of: they failed or were quarantined, or their reminder came due, between
 * `since` and `until`, in milliseconds since the epoch.
 */
export interface Digest extends Record<DigestRow['why'], number> {
  readonly recipient: string;
  readonly since: number;
  readonly until: number;
  /** First submissions, the reminders before the others. The numbers count all. */
  readonly rows: DigestRow[];
  /** Number of older submissions that still wait, and the time at which the first of them will be deleted. */
  older: number;
  firstDeletedAt: number;
}

/**
 * Returns the mail that lists submissions that wait for a decision. Text of visitors never becomes a link, because much
 * of it is spam.
 *
 * @param options.isQuoting whether the mail quotes visitors. A server may reject the mail for the quotes.
 */
export function digestMail(digest: Digest, settings: MailSettings, { isQuoting = true } = {}): Mail {
  const { recipient, since, until, rows, reminded, failed, quarantined, older, firstDeletedAt } = digest;
  const { SITE_URL, COMPANY_NAME, TIME_ZONE } = settings;
  const inbox = inboxPage(settings);
  const counts = [
    reminded && words.reminders({ count: reminded }),
    quarantined && words.heldBack({ count: quarantined }),
    failed && words.notDelivered({ count: failed }),
  ];
  const title = counts.filter(Boolean).join(', ');
  const isWaiting = failed + quarantined > 0;
  const unnamed = reminded + failed + quarantined - rows.length;
  const dayOf = (time: number) => timeText(time, TIME_ZONE, 'day', until);
  const span = { time: timeText(since, TIME_ZONE, 'long', until), zone: zoneText(TIME_ZONE) };
  const intro = isWaiting ? words.waiting(span) : words.due(span);
  const values = {
    kind: isWaiting ? words.decision : words.remember,
    title,
    preview: intro,
    intro,
    notice: !isQuoting && words.refused,
    items: rows.map((one) => ({
      ...visitorTexts(one, isQuoting),
      when: timeText(one.receivedAt, TIME_ZONE, 'short', until),
      reference: one.id,
      page: inboxPage(settings, one.id),
      why: one.why === 'reminded' ? words.reminder({ day: dayOf(one.remindAt ?? 0) }) : whyWaiting(one),
      command: inbox || one.why === 'reminded' ? undefined : `submissions ${COMMANDS[one.why]} ${one.id}`,
    })),
    more: unnamed > 0 && words.more({ count: unnamed }),
    older: older > 0 && words.older({ count: older, day: dayOf(firstDeletedAt) }),
    inbox,
    company: COMPANY_NAME,
  };
  const digestOf = createHash('sha256').update(recipient).digest('hex').slice(0, 16);
  return {
    to: recipient,
    subject: words.subject({ counts: title, day: dayOf(until) }),
    // The same with and without quotes, so that mail servers drop a second copy.
    messageId: `<digest.${until.toString(36)}.${digestOf}@${new URL(SITE_URL).hostname}>`,
    autoSubmitted: 'auto-generated',
    ...fill(values),
  };
}

/** Returns the visitor's texts of a row, or neutral ones in their place. */
function visitorTexts(submission: Submission, isQuoting: boolean) {
  const { reasons } = submission;
  if (isQuoting && !NEVER_QUOTED.some((reason) => reasons.includes(reason)))
    return {
      name: unlinked(senderName(submission)),
      about: unlinked(subjectOf(submission)),
      beginning: unlinked(excerptOf(submission)),
    };
  return {
    name: capitalized(withArticle(nounOf(submission.form))),
    about: chosenTopic(submission),
    beginning: '',
  };
}
