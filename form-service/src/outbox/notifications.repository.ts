import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import type { FormKind } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import type { NotificationKind, NotificationsTable } from '../database/schema.ts';
import { Leases, WAIT_MAX_MS } from './leases.ts';

const TABLE = sql.table('notifications');

/** A notification in the outbox. Times are milliseconds since the epoch. */
export type Notification = Selectable<NotificationsTable>;

/**
 * Stores the notifications of submissions (transactional outbox). A row is created and deleted together with its
 * submission, so erasure, retention and backup need no code of their own. Every method throws StorageUnavailableError
 * while the database is unavailable.
 */
@Injectable()
export class NotificationsRepository {
  private readonly leases: Leases;

  constructor(private readonly database: Database) {
    this.leases = new Leases(database, 'notifications');
  }

  /**
   * Leases notifications that are due, in the order in which they became due.
   *
   * @param afterMail forms whose notification waits until the mail is delivered or given up.
   */
  async acquire(kind: NotificationKind, afterMail: readonly FormKind[], limit: number): Promise<Notification[]> {
    const isDue = sql`kind = ${kind} AND ${TABLE}.state = 'pending'
      AND ${this.database.isOver('notifications.nextAttemptAt', WAIT_MAX_MS)}
      AND ${this.leases.isFree}`;
    // Two workers lease different rows, and neither waits for the other.
    const unlocked = this.database.engine === 'postgres' ? sql`FOR UPDATE OF ${TABLE} SKIP LOCKED` : sql``;
    // PostgreSQL has no empty list, so that of the forms contains one that no row has.
    // CROSS JOIN makes SQLite begin with the few pending notifications, not with all submissions.
    return this.database.rows(sql`
      UPDATE ${TABLE} SET ${this.leases.take(randomUUID())}
      WHERE kind = ${kind} AND submission_id IN (
        SELECT submission_id FROM ${TABLE} CROSS JOIN submissions
        WHERE submissions.id = submission_id AND ${isDue} AND (submissions.state IN ('delivered', 'failed')
          OR (submissions.state = 'pending' AND form NOT IN (${sql.join(['', ...afterMail])})))
        ORDER BY ${TABLE}.next_attempt_at LIMIT ${limit} ${unlocked}
      ) RETURNING *`);
  }

  /** @returns false if another worker has taken over the lease */
  renew({ submissionId, kind, leaseToken }: Notification): Promise<boolean> {
    return this.leases.renew(sql`submission_id = ${submissionId} AND kind = ${kind}`, leaseToken);
  }

  /**
   * Writes the result of an attempt and ends the lease, unless another worker has taken over.
   *
   * @param pauseMs time until the next attempt, if the notification stays pending.
   */
  async settle(
    { submissionId, kind, leaseToken }: Notification,
    {
      pauseMs = 0,
      ...result
    }: Pick<Notification, 'state' | 'attempts' | 'lastError'> & { pauseMs?: number | undefined },
  ): Promise<void> {
    const since = result.state !== 'pending' && { stateSince: this.database.now };
    const nextAttemptAt = this.database.fromNow(pauseMs);
    await this.database.run((db) =>
      db
        .updateTable('notifications')
        .set({ ...result, ...since, nextAttemptAt, leaseToken: null, leaseUntil: null })
        .where('submissionId', '=', submissionId)
        .where('kind', '=', kind)
        .where('leaseToken', '=', leaseToken)
        .execute(),
    );
  }

  /**
   * Makes webhook posts that were given up pending again: those of these submissions, or all, in these states.
   * Acknowledgements are not sent again, because they would arrive too late.
   *
   * @returns the ids of the submissions.
   */
  async requeuePosts(states: readonly string[], ids?: readonly string[]): Promise<string[]> {
    if (states.length === 0 || ids?.length === 0) return [];
    const isInState = sql<boolean>`EXISTS (
      SELECT 1 FROM submissions WHERE id = submission_id AND submissions.state IN (${sql.join(states)}))`;
    const renewed = { state: 'pending', stateSince: this.database.now, attempts: 0, nextAttemptAt: 0 } as const;
    const rows = await this.database.run((db) => {
      const update = db
        .updateTable('notifications')
        .set(renewed)
        .where('kind', '=', 'webhook')
        .where('state', '=', 'failed')
        .where(isInState)
        .returning('submissionId');
      return (ids ? update.where('submissionId', 'in', ids) : update).execute();
    });
    return rows.map(({ submissionId }) => submissionId);
  }

  /** Returns the number of webhook posts that were given up. */
  async countFailedPosts(): Promise<number> {
    const [row] = await this.database.rows<{ failed: number }>(
      sql`SELECT count(*) AS failed FROM ${TABLE} WHERE state = 'failed' AND kind = 'webhook'`,
    );
    return Number(row?.failed);
  }

  /** Returns the ids of up to a page of submissions whose webhook post was given up lately, latest first. */
  givenUpWithin(ms: number): Promise<string[]> {
    return this.database.ids(sql`
      SELECT submission_id AS id FROM ${TABLE}
      WHERE state = 'failed' AND kind = 'webhook' AND state_since > (SELECT ${this.database.fromNow(-ms)})
      ORDER BY state_since DESC LIMIT ${sql.lit(this.database.pageRows)}`);
  }

  /** Returns the notifications of a submission. */
  of(submissionId: string): Promise<Notification[]> {
    return this.database.run((db) =>
      db.selectFrom('notifications').selectAll().where('submissionId', '=', submissionId).orderBy('kind').execute(),
    );
  }
}
