import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { FORM_KINDS } from '../contract/protocol.ts';
import { Database } from '../database/database.ts';
import type { Backlog, Submission, SubmissionState } from './submission.ts';
import { STATUS } from './submission-sql.ts';

/** Interval at which a worker renews its claims to alerts. */
export const ALERT_CHECK_MS = 10_000;

/** Length of a worker's claim to an alert. Two renewals may be late. */
const ALERT_CLAIM_MS = 3 * ALERT_CHECK_MS;

/** Counts submissions that are not delivered, and keeps track of the alerts about them. */
@Injectable()
export class BacklogRepository {
  constructor(private readonly database: Database) {}

  /** Returns the figures of the backlog. They come from indexes only, so delivered submissions cost no time. */
  async counts(): Promise<Backlog> {
    const [pending, failed, quarantined] = [
      await this.count('pending'),
      await this.count('failed'),
      await this.count('quarantined'),
    ];
    const [oldest] = await this.database.rows<{ age: number | null }>(sql`
      SELECT ${this.database.now} - min(state_since) AS age FROM submissions WHERE state = 'pending'`);
    return { pending, failed, quarantined, oldestPendingMs: Math.max(0, oldest?.age ?? 0) };
  }

  /** Returns up to a page of ids of submissions that have been pending for longer than this. */
  pendingLongerThan(ms: number): Promise<string[]> {
    return this.database.ids(sql`
      SELECT id FROM submissions WHERE state = 'pending' AND state_since < ${this.database.fromNow(-ms)}
      LIMIT ${sql.lit(this.database.pageRows)}`);
  }

  /** Returns whether a submission has been pending for longer than this, whatever it waits for. */
  async isAnyPendingLongerThan(ms: number): Promise<boolean> {
    const rows = await this.database.rows(sql`
      SELECT id FROM submissions WHERE state = 'pending' AND state_since < ${this.database.fromNow(-ms)} LIMIT 1`);
    return rows.length > 0;
  }

  /** Counts all submissions that have been pending for longer than this. */
  async countPendingLongerThan(ms: number): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(sql`
      SELECT count(*) AS count FROM submissions
      WHERE state = 'pending' AND state_since < ${this.database.fromNow(-ms)}`);
    return row?.count ?? 0;
  }

  /**
   * Claims failed and quarantined submissions whose alert is due. A claim that is not renewed ends, so another worker
   * raises the alert if this one dies. The end of the claim is in `next_attempt_at`, which these states do not use; it
   * blocks neither an erasure nor a resend.
   */
  claimAlerts(): Promise<Pick<Submission, 'id' | 'state'>[]> {
    const unlocked = sql.raw(this.database.engine === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '');
    return this.database.rows(sql`
      UPDATE submissions SET next_attempt_at = ${this.database.fromNow(ALERT_CLAIM_MS)} WHERE id IN (
        SELECT id FROM submissions
        WHERE alert_due = 1 AND ${this.database.isOver('next_attempt_at', ALERT_CLAIM_MS)}
        ORDER BY state_since LIMIT ${sql.lit(this.database.pageRows)} ${unlocked}
      ) RETURNING id, state`);
  }

  /** Renews claims while their alert is posted. A `claimMs` of 0 ends them. */
  async renewAlertClaims(ids: readonly string[], claimMs = ALERT_CLAIM_MS): Promise<void> {
    if (ids.length === 0) return;
    await this.database.rows(sql`UPDATE submissions SET next_attempt_at = ${this.database.fromNow(claimMs)}
      WHERE id IN (${sql.join(ids)}) AND alert_due = 1`);
  }

  /** Clears alerts that the webhook has accepted. */
  async clearAlerts(ids: readonly string[]): Promise<void> {
    await this.database.rows(sql`UPDATE submissions SET alert_due = 0 WHERE id IN (${sql.join(ids)})`);
  }

  private async count(state: SubmissionState): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(sql`
      SELECT count(*) AS count FROM submissions WHERE form IN (${sql.join(FORM_KINDS)}) AND ${STATUS} = ${state}`);
    return row?.count ?? 0;
  }
}
