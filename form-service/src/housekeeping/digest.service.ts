import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { Temporal } from 'temporal-polyfill';
import { allRecipients, recipientOf } from '../config/recipients.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Log } from '../observability/log.ts';
import { HealthService } from '../observability/health.service.ts';
import { deletedAt } from '../submissions/submission.ts';
import { SubmissionListsRepository } from '../submissions/submission-lists.repository.ts';
import { AlertsService } from '../alerts/alerts.service.ts';
import { MailboxHolds } from '../delivery/mailbox-holds.ts';
import { allEnded, Attempt, FINISH_MS } from '../mail/attempt.ts';
import { AttemptInterrupted, DeliveryError, deliveryErrorOf, type FailureKind } from '../mail/failure.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { digestMail, type Digest } from '../mail/mails/digest-mail.ts';
import { DigestsRepository, LEASE_MS } from './digests.repository.ts';

/** Maximum time between a submission's timestamp and its commit. A digest ends this long before its hour. */
const COMMIT_LAG_MS = 60_000;

/** Pause before a failed digest is sent again. */
const RETRY_MS = 15 * 60_000;

/** Time after which a digest that fails temporarily raises an alert. */
const ALERT_AFTER_MS = 60 * 60_000;

/** Maximum period of a new recipient's first digest. The row of a removed recipient may be much older. */
const FIRST_DIGEST_MAX_MS = 7 * 24 * 60 * 60_000;

/** Longer than a run, because the lease has room for all attempts of one. */
const STALLED_MS = LEASE_MS;

const DAY_MS = 24 * 60 * 60_000;

/** Failures that the content of the message may have caused. */
const CONTENT_FAILURES: ReadonlySet<FailureKind> = new Set(['permanent', 'too-large']);

/** Failures that do not end by themselves. */
const LASTING_FAILURES: ReadonlySet<FailureKind> = new Set([...CONTENT_FAILURES, 'mailbox-refused']);

/**
 * Sends each recipient a daily digest of the quarantined and failed submissions. Content and `Message-ID` of a digest
 * depend on its hour, not on the time of sending. If a worker dies before it stores the success, the next worker sends
 * the same mail.
 */
@Injectable()
export class DigestService implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Log('Digest');
  private readonly attempts = new Set<Attempt>();
  private running: Promise<void> | undefined;
  private isStopping = false;
  finishMs = FINISH_MS;
  /** Maximum number of submissions that a digest names. It counts the others. */
  rowsMax = 20;
  /** Recipients whose digest this worker could not send, with the begin, and whether a person has to act. */
  private readonly unsent = new Map<string, { readonly since: number; readonly isLasting: boolean }>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly digests: DigestsRepository,
    private readonly lists: SubmissionListsRepository,
    private readonly mailer: Mailer,
    private readonly alerts: AlertsService,
    private readonly health: HealthService,
    private readonly holds: MailboxHolds,
  ) {
    this.health.expectTask('digest', STALLED_MS);
  }

  /** Sends the digests that are due: at the hour, or later if no worker ran then. */
  @Cron(CronExpression.EVERY_MINUTE, { waitForCompletion: true })
  run(now = Date.now()): Promise<void> {
    return (this.running = this.health.runTask('digest', async () => {
      const { DIGEST_AT, TIME_ZONE } = this.settings;
      if (!DIGEST_AT || this.isStopping) return;
      const until = latestDigest(DIGEST_AT, TIME_ZONE, now) - COMMIT_LAG_MS;
      const positions = await this.digests.positions();
      // A new recipient starts at the earliest position of the others, or now if there is none.
      const first = Math.max(Math.min(now, ...positions.values()), now - FIRST_DIGEST_MAX_MS);
      // A clock that had jumped wrote a time in the future.
      const sinceOf = new Map([...positions].map(([one, at]) => [one, at <= now ? at : until - DAY_MS]));
      let collecting: Promise<ReadonlyMap<string, Digest>> | undefined;
      const collected = async (recipient: string) =>
        (await (collecting ??= this.collect(sinceOf, until))).get(recipient);
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
    }));
  }

  /** Aborts digests that wait for a connection at once, and those that are being sent after {@link finishMs}. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const attempt of this.attempts) if (!attempt.isRunning) attempt.end(new AttemptInterrupted('waiting'));
    setTimeout(() => {
      for (const attempt of this.attempts) attempt.end(new AttemptInterrupted('sending'));
    }, this.finishMs).unref();
  }

  /** The mailer and the database close later, so that the lease of a digest that was not sent can be released. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.running;
  }

  /** @param collected reads the digests of all recipients once, after the first lease */
  private async sendTo(
    { recipient, position, since, until, now }: Due,
    collected: (recipient: string) => Promise<Digest | undefined>,
  ): Promise<void> {
    if (since >= until) this.unsent.delete(recipient);
    const lease = since < until && (await this.digests.acquire(recipient, position));
    if (!lease) return;
    const digest = await collected(recipient);
    const isEmpty = digest === undefined || digest.failed + digest.quarantined === 0;
    if (digest && !isEmpty) {
      const attempt = new Attempt();
      this.attempts.add(attempt);
      try {
        // The shutdown may have begun before the attempt was in the set.
        if (this.isStopping) throw new AttemptInterrupted('waiting');
        await this.send(digest, attempt);
      } catch (error) {
        if (error instanceof AttemptInterrupted) {
          this.log.warn({ event: 'digest interrupted' });
          return await this.digests.release(lease, 0);
        }
        const { kind, reason: cause } = deliveryErrorOf(error);
        const failedSince = this.unsent.get(recipient)?.since ?? now;
        this.unsent.set(recipient, { since: failedSince, isLasting: LASTING_FAILURES.has(kind) });
        this.log.warn({ event: 'digest not sent', cause });
        return await this.digests.release(lease, RETRY_MS);
      } finally {
        this.attempts.delete(attempt);
      }
      this.log.log({ event: 'digest sent', count: digest.failed + digest.quarantined });
    }
    this.unsent.delete(recipient);
    await this.digests.complete(lease, until);
    if (!isEmpty) await this.holds.accepted(recipient);
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
      // A temporary failure can also be about the content. It is treated as such if it happens again.
      const isRepeated = error.kind === 'temporary' && error.reply && this.unsent.has(digest.recipient);
      if (!CONTENT_FAILURES.has(error.kind) && !isRepeated) throw error;
      this.log.warn({ event: 'digest refused', cause: error.reason });
      await this.mailer.send(digestMail(digest, this.settings, false), attempt);
    }
  }

  /** Collects the digests of all recipients in one pass over the table. */
  private async collect(sinceOf: ReadonlyMap<string, number>, until: number): Promise<ReadonlyMap<string, Digest>> {
    const digests = new Map<string, Digest>();
    for (const [recipient, since] of sinceOf) {
      const none = { rows: [], failed: 0, quarantined: 0, older: 0, firstDeletedAt: Infinity };
      digests.set(recipient, { recipient, since, until, ...none });
    }
    const states = ['failed', 'quarantined'] as const;
    for await (const one of this.lists.select({ states, stateUntil: until })) {
      const digest = digests.get(recipientOf(one, this.settings));
      if (one.handled || !digest) continue;
      if (one.stateSince > digest.since) {
        digest[one.state as (typeof states)[number]] += 1;
        if (digest.rows.length < this.rowsMax) digest.rows.push(one);
      } else {
        digest.older += 1;
        digest.firstDeletedAt = Math.min(digest.firstDeletedAt, deletedAt(one));
      }
    }
    return digests;
  }
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
