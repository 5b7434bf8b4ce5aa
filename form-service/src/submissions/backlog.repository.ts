import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { FORM_KINDS } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import { Leases } from '../database/leases.ts';
import type { Backlog, Submission, SubmissionState } from './submission.ts';
import { STATUS } from './submission-sql.ts';

/** Length of the lease of an alert. */
export const ALERT_LEASE_MS = 30_000;

/** The right to raise the alert about these submissions, until another worker takes over. */
export interface AlertLease {
  readonly state: 'failed' | 'quarantined';
  readonly ids: readonly string[];
  readonly token: string;
}

/** Counts submissions that are not delivered, and keeps track of the alerts about them. */
@Injectable()
export class BacklogRepository {
  private readonly alertLeases: Leases;

  constructor(private readonly database: Database) {
    this.alertLeases = new Leases(database, 'submissions', ALERT_LEASE_MS, 'alert');
  }

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

  /** Leases failed and quarantined submissions whose alert is due. It blocks neither an erasure nor a resend. */
  async leaseAlerts(): Promise<AlertLease[]> {
    const token = randomUUID();
    const unlocked = sql.raw(this.database.engine === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '');
    const rows = await this.database.rows<Pick<Submission, 'id' | 'state'>>(sql`
      UPDATE submissions SET ${this.alertLeases.take(token)} WHERE id IN (
        SELECT id FROM submissions WHERE alert_due = 1 AND ${this.alertLeases.isFree}
        ORDER BY state_since LIMIT ${sql.lit(this.database.pageRows)} ${unlocked}
      ) RETURNING id, state`);
    const idsOf = (state: SubmissionState) => rows.filter((row) => row.state === state).map(({ id }) => id);
    const leases = (['failed', 'quarantined'] as const).map((state) => ({ state, ids: idsOf(state), token }));
    return leases.filter(({ ids }) => ids.length > 0);
  }

  /** @returns false if other workers have taken over */
  renewAlerts({ ids, token }: AlertLease): Promise<boolean> {
    return this.alertLeases.renew(sql`id IN (${sql.join(ids)})`, token);
  }

  /**
   * Ends a lease.
   *
   * @param isRaised whether the webhook has accepted the alert. Otherwise it is due at once, unless staff dealt with the
   *   submission meanwhile
   */
  async endAlerts({ ids, token }: AlertLease, isRaised: boolean): Promise<void> {
    const due = isRaised ? sql.lit(0) : sql.ref('alert_due');
    await this.database.rows(sql`
      UPDATE submissions SET ${this.alertLeases.end()}, alert_due = ${due}
      WHERE id IN (${sql.join(ids)}) AND ${this.alertLeases.isHeld(token)}`);
  }

  private async count(state: SubmissionState): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(sql`
      SELECT count(*) AS count FROM submissions WHERE form IN (${sql.join(FORM_KINDS)}) AND ${STATUS} = ${state}`);
    return row?.count ?? 0;
  }
}
