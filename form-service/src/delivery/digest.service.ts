import { Inject, Injectable, Logger } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { Temporal } from 'temporal-polyfill';
import { allRecipients, recipientOf } from '../config/recipients.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { HealthService } from '../observability/health.service.ts';
import { deletedAt } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { DeliveryError } from './failure.ts';
import { Mailer } from './mailer.service.ts';
import { digestMail, DIGEST_ROWS_MAX, type Digest } from './mails/digest-mail.ts';

/** A submission is in the database so long after the time that it bears: the digest ends before the youngest. */
const WRITTEN_WITHIN_MS = 60_000;

/** The worker that sends a digest has it alone for so long, and one that was not sent is tried again after it. */
const LEASE_MS = 15 * 60_000;

const DAY_MS = 24 * 60 * 60_000;

/** How far a recipient was told, a row of `properties` for each. Times are milliseconds since the epoch. */
interface Progress {
  readonly until: number;
  readonly leaseUntil: number;
}
const textOf = (progress: Progress) => JSON.stringify(progress);

/**
 * Tells each recipient once a day what was held back or not delivered. What a digest tells of depends on its hour and
 * not on when it is sent, and so does its `Message-ID`: one that is sent again, because its worker died before it was
 * noted, is the same mail.
 */
@Injectable()
export class DigestService {
  private readonly log = new Logger('Digest');

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly database: Database,
    private readonly submissions: SubmissionsRepository,
    private readonly mailer: Mailer,
    private readonly health: HealthService,
  ) {
    this.health.expectTask('digest', LEASE_MS);
  }

  /** Sends what is due: at the hour, or later where no worker ran then. */
  @Cron(CronExpression.EVERY_MINUTE, { waitForCompletion: true })
  run(now = Date.now()): Promise<void> {
    return this.health.runTask('digest', async () => {
      const { DIGEST_AT, TIME_ZONE } = this.settings;
      if (!DIGEST_AT) return;
      const until = latestDigest(DIGEST_AT, TIME_ZONE, now) - WRITTEN_WITHIN_MS;
      const rows = await this.database.run((db) =>
        db.selectFrom('properties').selectAll().where('name', 'like', 'digest:%').execute(),
      );
      const known = new Map(rows.map(({ name, value }) => [name, value]));
      // Who is named for the first time is told from where the others are. Before the first digest of all nothing is.
      const first = Math.min(now, ...rows.map(({ value }) => (JSON.parse(value) as Progress).until));
      const tellAll = allRecipients(this.settings).map((recipient) => {
        const value = known.get(`digest:${recipient}`);
        return value === undefined ? this.begin(recipient, first) : this.sendTo(recipient, value, until, now);
      });
      await Promise.all(tellAll);
    });
  }

  private async begin(recipient: string, until: number): Promise<void> {
    const row = { name: `digest:${recipient}`, value: textOf({ until, leaseUntil: 0 }) };
    await this.database.run((db) => {
      const insert = db.insertInto('properties').values(row);
      return insert.onConflict((conflict) => conflict.doNothing()).execute();
    });
  }

  private async sendTo(recipient: string, value: string, until: number, now: number): Promise<void> {
    const progress = JSON.parse(value) as Progress;
    // A time in the future was written by a clock that has jumped.
    const since = progress.until <= now ? progress.until : until - DAY_MS;
    const isLeased = progress.leaseUntil > now && progress.leaseUntil <= now + LEASE_MS;
    const lease = textOf({ ...progress, leaseUntil: now + LEASE_MS });
    if (since >= until || isLeased || !(await this.replace(recipient, value, lease))) return;
    const digest = await this.collect(recipient, since, until);
    if (digest.failed + digest.quarantined > 0) {
      try {
        await this.mailer.send(digestMail(digest, this.settings));
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        return this.log.warn({ event: 'digest not sent', cause: error.reason });
      }
      this.log.log({ event: 'digest sent', failed: digest.failed, quarantined: digest.quarantined });
    }
    await this.replace(recipient, lease, textOf({ until, leaseUntil: 0 }));
  }

  /** @returns false when another worker was quicker */
  private async replace(recipient: string, before: string, after: string): Promise<boolean> {
    const { numUpdatedRows } = await this.database.run((db) => {
      const update = db.updateTable('properties').set({ value: after });
      return update.where('name', '=', `digest:${recipient}`).where('value', '=', before).executeTakeFirst();
    });
    return numUpdatedRows > 0n;
  }

  private async collect(recipient: string, since: number, until: number): Promise<Digest> {
    const none = { rows: [], failed: 0, quarantined: 0, older: 0, firstDeletedAt: Infinity };
    const digest: Digest = { recipient, since, until, ...none };
    const states = ['failed', 'quarantined'] as const;
    for await (const one of this.submissions.select({ states, stateUntil: until })) {
      if (recipientOf(one, this.settings) !== recipient) continue;
      if (one.stateSince > since) {
        digest[one.state as (typeof states)[number]] += 1;
        if (digest.rows.length < DIGEST_ROWS_MAX) digest.rows.push(one);
      } else {
        digest.older += 1;
        digest.firstDeletedAt = Math.min(digest.firstDeletedAt, deletedAt(one));
      }
    }
    return digest;
  }
}

/**
 * When the latest digest was due, in milliseconds since the epoch: once on each day, also on one whose summer time
 * begins or ends, where the hour is not on the clock (then an hour later) or is on it twice (then the first time).
 */
export function latestDigest(at: string, timeZone: string, now: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const [due = 0, yesterday = 0] = [today, today.subtract({ days: 1 })].map(
    (day) => day.toZonedDateTime({ timeZone, plainTime: at }).epochMilliseconds,
  );
  return due <= now ? due : yesterday;
}
