import { createHash } from 'node:crypto';
import type { MailSettings } from '../../config/settings.ts';
import type { Submission } from '../../submissions/submission.ts';
import { beginningOf, senderName, subjectOf, whyWaiting } from '../../submissions/words.ts';
import { readMail, type Mail } from './mail.ts';
import { inboxPage, unlinked } from './wording.ts';

const fill = readMail('digest');

/** A digest names so many submissions and counts the others. */
export const DIGEST_ROWS_MAX = 20;

/** What one recipient is told: what came into its state between the two times, in milliseconds since the epoch. */
export interface Digest {
  readonly recipient: string;
  readonly since: number;
  readonly until: number;
  readonly rows: Submission[];
  failed: number;
  quarantined: number;
  /** How many wait since before, and when the first of them will be deleted. */
  older: number;
  firstDeletedAt: number;
}

/** The mail that tells what waits for a person. What visitors wrote is never a link in it: much of it is spam. */
export function digestMail(digest: Digest, settings: MailSettings): Mail {
  const { recipient, since, until, rows, failed, quarantined, older, firstDeletedAt } = digest;
  const { SITE_URL, COMPANY_NAME, TIME_ZONE } = settings;
  const inbox = inboxPage(settings);
  const text = (time: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: TIME_ZONE }).format(time);
  const hour = { hour: '2-digit', minute: '2-digit' } as const;
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const title = [quarantined && `${quarantined} held back`, failed && `${failed} not delivered`]
    .filter(Boolean)
    .join(', ');
  const intro = `What was held back, or could not be delivered, since ${text(since, { ...day, ...hour, timeZoneName: 'short' })}.`;
  const values = {
    kind: 'Needs a decision',
    title,
    preview: intro,
    intro,
    items: rows.map((one) => ({
      name: unlinked(senderName(one)),
      about: unlinked(subjectOf(one)),
      when: text(one.receivedAt, { weekday: 'short', day: 'numeric', month: 'short', ...hour }),
      why: whyWaiting(one),
      beginning: unlinked(beginningOf(one)),
      reference: one.id,
      page: inboxPage(settings, one.id),
      command: inbox ? undefined : `submissions ${one.state === 'failed' ? 'resend' : 'release'} ${one.id}`,
    })),
    more: failed + quarantined > rows.length && `And ${failed + quarantined - rows.length} more.`,
    older:
      older > 0 &&
      `${older} older ${older === 1 ? 'one waits' : 'ones wait'} as well. ${older === 1 ? 'It' : 'The first'} is deleted on ${text(firstDeletedAt, day)}.`,
    inbox,
    company: COMPANY_NAME,
  };
  const digestOf = createHash('sha256').update(recipient).digest('hex').slice(0, 16);
  return {
    to: recipient,
    subject: `${title} (${text(until, day)})`,
    messageId: `<digest.${until.toString(36)}.${digestOf}@${new URL(SITE_URL).hostname}>`,
    ...fill(values),
  };
}
