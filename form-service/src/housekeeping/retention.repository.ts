import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../database/database.ts';
import { PAUSE_MAX_MS } from '../outbox/retry-delay.ts';
import type { Submission, SubmissionState } from '../submissions/submission.ts';

/** Deletes submissions past their retention time, and repairs times of a clock that had jumped. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /**
   * Deletes up to a page of submissions that have been in a state, or marked as spam, for longer than this.
   *
   * @returns the deleted submissions, so that the caller can remove their files.
   */
  deleteOlder(
    states: readonly SubmissionState[] | 'spam',
    ageMs: number,
  ): Promise<Pick<Submission, 'id' | 'resume'>[]> {
    return this.database.rows<Pick<Submission, 'id' | 'resume'>>(sql`
      DELETE FROM submissions WHERE id IN (
        SELECT id FROM submissions
        WHERE ${this.isOlder(states, ageMs)}
        LIMIT ${sql.lit(this.database.pageRows)}
      ) RETURNING id, resume`);
  }

  /** Counts the submissions that {@link deleteOlder} would delete in all. */
  async countOlder(states: readonly SubmissionState[] | 'spam', ageMs: number): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(sql`
      SELECT count(*) AS count FROM submissions WHERE ${this.isOlder(states, ageMs)}`);
    return row?.count ?? 0;
  }

  /** Makes submissions due whose next attempt a jumped clock has put too far into the future. */
  async repairPending(): Promise<void> {
    const latest = this.database.fromNow(PAUSE_MAX_MS);
    await this.database.rows(sql`UPDATE submissions SET next_attempt_at = 0
      WHERE state = 'pending' AND next_attempt_at > ${latest}`);
  }

  /** The inner SELECT lets PostgreSQL compute the time once; otherwise it does not use the index. */
  private isOlder(states: readonly SubmissionState[] | 'spam', ms: number): RawBuilder<unknown> {
    if (states === 'spam') return sql`handled = 'spam' AND handled_at < (SELECT ${this.database.fromNow(-ms)})`;
    return sql`state IN (${sql.join(states)}) AND state_since < (SELECT ${this.database.fromNow(-ms)})`;
  }
}
