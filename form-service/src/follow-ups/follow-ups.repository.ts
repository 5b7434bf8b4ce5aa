import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { Database } from '../database/database.ts';
import type { FollowUpsTable } from '../database/schema.ts';
import type { FollowUpKind, FormKind } from '../submissions/submission.ts';

/** One thing that is sent beside the mail; times are milliseconds since the epoch. Who has its lease has the token too. */
export type FollowUp = Selectable<FollowUpsTable>;

/** What became of an attempt. Pending is tried again: after `pauseMs` uncounted, or else after a pause that grows. */
export interface Sent {
  readonly state: FollowUp['state'];
  readonly error?: string;
  readonly pauseMs?: number;
}

/** An attempt ends before this time, in ms; what a dead worker had in hand waits that long. */
const LEASE_MS = 60_000;

/** No attempt is postponed for longer; a later time was written by a clock that has jumped since. */
const PAUSE_MAX_MS = 20 * 60_000;

/**
 * Stores what is sent beside the mail. A row comes with its submission and goes with it, so erasure, retention and backup
 * need nothing of their own. Every method throws StorageUnavailableError while the database is away.
 */
@Injectable()
export class FollowUpsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Leases what is due, the longest waiting first.
   *
   * @param afterMail the forms whose follow-up waits until the mail is delivered or given up
   */
  async acquire(kind: FollowUpKind, afterMail: readonly FormKind[], limit: number): Promise<FollowUp[]> {
    const { now } = this.database;
    const isDue = sql`kind = ${kind} AND follow_ups.state = 'pending'
      AND (follow_ups.next_attempt_at <= ${now} OR follow_ups.next_attempt_at > ${this.database.fromNow(PAUSE_MAX_MS)})
      AND (follow_ups.lease_until IS NULL OR follow_ups.lease_until <= ${now} OR follow_ups.lease_until > ${this.database.fromNow(LEASE_MS)})`;
    // Two workers take different rows, and neither waits for the other.
    const unlocked = sql.raw(this.database.engine === 'postgres' ? 'FOR UPDATE OF follow_ups SKIP LOCKED' : '');
    const { rows } = await this.database.run((db) =>
      sql<FollowUp>`
        UPDATE follow_ups SET lease_token = ${randomUUID()}, lease_until = ${this.database.fromNow(LEASE_MS)}
        WHERE kind = ${kind} AND submission_id IN (
          SELECT submission_id FROM follow_ups JOIN submissions ON submissions.id = submission_id
          WHERE ${isDue} AND (submissions.state IN ('delivered', 'failed')
            OR (submissions.state = 'pending' AND form NOT IN (${sql.join(['', ...afterMail])})))
          ORDER BY follow_ups.next_attempt_at, follow_ups.state_since LIMIT ${limit} ${unlocked}
        ) RETURNING *`.execute(db),
    );
    return rows;
  }

  /**
   * Writes the result of an attempt and ends the lease, unless another worker has taken over.
   *
   * @param pauseMs the time until the next attempt at what stays pending
   */
  async settle(
    { submissionId, kind, leaseToken }: FollowUp,
    { pauseMs = 0, ...result }: Pick<FollowUp, 'state' | 'attempts' | 'lastError'> & { pauseMs?: number | undefined },
  ): Promise<void> {
    const since = result.state !== 'pending' && { stateSince: this.database.now };
    const nextAttemptAt = this.database.fromNow(pauseMs);
    await this.database.run((db) =>
      db
        .updateTable('followUps')
        .set({ ...result, ...since, nextAttemptAt, leaseToken: null, leaseUntil: null })
        .where('submissionId', '=', submissionId)
        .where('kind', '=', kind)
        .where('leaseToken', '=', leaseToken)
        .execute(),
    );
  }

  /**
   * Has posts to the webhook that were given up made again: those of these submissions, or all. An acknowledgement is
   * not: it would come too late.
   *
   * @returns how many
   */
  async renewPosts(ids?: readonly string[]): Promise<number> {
    const renewed = { state: 'pending', stateSince: this.database.now, attempts: 0, nextAttemptAt: 0 } as const;
    const { numUpdatedRows } = await this.database.run((db) => {
      const update = db
        .updateTable('followUps')
        .set(renewed)
        .where('kind', '=', 'webhook')
        .where('state', '=', 'failed');
      return (ids ? update.where('submissionId', 'in', ids) : update).executeTakeFirstOrThrow();
    });
    return Number(numUpdatedRows);
  }

  /** What is sent beside the mail of one submission. */
  of(submissionId: string): Promise<FollowUp[]> {
    return this.database.run((db) =>
      db.selectFrom('followUps').selectAll().where('submissionId', '=', submissionId).orderBy('kind').execute(),
    );
  }
}
