import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { sql, type ExpressionBuilder, type UpdateObject } from 'kysely';
import { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { normalizedEmail, toRow, toSubmission } from './submission-row.ts';
import type { FormKind, NewSubmission, ResumeFile, Submission, SubmissionState } from './submission.ts';

/** A lease that is not renewed ends after this time; a submission whose worker died waits that long. */
export const LEASE_MS = 30_000;

/** No attempt is postponed for longer than this; a later time was written by a clock that has jumped since. */
const PAUSE_MAX_MS = 20 * 60_000;

/** The largest number of rows in one INSERT. */
const BATCH = 64;

/** The number of rows that one statement of a long read or a clean-up takes. */
export const PAGE = 500;

/** The right to deliver a submission and to write the result, until another worker takes it over. */
export interface Lease {
  readonly submission: Submission;
  readonly token: string;
}

/** The submissions that an operator asks for. */
export interface Selection {
  readonly states: readonly SubmissionState[];
  /** Only those that were received longer than so many milliseconds ago. */
  readonly olderThan?: number;
  readonly email?: string;
  /** Only those that came into their state in this period, in milliseconds since the epoch. */
  readonly settledFrom?: number;
  readonly settledUntil?: number;
}

/** Figures about the submissions that are not delivered. */
export interface Backlog {
  readonly pending: number;
  readonly failed: number;
  readonly quarantined: number;
  /** The time that the oldest has been pending, or 0 when there is none. */
  readonly oldestPendingMs: number;
}

/** The value is written out and not a parameter: only then does SQLite use the partial index of pending submissions. */
const PENDING = sql.lit<'pending'>('pending');

type Builder = ExpressionBuilder<Schema, 'submissions'>;

/**
 * Stores submissions in either database. The database is the only truth about them, since Redis can be lost at any
 * time. A change is durable when its promise resolves. Every method throws StorageUnavailableError while the database
 * is away.
 */
@Injectable()
export class SubmissionsRepository {
  /** The INSERT that is running; submissions that arrive meanwhile go into the next one together. */
  private inserting: Promise<unknown> = Promise.resolve();
  private readonly inserts: DataLoader<NewSubmission, boolean>;

  constructor(private readonly database: Database) {
    this.inserts = new DataLoader((batch) => (this.inserting = this.insertAll(batch)), {
      cache: false,
      maxBatchSize: BATCH,
      batchScheduleFn: (send) =>
        void this.inserting.then(
          () => setImmediate(send),
          () => setImmediate(send),
        ),
    });
  }

  /**
   * Stores a new submission.
   *
   * @returns false when one with this id exists, which is not changed
   */
  insert(submission: NewSubmission): Promise<boolean> {
    return this.inserts.load(submission);
  }

  async find(id: string): Promise<Submission | undefined> {
    const row = await this.database.run((db) =>
      db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst(),
    );
    return row && toSubmission(row);
  }

  /** The keys of these submissions' files. */
  async resumeKeys(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.run((db) =>
      db.selectFrom('submissions').select('resume').where('id', 'in', ids).where('resume', 'is not', null).execute(),
    );
    return new Set(rows.map(({ resume }) => (JSON.parse(resume ?? '') as ResumeFile).key));
  }

  /** The ids of pending submissions that are due and not leased, the longest waiting first. */
  async due(forms: readonly FormKind[], limit = PAGE): Promise<string[]> {
    const rows = await this.database.run((db) =>
      db
        .selectFrom('submissions')
        .select('id')
        .where((is) => is.and([this.isDue(is), is('form', 'in', forms)]))
        .orderBy('next_attempt_at')
        .orderBy('received_at')
        .limit(limit)
        .execute(),
    );
    return rows.map(({ id }) => id);
  }

  /** Leases a submission that is due. The result is undefined when it is not due, or another worker has leased it. */
  async lease(id: string): Promise<Lease | undefined> {
    const token = randomUUID();
    const row = await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set({ lease_token: token, lease_until: this.later(LEASE_MS) })
        .where((is) => is.and([is('id', '=', id), this.isDue(is)]))
        .returningAll()
        .executeTakeFirst(),
    );
    return row && { submission: toSubmission(row), token };
  }

  /** @returns false when another worker has taken over */
  renew(lease: Lease): Promise<boolean> {
    return this.update(lease, { lease_until: this.later(LEASE_MS) });
  }

  /**
   * Writes the result of a delivery and ends the lease.
   *
   * @returns false when another worker has taken over; then nothing is written
   */
  settle(
    lease: Lease,
    to: {
      state: 'delivered' | 'failed' | 'quarantined';
      attempts: number;
      error?: string;
      reasons?: readonly string[];
    },
  ): Promise<boolean> {
    return this.update(lease, {
      state: to.state,
      state_since: this.database.now,
      attempts: to.attempts,
      lease_token: null,
      lease_until: null,
      alert_due: to.state === 'delivered' ? 0 : 1,
      ...(to.error !== undefined && { last_error: to.error }),
      ...(to.reasons && { reasons: JSON.stringify(to.reasons) }),
    });
  }

  /** Postpones the next attempt and ends the lease. @returns false when another worker has taken over */
  postpone(
    lease: Lease,
    { pauseMs, attempts, error }: { pauseMs: number; attempts: number; error: string },
  ): Promise<boolean> {
    const next_attempt_at = this.later(pauseMs);
    return this.update(lease, { attempts, last_error: error, next_attempt_at, lease_token: null, lease_until: null });
  }

  /** Ends a lease as if nothing had been tried. @returns false when another worker has taken over */
  release(lease: Lease, error?: string): Promise<boolean> {
    return this.update(lease, {
      lease_token: null,
      lease_until: null,
      ...(error !== undefined && { last_error: error }),
    });
  }

  /**
   * Makes submissions pending again, with no attempts counted.
   *
   * @param from the states that they may be in
   * @returns the ids of those that are pending now
   */
  async requeue(
    ids: readonly string[],
    from: readonly SubmissionState[],
    { released = false } = {},
  ): Promise<string[]> {
    const rows = await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set({ state: 'pending', state_since: this.database.now, next_attempt_at: 0, attempts: 0, alert_due: 0 })
        .$if(released, (update) => update.set({ released_at: this.database.now }))
        .where('id', 'in', ids)
        .where('state', 'in', from)
        .returning('id')
        .execute(),
    );
    return rows.map(({ id }) => id);
  }

  /** Reads what an operator asks for, page by page: by address, or else state by state. */
  async *select(selection: Selection): AsyncGenerator<Submission> {
    const parts = selection.email === undefined ? selection.states.map((state) => [state]) : [selection.states];
    for (const states of parts) {
      let page: Submission[] = [];
      do {
        page = await this.page({ ...selection, states }, page.at(-1));
        yield* page;
      } while (page.length === PAGE);
    }
  }

  /**
   * Deletes up to a page of submissions that have been in a state for longer than so many milliseconds.
   *
   * @returns what was deleted, so that the caller can remove the files
   */
  async deleteOlder(states: readonly SubmissionState[], olderThan: number): Promise<Submission[]> {
    const rows = await this.database.run((db) =>
      db
        .deleteFrom('submissions')
        .where('id', 'in', (inner) =>
          inner
            .selectFrom('submissions')
            .select('id')
            .where('state', 'in', states)
            .where('state_since', '<', this.later(-olderThan))
            .limit(PAGE),
        )
        .returningAll()
        .execute(),
    );
    return rows.map(toSubmission);
  }

  /**
   * Erases submissions that are not leased, and keeps their ids and the time as proof.
   *
   * @param firstAt when they were erased before a backup brought them back, in milliseconds since the epoch; what was
   * received later stays
   * @returns what was erased, so that the caller can remove the files
   */
  async erase(ids: readonly string[], firstAt?: number): Promise<Submission[]> {
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const rows = await transaction
          .deleteFrom('submissions')
          .where((is) => is.and([is('id', 'in', ids), this.isFree(is)]))
          .$if(firstAt !== undefined, (query) => query.where('received_at', '<=', firstAt ?? 0))
          .returningAll()
          .execute();
        const proven = firstAt === undefined ? rows.map(({ id }) => id) : ids;
        const proofs = proven.map((id) => ({ id, erased_at: firstAt ?? this.database.now }));
        if (proofs.length > 0) {
          const insert = transaction.insertInto('erasures').values(proofs);
          await insert.onConflict((conflict) => conflict.doNothing()).execute();
        }
        return rows.map(toSubmission);
      }),
    );
  }

  /** The figures come from indexes alone, so they are as quick with a million delivered submissions as with none. */
  async backlog(): Promise<Backlog> {
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
        .where('state_since', '<', this.later(-time))
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

  /** Makes submissions due whose next attempt a clock that has jumped put too far into the future. */
  async mendJumpedClock(): Promise<void> {
    await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set({ next_attempt_at: 0 })
        .where('state', '=', PENDING)
        .where('next_attempt_at', '>', this.later(PAUSE_MAX_MS))
        .execute(),
    );
  }

  private async page(selection: Selection, after?: Submission): Promise<Submission[]> {
    const { states, olderThan, email, settledFrom, settledUntil } = selection;
    const rows = await this.database.run((db) => {
      let query = db.selectFrom('submissions').selectAll().where('state', 'in', states).limit(PAGE);
      if (olderThan !== undefined) query = query.where('received_at', '<=', Date.now() - olderThan);
      if (settledFrom !== undefined) query = query.where('state_since', '>=', settledFrom);
      if (settledUntil !== undefined) query = query.where('state_since', '<=', settledUntil);
      // Each query uses the order of the index that it reads.
      if (email !== undefined) {
        query = query.where('email', '=', normalizedEmail(email));
        return query
          .where('id', '>', after?.id ?? '')
          .orderBy('id')
          .execute();
      }
      if (after) {
        const last = [Date.parse(after.since), after.id] as const;
        query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('state_since', 'id'), '>', tuple(...last)));
      }
      return query.orderBy('state_since').orderBy('id').execute();
    });
    return rows.map(toSubmission);
  }

  private async insertAll(batch: readonly NewSubmission[]): Promise<boolean[]> {
    const now = Date.now();
    const inserted = await this.database.run((db) =>
      db
        .insertInto('submissions')
        .values(batch.map((submission) => toRow(submission, now)))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .execute(),
    );
    const ids = new Set(inserted.map(({ id }) => id));
    // When a batch has two submissions with one id, the first one was stored.
    return batch.map(({ id }) => ids.delete(id));
  }

  /** Writes under a lease, and nothing when another worker has taken over. */
  private async update({ submission, token }: Lease, change: UpdateObject<Schema, 'submissions'>): Promise<boolean> {
    const result = await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set(change)
        .where('id', '=', submission.id)
        .where('lease_token', '=', token)
        .executeTakeFirst(),
    );
    return result.numUpdatedRows === 1n;
  }

  private later(ms: number) {
    return sql<number>`${this.database.now} + ${ms}`;
  }

  private isDue(is: Builder) {
    return is.and([is('state', '=', PENDING), is('next_attempt_at', '<=', this.database.now), this.isFree(is)]);
  }

  /**
   * Whether a submission is not leased. A lease that ends later than one that begins now was written by a clock that
   * has jumped.
   */
  private isFree(is: Builder) {
    return is.or([
      is('lease_until', 'is', null),
      is('lease_until', '<=', this.database.now),
      is('lease_until', '>', this.later(LEASE_MS)),
    ]);
  }
}
