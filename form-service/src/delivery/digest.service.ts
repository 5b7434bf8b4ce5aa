import { Inject, Injectable } from '@nestjs/common';
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, HOUR_MS } from '../settings/durations.ts';
import { allRecipients, recipientOf } from '../submissions/recipients.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { Log } from '../observability/log.ts';
import { deletedAt, type Submission } from '../submissions/submission.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { AlertsService } from '../alerts/alerts.service.ts';
import { DeliveryError } from '../outbox/attempt.ts';
import { DigestsRepository, type DigestLease } from '../outbox/digests.repository.ts';
import { allEnded, Outbox, type Outcome } from '../outbox/outbox.service.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { digestMail, type Digest, type DigestRow } from '../mail/mails/digest-mail.ts';

/** Maximum time between a submission's timestamp and its commit. A digest ends this long before its hour. */
const COMMIT_LAG_MS = 60_000;

/** Time after which a digest that is due and not sent raises an alert. */
const LATE_MS = HOUR_MS;

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

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly digests: DigestsRepository,
    private readonly search: SubmissionSearchRepository,
    private readonly mailer: Mailer,
    private readonly alerts: AlertsService,
    private readonly outbox: Outbox,
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
    const recipients = allRecipients(this.settings);
    const due = recipients.filter((recipient) => (sinceOf.get(recipient) ?? until) < until);
    await allEnded([
      ...recipients.filter((one) => !positions.has(one)).map((one) => this.digests.begin(one, first)),
      ...due.map((one) => this.sendTo(one, positions.get(one) ?? until, until, collected)),
    ]);
    const late = due.length > 0 && now - until >= LATE_MS ? await this.digests.positions() : undefined;
    this.alerts.update('digest-not-sent', late ? due.filter((one) => late.get(one) !== until) : false, now);
  }

  /** @param collected reads the digests of all recipients once, after the first lease */
  private sendTo(
    recipient: string,
    position: number,
    until: number,
    collected: (recipient: string) => Promise<Digest | undefined>,
  ): Promise<void> {
    return this.outbox.run<DigestLease, number>(() => this.digests.acquire(recipient, position), {
      attemptsOf: ({ attempts }) => attempts,
      // The lease is as long as an attempt.
      renew: async () => true,
      send: async ({ attempts }, signal) => {
        const digest = await collected(recipient);
        const count = digest ? digest.failed + digest.quarantined + digest.reminded : 0;
        if (digest && count > 0) await this.send(digest, attempts > 0, signal);
        return count;
      },
      settle: (lease, outcome) => this.settle(lease, outcome, until),
    });
  }

  /** After the last wait a digest is tried once a day. */
  private async settle(
    lease: DigestLease,
    { sent, failure, attempts, pauseMs = DAY_MS }: Outcome<number>,
    until: number,
  ): Promise<void> {
    await this.digests.settle(lease, failure ? { until: lease.until, attempts, pauseMs } : { until });
    if (failure) this.log.warn({ event: 'digest not sent', cause: failure.reason });
    else if (sent) this.log.log({ event: 'digest sent', count: sent });
  }

  /**
   * Sends a digest. If the server refuses it, it is sent again without visitors' words: submissions fail because of such
   * words, so a server that refused one refuses the digest that quotes it. A first temporary refusal may be greylisting.
   */
  private async send(digest: Digest, isRepeated: boolean, signal: AbortSignal): Promise<void> {
    try {
      await this.mailer.send(digestMail(digest, this.settings), signal);
    } catch (error) {
      if (!(error instanceof DeliveryError) || error.kind !== 'refused') throw error;
      if (!error.isPermanent && !isRepeated) throw error;
      this.log.warn({ event: 'digest refused', cause: error.reason });
      await this.mailer.send(digestMail(digest, this.settings, { isQuoting: false }), signal);
    }
  }

  /** Collects the digests of all recipients in one pass over the table. */
  private async collect(sinceOf: ReadonlyMap<string, number>, until: number): Promise<ReadonlyMap<string, Digest>> {
    const none = { failed: 0, quarantined: 0, reminded: 0, older: 0, firstDeletedAt: Infinity };
    const digests = new Map(
      [...sinceOf].map(([recipient, since]): [string, Digest] => [
        recipient,
        { recipient, since, until, rows: [], ...none },
      ]),
    );
    const add = (digest: Digest | undefined, why: DigestRow['why'], submission: Submission) => {
      if (!digest) return;
      digest[why] += 1;
      if (digest.rows.length < this.rowsMax) digest.rows.push({ ...submission, why });
    };
    const digestOf = (one: Submission) => digests.get(recipientOf(one, this.settings));
    for await (const one of this.search.reminders(Math.min(...sinceOf.values()), until)) {
      const digest = digestOf(one);
      if ((one.remindAt ?? 0) > (digest?.since ?? 0)) add(digest, 'reminded', one);
    }
    const states = ['failed', 'quarantined'] as const;
    for await (const one of this.search.select({ states, stateUntil: until })) {
      const digest = digestOf(one);
      if (one.handled || !digest) continue;
      if (one.stateSince > digest.since) {
        add(digest, one.state as (typeof states)[number], one);
      } else {
        digest.older += 1;
        digest.firstDeletedAt = Math.min(digest.firstDeletedAt, deletedAt(one, this.settings));
      }
    }
    return digests;
  }
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
