import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { sql, type ExpressionBuilder, type UpdateObject } from 'kysely';
import { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { normalizedEmail, toRow, toSubmission } from './submission-row.ts';
import type { FormKind, NewSubmission, ResumeFile, Submission, SubmissionState } from './submission.ts';

/** How long a lease holds that is not renewed, in milliseconds: so long a submission waits whose worker died. */
export const LEASE_MS = 30_000;

/** Nothing is put off for longer, in milliseconds: what seems to be was written by a clock that has jumped since. */
const PAUSE_MAX_MS = 20 * 60_000;

/** Rows of one INSERT. */
const BATCH = 64;

/** Rows that a walk through many reads, or a clean-up deletes, in one statement. */
export const PAGE = 500;

/** The right to deliver a submission, and to write what became of it, until somebody else takes it over. */
export interface Lease {
  readonly submission: Submission;
  readonly token: string;
}

/** What is asked for by an operator. */
export interface Selection {
  readonly states: readonly SubmissionState[];
  /** Only those received longer ago, in milliseconds. */
  readonly olderThan?: number;
  readonly email?: string;
  /** Only those that came into their state in this time, in milliseconds since the epoch. */
  readonly settledFrom?: number;
  readonly settledUntil?: number;
}

/** Figures of what is not delivered. */
export interface Backlog {
  readonly pending: number;
  readonly failed: number;
  readonly quarantined: number;
  /** Milliseconds since the oldest became pending, 0 when there is none. */
  readonly oldestPendingMs: number;
}

/** Written out, not a parameter: only then does SQLite use the index of the pending ones. */
const PENDING = sql.lit<'pending'>('pending');

type Builder = ExpressionBuilder<Schema, 'submissions'>;

/**
 * Submissions, in whichever database; the only truth about them, since Redis can be lost at any time. What a method
 * changed is durable when its promise resolves. Every method throws StorageUnavailableError while the database is away.
 */
@Injectable()
export class SubmissionsRepository {
  /** The INSERT under way; all that arrives meanwhile goes together with the next. */
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
   * @returns false when there is one with this id, which is left as it is
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

  /** Keys of the files that these submissions name. */
  async resumeKeys(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.run((db) =>
      db.selectFrom('submissions').select('resume').where('id', 'in', ids).where('resume', 'is not', null).execute(),
    );
    return new Set(rows.map(({ resume }) => (JSON.parse(resume ?? '') as ResumeFile).key));
  }

  /** Ids of the pending submissions that may be tried now and that nobody has leased, the longest waiting first. */
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

  /** Takes the lease of a submission that is due. Undefined when it is not, or another worker has it. */
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

  /** @returns false when somebody else has taken over */
  renew(lease: Lease): Promise<boolean> {
    return this.update(lease, { lease_until: this.later(LEASE_MS) });
  }

  /**
   * The end of an attempt that settled the submission.
   *
   * @returns false when somebody else has taken over: then nothing was written
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

  /** Puts the next attempt off. @returns false when somebody else has taken over */
  postpone(
    lease: Lease,
    { pauseMs, attempts, error }: { pauseMs: number; attempts: number; error: string },
  ): Promise<boolean> {
    const next_attempt_at = this.later(pauseMs);
    return this.update(lease, { attempts, last_error: error, next_attempt_at, lease_token: null, lease_until: null });
  }

  /** Gives a lease back as if nothing had been tried. @returns false when somebody else has taken over */
  release(lease: Lease, error?: string): Promise<boolean> {
    return this.update(lease, {
      lease_token: null,
      lease_until: null,
      ...(error !== undefined && { last_error: error }),
    });
  }

  /**
   * Makes submissions pending again, their attempts counted anew.
   *
   * @param from the states that they may be in, unless they are leased
   * @returns the ids of those that now are pending
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

  /** Everything that an operator asks for, read page by page: what came from an address, or else state by state. */
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
   * Deletes up to a page of what has been in a state for longer than a time, in milliseconds.
   *
   * @returns what was deleted, so that the files go too
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
   * Erases submissions that nobody is delivering just now, and keeps proof of it: ids and times.
   *
   * @param firstAt when they were erased before a backup brought them back, in milliseconds since the epoch: what was
   * received later stays
   * @returns what was erased, so that the files go too
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

  /** Figures, from indexes alone: as quick with a million delivered submissions as with none. */
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

  /** Ids of what has been pending for longer than a time, in milliseconds. */
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

  /** What failed or was quarantined and nobody was told of yet. */
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

  /** Brings back to now what a clock that has jumped put off for longer than anything ever is. */
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
      // Each in the order of the index that finds it.
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
    // Of two with one id in one batch the first was stored.
    return batch.map(({ id }) => ids.delete(id));
  }

  /** Writes under a lease, and nothing when somebody else has taken over. */
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

  /** Not leased. A lease that ends later than one that begins now was written by a clock that has jumped since. */
  private isFree(is: Builder) {
    return is.or([
      is('lease_until', 'is', null),
      is('lease_until', '<=', this.database.now),
      is('lease_until', '>', this.later(LEASE_MS)),
    ]);
  }
}
