import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Addressed } from './recipients.ts';
import { Database } from '../database/database.ts';
import type { HistoryEvent, Submission } from './submission.ts';
import { historyLine, SUBMISSION_COLUMNS, submissionsOf } from './submission-sql.ts';

/**
 * Reads what the mail server answered to other submissions, and moves the next attempts of those that are held. The rows
 * are the evidence that workers share, and that is left after a restart.
 */
@Injectable()
export class HoldsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns up to a page of pending submissions that were refused with this code, and of those that failed so within this
   * time.
   */
  async refusedWith(code: string, withinMs: number): Promise<Submission[]> {
    const isRefused = sql`last_error LIKE ${`%(${code})%`}`;
    const [pending, failed] = await Promise.all([
      submissionsOf(
        this.database,
        sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions
          WHERE state = 'pending' AND ${isRefused} LIMIT ${sql.lit(this.database.pageRows)}`,
      ),
      submissionsOf(
        this.database,
        sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions
          WHERE state = 'failed' AND state_since > ${this.database.fromNow(-withinMs)} AND ${isRefused}
          LIMIT ${sql.lit(this.database.pageRows)}`,
      ),
    ]);
    return [...pending, ...failed];
  }

  /** Returns up to a page of submissions that were delivered in a period, in milliseconds since the epoch. */
  deliveredBetween(after: number, before: number): Promise<Addressed[]> {
    return this.database.rows(sql`
      SELECT form, fields, recipient FROM submissions
      WHERE state = 'delivered' AND state_since > ${after} AND state_since < ${before}
      ORDER BY state_since DESC LIMIT ${sql.lit(this.database.pageRows)}`);
  }

  /**
   * Sets the next attempt of pending submissions that wait for it. Those that are due already stay due, because a user may
   * have sent them again.
   *
   * @param event line to add to their history
   */
  async reschedule(ids: readonly string[], pauseMs: number, event?: HistoryEvent): Promise<void> {
    if (ids.length === 0) return;
    const elements = JSON.stringify(ids.map((id) => ({ id })));
    await this.database.rows(sql`
      UPDATE submissions SET next_attempt_at = ${this.database.fromNow(pauseMs)},
        history = history || ${event ? historyLine(event) : ''}
      WHERE id IN (SELECT value ->> 'id' FROM ${this.database.jsonElements}(${elements}))
        AND state || '' = 'pending' AND next_attempt_at > ${this.database.now}`);
  }
}
