import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../database/database.ts';
import { PAUSE_MAX_MS } from '../outbox/retry-delay.ts';
import type { Submission, SubmissionState } from '../submissions/submission.ts';

/** Submissions that have been in one of these states, or marked as spam, for longer than this. */
export type Expired = { readonly olderThanMs: number } & (
  | { readonly states: readonly SubmissionState[] }
  | { readonly mark: 'spam' }
);

/** Deletes submissions past their retention time, and repairs times of a clock that had jumped. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** Deletes up to a page of submissions. @returns them, so that the caller can remove their files */
  deleteExpired(expired: Expired): Promise<Pick<Submission, 'id' | 'resume'>[]> {
    return this.database.rows<Pick<Submission, 'id' | 'resume'>>(sql`
      DELETE FROM submissions WHERE id IN (
        SELECT id FROM submissions
        WHERE ${this.isExpired(expired)}
        LIMIT ${sql.lit(this.database.pageRows)}
      ) RETURNING id, resume`);
  }

  /** Counts the submissions that {@link deleteExpired} would delete in all. */
  async countExpired(expired: Expired): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(sql`
      SELECT count(*) AS count FROM submissions WHERE ${this.isExpired(expired)}`);
    return row?.count ?? 0;
  }

  /** Makes submissions due whose next attempt a jumped clock has put too far into the future. */
  async repairPending(): Promise<void> {
    const latest = this.database.fromNow(PAUSE_MAX_MS);
    await this.database.rows(sql`UPDATE submissions SET next_attempt_at = 0
      WHERE state = 'pending' AND next_attempt_at > ${latest}`);
  }

  /** The inner SELECT lets PostgreSQL compute the time once; otherwise it does not use the index. */
  private isExpired({ olderThanMs, ...which }: Expired): RawBuilder<unknown> {
    const before = sql`(SELECT ${this.database.fromNow(-olderThanMs)})`;
    if ('mark' in which) return sql`handled = ${sql.lit(which.mark)} AND handled_at < ${before}`;
    return sql`state IN (${sql.join(which.states)}) AND state_since < ${before}`;
  }
}
