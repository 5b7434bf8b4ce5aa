import { Inject, Injectable } from '@nestjs/common';
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, HOUR_MS } from '../config/durations.ts';
import { allRecipients, recipientOf } from '../submissions/recipients.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Log } from '../observability/log.ts';
import { deletedAt, type Submission } from '../submissions/submission.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { AlertsService } from '../alerts/alerts.service.ts';
import type { Attempt } from '../outbox/attempt.ts';
import { AttemptInterrupted, DeliveryError, deliveryErrorOf } from '../outbox/failure.ts';
import { allEnded, LeasedWork } from '../outbox/leased-work.ts';
import { LONGEST_PAUSE_MS } from '../outbox/retry-delay.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { digestMail, type Digest } from '../mail/mails/digest-mail.ts';
import { DigestsRepository, LEASE_MS, type DigestLease } from './digests.repository.ts';

/** Maximum time between a submission's timestamp and its commit. A digest ends this long before its hour. */
const COMMIT_LAG_MS = 60_000;

/** Time after which a digest that fails temporarily raises an alert. */
const ALERT_AFTER_MS = HOUR_MS;

/** Maximum period of a new recipient's first digest. The row of a removed recipient may be much older. */
const FIRST_DIGEST_MAX_MS = 7 * DAY_MS;

/**
 * Sends each recipient a daily digest of the quarantined and failed submissions, and of reminders. Content and `Message-ID` of a digest
 * depend on its hour, not on the time of sending. If a worker dies before it stores the success, the next worker sends
 * the same mail.
 */
@Injectable()
export class DigestService {
  private readonly log = new Log('Digest');
  /** Maximum number of submissions that a digest names. It counts the others. */
  rowsMax = 20;
  /** Recipients whose digest this worker could not send. */
  private readonly unsent = new Map<string, Unsent>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly digests: DigestsRepository,
    private readonly search: SubmissionSearchRepository,
    private readonly mailer: Mailer,
    private readonly alerts: AlertsService,
    private readonly leasedWork: LeasedWork,
  ) {}

  /** Sends the digests that are due: at the hour, or later if no worker ran then. */
  async run(now = Date.now()): Promise<void> {
    const { DIGEST_AT, TIME_ZONE } = this.settings;
    if (!DIGEST_AT) return;
    const until = latestDigest(DIGEST_AT, TIME_ZONE, now) - COMMIT_LAG_MS;
    const positions = await this.digests.positions();
    // A new recipient starts at the earliest position of the others, or now if there is none.
    const first = Math.max(Math.min(now, ...positions.values()), now - FIRST_DIGEST_MAX_MS);
    // A clock that had jumped wrote a time in the future.
    const sinceOf = new Map([...positions].map(([one, at]) => [one, at <= now ? at : until - DAY_MS]));
    let collecting: Promise<ReadonlyMap<string, Digest>> | undefined;
    const collected = async (recipient: string) => (await (collecting ??= this.collect(sinceOf, until))).get(recipient);
    const sending = allRecipients(this.settings).map((recipient) => {
      const position = positions.get(recipient);
      return position === undefined
        ? this.digests.begin(recipient, first)
        : this.sendTo({ recipient, position, since: sinceOf.get(recipient) ?? until, until, now }, collected);
    });
    await allEnded(sending);
    const overdue = [...this.unsent].filter(([, one]) => one.isLasting || now - one.since >= ALERT_AFTER_MS);
    this.alerts.update(
      'digest-not-sent',
      overdue.map(([recipient]) => recipient),
      now,
    );
  }

  /** @param collected reads the digests of all recipients once, after the first lease */
  private async sendTo(
    { recipient, position, since, until, now }: Due,
    collected: (recipient: string) => Promise<Digest | undefined>,
  ): Promise<void> {
    if (since >= until) return void this.unsent.delete(recipient);
    await this.leasedWork.run(() => this.digests.acquire(recipient, position), {
      leaseMs: LEASE_MS,
      renew: (lease) => this.digests.renew(lease),
      run: async (lease, attempt) => {
        const digest = await collected(recipient);
        const count = digest ? digest.failed + digest.quarantined + digest.reminded : 0;
        if (digest && count > 0) {
          try {
            await this.send(digest, attempt);
          } catch (error) {
            return this.recordFailure(lease, error, now);
          }
          this.log.log({ event: 'digest sent', count });
        }
        this.unsent.delete(recipient);
        await this.leasedWork.write(() => this.digests.complete(lease, until));
      },
    });
  }

  /** Ends the lease of a digest that was not sent. */
  private async recordFailure(lease: DigestLease, error: unknown, now: number): Promise<void> {
    if (error instanceof AttemptInterrupted) {
      this.log.warn({ event: 'digest interrupted' });
      return this.digests.release(lease, 0);
    }
    const { isPermanent, reason: cause } = deliveryErrorOf(error);
    const { since = now } = this.unsent.get(lease.recipient) ?? {};
    this.unsent.set(lease.recipient, { since, isLasting: isPermanent });
    this.log.warn({ event: 'digest not sent', cause });
    // A digest is not urgent, so it begins with the longest pause of the senders.
    await this.digests.release(lease, LONGEST_PAUSE_MS);
  }

  /**
   * Sends a digest. If the server rejects its content, it is sent again without visitors' words: submissions fail for
   * good because of such words, so a server that refused one refuses the digest that quotes it.
   */
  private async send(digest: Digest, attempt: Attempt): Promise<void> {
    try {
      await this.mailer.send(digestMail(digest, this.settings), attempt);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      // A temporary failure can also be about the content. The second one with a reply counts as a refusal of it.
      const isRepeated = error.kind === 'refused' && error.reply && this.unsent.has(digest.recipient);
      if (!(error.kind === 'refused' && error.isPermanent) && !isRepeated) throw error;
      this.log.warn({ event: 'digest refused', cause: error.reason });
      await this.mailer.send(digestMail(digest, this.settings, { isQuoting: false }), attempt);
    }
  }

  /** Collects the digests of all recipients in one pass over the table. */
  private async collect(sinceOf: ReadonlyMap<string, number>, until: number): Promise<ReadonlyMap<string, Digest>> {
    const digests = new Map<string, Digest>();
    for (const [recipient, since] of sinceOf) {
      const none = {
        rows: [],
        failed: 0,
        quarantined: 0,
        older: 0,
        firstDeletedAt: Infinity,
        reminders: [],
        reminded: 0,
      };
      digests.set(recipient, { recipient, since, until, ...none });
    }
    const digestOf = (one: Submission) => digests.get(recipientOf(one, this.settings));
    const states = ['failed', 'quarantined'] as const;
    for await (const one of this.search.select({ states, stateUntil: until })) {
      const digest = digestOf(one);
      if (one.handled || !digest) continue;
      if (one.stateSince > digest.since) {
        digest[one.state as (typeof states)[number]] += 1;
        if (digest.rows.length < this.rowsMax) digest.rows.push(one);
      } else {
        digest.older += 1;
        digest.firstDeletedAt = Math.min(digest.firstDeletedAt, deletedAt(one, this.settings));
      }
    }
    // Reminders are set for a later day, so theirs are up to the hour: at midnight, those of the day that begins.
    const first = Math.min(...sinceOf.values());
    for await (const one of this.search.reminders(first + COMMIT_LAG_MS, until + COMMIT_LAG_MS)) {
      const digest = digestOf(one);
      if (!digest || (one.remindAt ?? 0) <= digest.since + COMMIT_LAG_MS) continue;
      digest.reminded += 1;
      if (digest.reminders.length < this.rowsMax) digest.reminders.push(one);
    }
    return digests;
  }
}

/** A digest that could not be sent: since when, and whether a person has to act. */
interface Unsent {
  readonly since: number;
  readonly isLasting: boolean;
}

/** A recipient whose digest may be due. Times are milliseconds since the epoch. */
interface Due {
  readonly recipient: string;
  /** Stored end of the period of the latest digest. */
  readonly position: number;
  /** Period of this digest. */
  readonly since: number;
  readonly until: number;
  readonly now: number;
}

/**
 * Returns when the latest digest was due, in milliseconds since the epoch. Each day has one digest, even if daylight
 * saving time skips the hour (then an hour later) or repeats it (then the first time).
 */
export function latestDigest(at: string, timeZone: string, now: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const [due = 0, yesterday = 0] = [today, today.subtract({ days: 1 })].map(
    (day) => day.toZonedDateTime({ timeZone, plainTime: at }).epochMilliseconds,
  );
  return due <= now ? due : yesterday;
}
