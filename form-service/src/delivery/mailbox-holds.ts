import { Inject, Injectable } from '@nestjs/common';
import { recipientOf, type RecipientSettings } from '../submissions/recipients.ts';
import { SETTINGS } from '../config/settings.ts';
import type { DeliveryError } from '../outbox/failure.ts';
import { Log } from '../observability/log.ts';
import { refusalsOf, type EventDetail, type Submission } from '../submissions/submission.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { SubmissionsRepository, type AttemptResult } from '../submissions/submissions.repository.ts';

/** Times of refusals and holds, in milliseconds. */
export const HOLD_TIMES = {
  /** Period within which two refusals are alike. */
  alike: 10 * 60_000,
  /** Pause before a refused message is tried once more. Within the period, so that two workers see both refusals. */
  again: 9 * 60_000,
  /** Pause before the first held message is tried. It doubles with each try, up to the interval of the others. */
  firstProbe: 10_000,
  probe: 5 * 60_000,
  /** A held submission fails after this time. */
  max: 24 * 60 * 60_000,
  /** Difference between the clocks of the worker and of the database up to which their times are not compared. */
  clocks: 5_000,
};

/** A submission that waits for what the mail server answers to others. */
interface Waiting {
  /** Start of the wait, in milliseconds since the epoch. */
  readonly since: number;
  readonly contentDigest: string;
  /** Latest refusal; not set for a message that was not tried yet. */
  readonly refusal?: { readonly code: string; readonly at: number };
}

/** State of a mailbox in this worker. */
interface Mailbox {
  readonly address: string;
  readonly waiting: Map<string, Waiting>;
  /** Submissions that waited until another message was accepted, and are tried once more. */
  readonly retried: Set<string>;
  acceptedAt: number;
  /** The refusal for which all messages to the mailbox wait. */
  hold?: { readonly code: string; readonly reason: string; readonly reply: EventDetail; refusedAt: number } | undefined;
}

/**
 * Decides who is at fault when the mail server refuses a message for good. A code alone does not say it: daily limits,
 * sandboxes and poisoned messages have the same ones. What other messages get is the evidence.
 *
 * - Two different messages to a mailbox are refused alike, and none is accepted in between: we are refused. All messages
 *   to the mailbox are held, uncounted, and one is tried every few minutes. Some codes say so by themselves.
 * - A message is accepted: the hold ends, and those that were refused are tried once more.
 * - A message is refused again while others are accepted, or alone: it fails.
 *
 * A hold covers all mailboxes if two agree on the code. The rows of the submissions are the evidence of other workers and
 * of the time before a restart. The hold itself is in memory: the next refusal begins it again.
 */
@Injectable()
export class MailboxHolds {
  times = HOLD_TIMES;
  private readonly log = new Log('Holds');
  private readonly mailboxes = new Map<string, Mailbox>();
  /** Code with which the server refuses two mailboxes, and therefore us. */
  private serverCode: string | undefined;
  private readonly probes = new Set<string>();
  private nextProbeAt = 0;
  private probePauseMs = 0;

  constructor(
    @Inject(SETTINGS) private readonly settings: RecipientSettings,
    private readonly submissions: SubmissionsRepository,
    private readonly search: SubmissionSearchRepository,
  ) {}

  /** Whether messages to the submission's mailbox wait. */
  isHeld(submission: Submission): boolean {
    return this.isWaiting(this.mailboxOf(submission));
  }

  /** Whether the submission may be sent now: its mailbox is not held, or it is the one that is tried. */
  admits(submission: Submission): boolean {
    return this.probes.delete(submission.id) || !this.isHeld(submission);
  }

  /** Lets a submission wait, because its mailbox is held. Returns its result. */
  postpone(submission: Submission): AttemptResult {
    const { id, contentDigest, attempts } = submission;
    const mailbox = this.mailboxOf(submission);
    const hold = mailbox.hold ?? [...this.mailboxes.values()].find((one) => one.hold)?.hold;
    const { since, last } = refusalsOf(submission);
    if (this.isOver(since)) {
      mailbox.waiting.delete(id);
      return { state: 'failed', attempts: attempts + (last ? 1 : 0), error: hold?.reason, event: hold?.reply };
    }
    mailbox.waiting.set(id, { since: since ?? Date.now(), contentDigest, ...(last && { refusal: last }) });
    return {
      pauseMs: this.parkMs,
      ...(!last && { error: `It waits, because the mail server refuses other mails. ${hold?.reason ?? ''}` }),
      event: since === undefined ? { event: 'held', ...(hold && { code: hold.code }) } : null,
    };
  }

  /**
   * Weighs a refusal, and returns its result.
   *
   * @param startedAt start of the attempt, in milliseconds since the epoch
   */
  async weigh(submission: Submission, failure: DeliveryError, startedAt: number): Promise<AttemptResult> {
    const { id, contentDigest, attempts } = submission;
    const { reason: error, reply = {} } = failure;
    const mailbox = this.mailboxOf(submission);
    const { since } = refusalsOf(submission);
    const now = Date.now();
    const wasRetried = mailbox.retried.delete(id);
    // Before anything is awaited, so that the refusals and acceptances of other connections find it. It becomes the last.
    mailbox.waiting.delete(id);
    mailbox.waiting.set(id, { since: since ?? now, contentDigest, refusal: { code: reply.code ?? error, at: now } });
    const verdict = this.isOver(since) ? 'fail' : await this.verdictOn(submission, failure, startedAt, wasRetried);
    // An acceptance that came meanwhile is later than this refusal.
    if (verdict === 'hold' && mailbox.waiting.has(id)) {
      await this.beginHold(mailbox, id, failure);
      return { pauseMs: this.parkMs, error, event: { event: 'held', ...reply } };
    }
    if (verdict === 'fail' || verdict === 'again alone') mailbox.waiting.delete(id);
    if (verdict === 'fail') return { state: 'failed', attempts: attempts + 1, error, event: reply };
    return { pauseMs: this.times.again, error, event: { event: 'refused', ...reply } };
  }

  /** Makes a submission due whose wait ended before its result was written. */
  async retryReleased(submission: Submission): Promise<void> {
    if (this.mailboxOf(submission).retried.has(submission.id)) await this.submissions.reschedule([submission.id], 0);
  }

  /**
   * Ends the hold of a mailbox that accepted a message, and tries those that waited once more. A reply that came before the
   * latest refusal says nothing about it: the result may be written later, for example when a limit begins.
   *
   * @param at time of the reply, in milliseconds since the epoch
   */
  async recordAcceptance(address: string, id?: string, at = Date.now()): Promise<void> {
    const mailbox = this.of(address);
    if (id !== undefined) {
      mailbox.waiting.delete(id);
      mailbox.retried.delete(id);
    }
    mailbox.acceptedAt = at;
    // A time in the future was written before the clock was set back.
    const isLater = ({ refusal }: Waiting) => refusal !== undefined && refusal.at > at && refusal.at <= Date.now();
    if ([...mailbox.waiting.values()].some(isLater)) return;
    if (this.isWaiting(mailbox))
      this.log.log({ event: 'mails no longer held', code: mailbox.hold?.code ?? this.serverCode });
    mailbox.hold = undefined;
    const others = this.serverCode === undefined ? [] : [...this.mailboxes.values()].filter(({ hold }) => !hold);
    this.serverCode = undefined;
    const ids = [...new Set([mailbox, ...others])].flatMap(({ waiting, retried }) => {
      const released = [...waiting.keys()];
      for (const one of released) retried.add(one);
      waiting.clear();
      return released;
    });
    await this.submissions.reschedule(ids, 0);
  }

  /**
   * Tries one held message of each mailbox when it is time, one that was not refused yet if there is any. Of those that
   * agree, it tries one in all. Postpones the others before they become due, so that thousands of them cost nothing.
   */
  async probe(now = Date.now()): Promise<void> {
    // A later time was computed before the clock was set back.
    const isEarly = now < this.nextProbeAt && this.nextProbeAt - now <= this.times.probe;
    if (isEarly || ![...this.mailboxes.values()].some(({ hold }) => hold)) return;
    this.scheduleProbe(now, 2 * this.probePauseMs);
    this.probes.clear();
    for (const { address, hold } of this.mailboxes.values())
      if (hold && (await this.isAcceptedBetween(address, hold.refusedAt, now))) await this.recordAcceptance(address);
    const held = [...this.mailboxes.values()].filter((mailbox) => this.isWaiting(mailbox));
    const single = held.filter(({ hold }) => this.serverCode === undefined || !hold);
    const groups = [held.filter((one) => !single.includes(one)), ...single.map((one) => [one])];
    for (const group of groups) {
      const waiting = group.flatMap((mailbox) => [...mailbox.waiting]);
      const over = waiting.filter(([, { since }]) => this.isOver(since, now)).map(([id]) => id);
      const rest = waiting.filter(([id]) => !over.includes(id));
      const [tried] = rest.find(([, { refusal }]) => !refusal) ?? rest[0] ?? [];
      if (tried !== undefined) this.probes.add(tried);
      await this.submissions.reschedule(
        rest.map(([id]) => id).filter((id) => id !== tried),
        this.parkMs,
      );
      await this.submissions.reschedule([...over, ...(tried === undefined ? [] : [tried])], 0);
    }
  }

  /**
   * Returns the mailboxes that are held, each with the code. A hold ends with the last submission that waits: another
   * worker may have delivered it, or a user may have erased it.
   */
  async heldMailboxes(): Promise<string[]> {
    const all = [...this.mailboxes.values()];
    const ids = all.flatMap(({ waiting }) => [...waiting.keys()]);
    const pending = await this.search.pendingOf(ids);
    const gone = ids.filter((id) => !pending.has(id));
    for (const mailbox of all) {
      for (const id of gone) mailbox.waiting.delete(id);
      if (mailbox.waiting.size === 0) mailbox.hold = undefined;
    }
    if (!all.some(({ hold }) => hold)) this.serverCode = undefined;
    return all.flatMap(({ address, hold }) => (hold ? [`${address} (${hold.code})`] : []));
  }

  private async verdictOn(
    submission: Submission,
    { kind, reply: { code = '' } = {} }: DeliveryError,
    startedAt: number,
    wasRetried: boolean,
  ): Promise<'hold' | 'fail' | 'again' | 'again alone'> {
    const mailbox = this.mailboxOf(submission);
    if (this.isWaiting(mailbox)) return 'hold';
    const { isHeld, last, latest } = refusalsOf(submission);
    const isAccepted =
      wasRetried || (latest !== undefined && (await this.isAcceptedBetween(mailbox.address, latest, startedAt)));
    const isOurs = kind === 'mailbox-refused';
    if (isAccepted && last && !isOurs) return 'fail';
    const isResumed = isHeld || isOurs;
    if ((isResumed && !isAccepted) || (await this.isAlike(mailbox, submission, code))) return 'hold';
    // Another connection may have begun a hold meanwhile.
    if (mailbox.hold) return 'hold';
    if (!last) return 'again';
    // The code says that the message is not at fault. It must not delay others, which are accepted.
    return isOurs ? 'again alone' : 'fail';
  }

  /** Whether another message to the mailbox was refused with this code, and none was accepted since. */
  private async isAlike(
    { address, waiting, retried }: Mailbox,
    { id, contentDigest }: Submission,
    code: string,
  ): Promise<boolean> {
    const since = Date.now() - this.times.alike;
    // An acceptance empties the list.
    for (const { refusal, contentDigest: digest } of waiting.values())
      if (refusal?.code === code && refusal.at > since && digest !== contentDigest) return true;
    const refused = await this.search.refusedWith(code, this.times.alike);
    for (const other of refused) {
      const { last } = refusalsOf(other);
      const isOther = other.id !== id && other.contentDigest !== contentDigest && !retried.has(other.id);
      if (!isOther || last?.code !== code || last.at <= since || this.mailboxOf(other).address !== address) continue;
      if (!(await this.isAcceptedBetween(address, last.at, Date.now()))) return true;
    }
    return false;
  }

  private async isAcceptedBetween(address: string, after: number, before: number): Promise<boolean> {
    const { acceptedAt } = this.of(address);
    if (acceptedAt > after && acceptedAt < before) return true;
    const { clocks } = this.times;
    const delivered = await this.search.deliveredBetween(after + clocks, before - clocks);
    return delivered.some((one) => recipientOf(one, this.settings) === address);
  }

  private async beginHold(mailbox: Mailbox, id: string, { reason, reply = {} }: DeliveryError): Promise<void> {
    const now = Date.now();
    if (mailbox.hold) return void (mailbox.hold.refusedAt = now);
    const { code = reason } = reply;
    const others = [...this.mailboxes.values()].filter(({ hold }) => hold);
    const isAgreed = others.some(({ hold }) => hold?.code === code);
    mailbox.hold = { code, reason, reply, refusedAt: now };
    if (isAgreed) this.serverCode = code;
    if (others.length === 0) this.scheduleProbe(now, this.times.firstProbe);
    this.log.warn({ event: isAgreed ? 'all mails held' : 'mails held', code });
    const refused = [...mailbox.waiting.keys()].filter((one) => one !== id);
    await this.submissions.reschedule(refused, this.parkMs, { event: 'held', code });
  }

  private scheduleProbe(now: number, pauseMs: number): void {
    this.probePauseMs = Math.min(pauseMs, this.times.probe);
    this.nextProbeAt = now + this.probePauseMs;
  }

  private isWaiting({ hold }: Mailbox): boolean {
    return hold !== undefined || this.serverCode !== undefined;
  }

  private isOver(since: number | undefined, now = Date.now()): boolean {
    return since !== undefined && now - since >= this.times.max;
  }

  /** Time until the next attempt of a held submission. If the worker dies, another one tries it then. */
  private get parkMs(): number {
    return 2 * this.times.probe;
  }

  private mailboxOf(submission: Submission): Mailbox {
    return this.of(recipientOf(submission, this.settings));
  }

  private of(address: string): Mailbox {
    const known = this.mailboxes.get(address);
    if (known) return known;
    const mailbox: Mailbox = { address, waiting: new Map(), retried: new Set(), acceptedAt: 0 };
    this.mailboxes.set(address, mailbox);
    return mailbox;
  }
}
