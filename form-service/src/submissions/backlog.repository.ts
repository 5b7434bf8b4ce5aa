import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../database/database.ts';
import { PAGE, PENDING } from './submission-row.ts';
import type { Submission, SubmissionState } from './submission.ts';

/** Figures about the submissions that are not delivered. */
export interface Backlog {
  readonly pending: number;
  readonly failed: number;
  readonly quarantined: number;
  /** The time that the oldest has been pending, or 0 when there is none. */
  readonly oldestPendingMs: number;
}

/** What the monitoring asks about submissions that are not delivered. */
@Injectable()
export class BacklogRepository {
  constructor(private readonly database: Database) {}

  /** The figures come from indexes alone, so they are as quick with a million delivered submissions as with none. */
  async counts(): Promise<Backlog> {
    const [counts, oldest] = await this.database.run((db) =>
      Promise.all([
        db
          .selectFrom('submissions')
          .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
          .where('state', 'in', ['pending', 'failed', 'quarantined'])
          .groupBy('state')
          .execute(),
        db
          .selectFrom('submissions')
          .select((is) => is(this.database.now, '-', is.fn.min('state_since')).as('age'))
          .where('state', '=', PENDING)
          .executeTakeFirst(),
      ]),
    );
    const count = (state: SubmissionState) => Number(counts.find((row) => row.state === state)?.count ?? 0);
    const oldestPendingMs = Math.max(0, Number(oldest?.age ?? 0));
    return { pending: count('pending'), failed: count('failed'), quarantined: count('quarantined'), oldestPendingMs };
  }

  /** The ids of submissions that have been pending for longer than so many milliseconds. */
  async pendingLongerThan(time: number): Promise<string[]> {
    const rows = await this.database.run((db) =>
      db
        .selectFrom('submissions')
        .select('id')
        .where('state', '=', PENDING)
        .where('state_since', '<', this.database.fromNow(-time))
        .limit(PAGE)
        .execute(),
    );
    return rows.map(({ id }) => id);
  }

  /** Failed and quarantined submissions about which no alert was raised yet. */
  async alertsDue(): Promise<Pick<Submission, 'id' | 'state'>[]> {
    return this.database.run((db) =>
      db
        .selectFrom('submissions')
        .select(['id', 'state'])
        .where('alert_due', '=', sql.lit(1))
        .orderBy('state_since')
        .limit(PAGE)
        .execute(),
    );
  }

  async alertRaised(ids: readonly string[]): Promise<void> {
    await this.database.run((db) =>
      db.updateTable('submissions').set({ alert_due: 0 }).where('id', 'in', ids).execute(),
    );
  }
}
