import { Injectable } from '@nestjs/common';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../config/durations.ts';
import { lastRefusalAt, type Submission } from '../submissions/submission.ts';

/** First and longest pause before a refused mail is tried again. */
const [FIRST_MS, LONGEST_MS] = [10 * MINUTE_MS, HOUR_MS] as const;

interface Mailbox {
  /** Time of the latest acceptance, in milliseconds since the epoch. */
  acceptedAt: number;
  /** Submissions that were refused, each with the code. */
  readonly waiting: Map<string, string>;
}

/**
 * Mails that the mail server refuses for good. The code does not say who is at fault: daily limits, sandboxes and poisoned
 * messages have the same ones. So a refused mail is tried again for a day. It is at fault if it is refused once more
 * although another mail to its mailbox was accepted meanwhile. Each acceptance makes those that wait due.
 */
@Injectable()
export class Refusals {
  firstMs: number = FIRST_MS;
  private readonly mailboxes = new Map<string, Mailbox>();

  /** Mailboxes that refuse mails, each with the code. */
  get mailboxesThatRefuse(): string[] {
    return [...this.mailboxes].flatMap(([address, { waiting }]) =>
      [...waiting.values()].slice(-1).map((code) => `${address} (${code})`),
    );
  }

  /** Records a refusal. @returns the pause before the next attempt; undefined if the mail has failed */
  pauseAfter(address: string, submission: Submission, code: string, now = Date.now()): number | undefined {
    const { acceptedAt, waiting } = this.of(address);
    const before = lastRefusalAt(submission);
    const waited = now - submission.stateSince;
    waiting.delete(submission.id);
    if (before !== undefined && (acceptedAt > before || waited > DAY_MS)) return undefined;
    waiting.set(submission.id, code);
    return Math.min(Math.max(waited, this.firstMs), LONGEST_MS);
  }

  /** Records that a mailbox has accepted a mail. @returns the submissions that wait for it, which are tried again */
  accept(address: string, at = Date.now()): string[] {
    const mailbox = this.of(address);
    const ids = [...mailbox.waiting.keys()];
    mailbox.acceptedAt = at;
    mailbox.waiting.clear();
    return ids;
  }

  private of(address: string): Mailbox {
    const known = this.mailboxes.get(address) ?? { acceptedAt: 0, waiting: new Map() };
    this.mailboxes.set(address, known);
    return known;
  }
}
